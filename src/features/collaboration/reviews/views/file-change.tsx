import type { Explained } from "../../../../core/reasons.ts";
import type { Side } from "../../../../ui/diff-table.tsx";
import { problemOfText } from "../../../../ui/form-problems.tsx";
import { Field, Form, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { FormToken } from "../../../../ui/page.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { FilesPiece, ShownChange } from "../../../repositories/diffs/file-piece.ts";
import { changedFilesTexts } from "../../../repositories/diffs/texts/texts.ts";
import { FileBox, type FileBoxCommon } from "../../../repositories/diffs/views/file-box.tsx";
import { anchorOf } from "../../../repositories/diffs/views/looking.ts";
import type { PullView } from "../../pulls/model.ts";
import type { Thread } from "../model.ts";
import { reviewTexts } from "../texts/texts.ts";
import { type FilesState, filesPath } from "./files-address.ts";
import { type TalkProps, ThreadView } from "./thread.tsx";

/** Position of an open comment form. */
export interface Writing {
  readonly index: number;
  readonly side: Side;
  readonly startLine: number;
  readonly line: number;
  readonly content: string;
  readonly problem?: Explained | string | undefined;
}

export interface ChangeProps extends TalkProps, FileBoxCommon {
  readonly state: FilesState;
  readonly pull: PullView;
  readonly piece: FilesPiece;
  readonly change: ShownChange;
  /** On this file. */
  readonly threads: readonly Thread[];
  /** Undefined: the page shows a part of its changes, which cannot be marked. */
  readonly viewedKey: string | undefined;
  readonly isViewed: boolean;
  readonly writing: Writing | undefined;
  readonly hasPending: boolean;
}

/** The diff of a file with its conversations. */
export function FileChange(props: ChangeProps): Html {
  const { piece, address, state, change, isViewed, formToken, canTalk, writing } = props;
  const texts = useTexts(reviewTexts);
  const talks = formToken !== undefined && canTalk;
  return (
    <FileBox
      {...props}
      between={piece}
      isClosed={isViewed && writing === undefined}
      mark={
        <>
          {talks && (
            <a
              class="button small file-comment"
              href={`${address(state, { file: change.index, on: "new-0" })}#write`}
              aria-label={`${texts.fileTitle}: ${change.file.path}`}
            >
              <Icon name="comment" />
            </a>
          )}
          <ViewedMark {...props} />
        </>
      }
      above={<OnFile {...props} />}
      others={<Others {...props} />}
      talkAddress={talks ? (side, line) => `${address(state, { file: change.index, on: `${side}-${line}` })}#write` : undefined}
      below={belowLines(props)}
    />
  );
}

/** Conversations on the whole file, and the form to start one. */
function OnFile(props: ChangeProps): Html {
  const { threads, writing } = props;
  const own = threads.filter(isOnFile);
  const isWriting = writing !== undefined && writing.line === 0;
  if (own.length === 0 && !isWriting) return null;
  return (
    <div class="within on-file">
      {own.map((thread) => (
        <ThreadView {...props} thread={thread} />
      ))}
      {isWriting && <WriteForm {...props} writing={writing} />}
    </div>
  );
}

const isOnFile = ({ first }: Thread): boolean => first.present?.line === 0;

/** Conversations on lines outside the page. */
function Others(props: ChangeProps): Html {
  const texts = useTexts(reviewTexts);
  const lines = shownLines(props.change);
  const others = props.threads
    .filter((thread) => !isOnFile(thread))
    .filter(({ first }) => first.present === undefined || !lines.has(keyOf(first.side, first.present.line)));
  if (others.length === 0) return null;
  return (
    <div class="within below others">
      <h3>{texts.others}</h3>
      {others.map((thread) => (
        <ThreadView {...props} thread={thread} isElsewhere />
      ))}
    </div>
  );
}

const keyOf = (side: Side, line: number): string => `${side}-${line}`;

/** Lines on the page. */
function shownLines({ diff, isLong }: ShownChange): ReadonlySet<string> {
  const lines = isLong ? [] : (diff?.hunks.flatMap((hunk) => hunk.lines) ?? []);
  return new Set(
    lines.flatMap((line) => [line.kind === "added" ? [] : keyOf("old", line.before), line.kind === "removed" ? [] : keyOf("new", line.after)].flat()),
  );
}

function ViewedMark({ repository, pull, change: { index, file }, state, viewedKey, isViewed, formToken }: ChangeProps): Html {
  const texts = useTexts(reviewTexts);
  const changedFiles = useTexts(changedFilesTexts);
  if (formToken === undefined || viewedKey === undefined) return null;
  return (
    <form class="viewed" method="post" action={filesPath(repository, pull.number, state, "/viewed")}>
      <FormToken value={formToken} />
      <input type="hidden" name="key" value={viewedKey} />
      <input type="hidden" name="place" value={index} />
      <input type="hidden" name="viewed" value={String(!isViewed)} />
      <button class="small" type="submit" aria-pressed={isViewed} aria-label={texts.markViewed(file.path)}>
        <Icon name="check" />
        {changedFiles.viewed}
      </button>
    </form>
  );
}

/** Conversations and forms by line. */
function belowLines(props: ChangeProps): (side: Side, line: number) => Html | undefined {
  const { threads, writing } = props;
  const placed = new Map<string, Html[]>();
  const add = (side: Side, line: number, html: Html): void => void placed.set(keyOf(side, line), [...(placed.get(keyOf(side, line)) ?? []), html]);
  for (const thread of threads)
    if (thread.first.present !== undefined) add(thread.first.side, thread.first.present.line, <ThreadView {...props} thread={thread} />);
  if (writing !== undefined && writing.line > 0) add(writing.side, writing.line, <WriteForm {...props} writing={writing} />);
  return (side, line) => placed.get(keyOf(side, line));
}

function WriteForm({ repository, pull, state, change, writing, formToken, hasPending }: ChangeProps & { readonly writing: Writing }): Html {
  const texts = useTexts(reviewTexts);
  const { forms } = useTexts(sharedTexts);
  const { side, line, startLine, content, problem } = writing;
  const back = `${filesPath(repository, pull.number, state)}#${anchorOf(change.index)}`;
  const on = startLine === line ? `${side}-${line}` : `${side}-${startLine}-${line}`;
  const suggesting = `${filesPath(repository, pull.number, state, "", { file: change.index, on, suggest: "true" })}#write`;
  return (
    <div class="write" id="write" data-line={line}>
      <h3>{line === 0 ? texts.fileTitle : texts.write(startLine, line)}</h3>
      <Form
        action={filesPath(repository, pull.number, state, "/comments")}
        formToken={formToken}
        name={`write-${change.index}-${side}-${line}`}
        isOnce
        hidden={{
          head: pull.headOid,
          file: String(change.index),
          path: side === "old" ? (change.file.oldPath ?? change.file.path) : change.file.path,
          side,
          line: String(line),
        }}
        problem={problemOfText(problem)}
      >
        {line > 1 && <Field name="start_line" label={texts.firstLine} value={String(startLine)} autocomplete="off" inputMode="numeric" />}
        <TextArea name="content" label={texts.text} rows={4} hint={forms.markdown} isMarkdown value={content} />
        <div class="bar">
          <button class="primary" type="submit" name="action" value="review">
            {hasPending ? texts.addToReview : texts.beginReview}
          </button>
          {!hasPending && (
            <button type="submit" name="action" value="now">
              {texts.commentNow}
            </button>
          )}
          {side === "new" && line > 0 && (
            <a class="suggest" href={suggesting}>
              {texts.suggest}
            </a>
          )}
          <a class="cancel" href={back}>
            {forms.cancel}
          </a>
        </div>
      </Form>
    </div>
  );
}
