import type { Explained } from "../../../../core/reasons.ts";
import { HunkLines } from "../../../../ui/diff.tsx";
import { problemOfText } from "../../../../ui/form-problems.tsx";
import { Form, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Rendered } from "../../../../ui/rendered.tsx";
import { Do } from "../../../../ui/rows.tsx";
import { fill } from "../../../../ui/texts/fill.ts";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import { issueTexts } from "../../issues/texts/texts.ts";
import { Person } from "../../issues/views/person.tsx";
import type { Thread, ThreadComment } from "../model.ts";
import { linesOfHunk, partsOf, suggestionOf } from "../suggestions.ts";
import { reviewTexts } from "../texts/texts.ts";
import { Suggested } from "./suggested.tsx";

/** Rights of a reader in conversations. */
export interface TalkProps {
  /** For the forms; undefined: read-only. */
  readonly formToken: string | undefined;
  readonly canTalk: boolean;
  readonly canResolve: boolean;
  /** Address to reply to and resolve a conversation, by one of its comments. */
  readonly talkPath: (commentId: number) => string;
  /** Address to edit a comment; undefined if the reader cannot. */
  readonly editPath: (comment: ThreadComment) => string | undefined;
  /** Renders texts of comments. */
  readonly htmlOf: (text: string) => string;
  readonly refusedReply: RefusedReply | undefined;
  /** Address to commit suggestions; undefined if the reader cannot. */
  readonly applyPath: string | undefined;
  /** Whether the page has a form to commit several suggestions. */
  readonly isBatched: boolean;
  readonly now: number;
}

/** A rejected reply. */
export interface RefusedReply {
  readonly commentId: number;
  readonly content: string;
  readonly problem: Explained | string;
}

export interface ThreadProps extends TalkProps {
  readonly thread: Thread;
  /** Its lines are not on the page, or were removed: shows the original lines above it. */
  readonly isElsewhere?: boolean;
}

/** A conversation on lines. Collapsed if resolved. */
export function ThreadView(props: ThreadProps): Html {
  const texts = useTexts(reviewTexts);
  const { thread, isElsewhere, refusedReply } = props;
  const { first, comments } = thread;
  const content = [
    isElsewhere && (
      <p class="soft">
        {first.present === undefined ? texts.outdated : first.present.line === 0 ? texts.wholeFile : texts.lines(first.present.startLine, first.present.line)}
      </p>
    ),
    isElsewhere && first.hunk !== "" && <HunkLines hunk={first.hunk} />,
    comments.map((comment) => <Comment {...props} comment={comment} />),
    <Answering {...props} />,
  ];
  if (first.resolver === undefined) return <div class="thread">{content}</div>;
  const isRequested = comments.some(({ id }) => id === refusedReply?.commentId);
  return (
    <details class="thread" open={isRequested}>
      <summary>
        {texts.resolved}
        {" · "}
        {texts.resolvedBy(first.resolver.name)}
      </summary>
      {content}
    </details>
  );
}

function Comment({ comment, htmlOf, editPath, applyPath, isBatched, formToken, now }: ThreadProps & { readonly comment: ThreadComment }): Html {
  const texts = useTexts(reviewTexts);
  const issues = useTexts(issueTexts);
  const { forms } = useTexts(sharedTexts);
  const { id, poster, createdMs, content, isDraft, present, path, side, hunk, startLine, line } = comment;
  const editing = editPath(comment);
  const applies = applyPath !== undefined && formToken !== undefined && isApplicable(comment);
  return (
    <article
      class="review-comment"
      id={`issuecomment-${id}`}
      {...(editing !== undefined && { "data-tasks": tasksPath(editing), "data-version": comment.contentVersion })}
    >
      <p class="soft">
        <strong>
          <Person user={poster} formerName={comment.originalAuthor} avatarSize={20} />
        </strong>{" "}
        <a href={`#issuecomment-${id}`}>{fill<Html>(issues.commented, { when: <Ago ms={createdMs} now={now} /> })}</a>
        {isDraft && (
          <>
            {" "}
            <span class="badge">{texts.draft}</span>
          </>
        )}
        {editing !== undefined && (
          <>
            {" "}
            <a class="edit" href={editing} aria-label={`${forms.edit}: ${issues.comment}`}>
              {forms.edit}
            </a>
          </>
        )}
      </p>
      {partsOf(content).map((part) =>
        part.kind === "text" ? (
          <div data-offset={part.offset}>
            <Rendered html={htmlOf(part.text)} />
          </div>
        ) : (
          <Suggested
            path={present?.path ?? path}
            before={linesOfHunk(hunk, side, line - startLine + 1)}
            after={part.lines}
            startLine={present?.startLine ?? startLine}
          >
            {applies && <Applying id={id} applyPath={applyPath} isBatched={isBatched} formToken={formToken} />}
          </Suggested>
        ),
      )}
    </article>
  );
}

/** The address that ticks task items, beside the form to edit the comment. */
const tasksPath = (editing: string): string => editing.replace(/\/edit(?:\?.*)?$/, "/tasks");

/** Whether the suggestion of a comment can be applied. */
export const isApplicable = ({ side, present, resolver, isDraft, content }: ThreadComment): boolean =>
  side === "new" && present !== undefined && resolver === undefined && !isDraft && suggestionOf(content) !== undefined;

/** Id of the form that commits several suggestions. */
export const batchId = "suggestions";

interface ApplyingProps {
  readonly id: number;
  readonly applyPath: string;
  readonly isBatched: boolean;
  readonly formToken: string;
}

/** Commits the suggestion, or selects it for a batch. */
function Applying({ id, applyPath, isBatched, formToken }: ApplyingProps): Html {
  const texts = useTexts(reviewTexts);
  return (
    <>
      {isBatched && (
        <span class="check">
          <input type="checkbox" id={`choose-${id}`} name="ids" value={id} form={batchId} />
          <label for={`choose-${id}`}>{texts.choose}</label>
        </span>
      )}
      <Do action={applyPath} formToken={formToken} label={texts.apply} of={texts.suggestion} hidden={{ ids: String(id), title: "" }} />
    </>
  );
}

function Answering({ thread, formToken, canTalk, canResolve, talkPath, refusedReply }: ThreadProps): Html {
  const texts = useTexts(reviewTexts);
  const { forms } = useTexts(sharedTexts);
  const { first, comments } = thread;
  if (formToken === undefined) return null;
  const action = talkPath(first.id);
  const refused = comments.some(({ id }) => id === refusedReply?.commentId) ? refusedReply : undefined;
  return (
    <div class="bar">
      {canTalk && (
        <details open={refused !== undefined} class="reply">
          <summary>{texts.reply}</summary>
          <Form action={action} formToken={formToken} name={`reply-${first.id}`} isOnce hidden={{ action: "reply" }} problem={problemOfText(refused?.problem)}>
            <TextArea name="content" label={texts.text} rows={3} hint={forms.markdown} isMarkdown value={refused?.content ?? ""} />
            <Submit label={texts.sendReply} />
          </Form>
        </details>
      )}
      {canResolve && !first.isDraft && <Resolving action={action} formToken={formToken} isResolved={first.resolver !== undefined} of={first.path} />}
    </div>
  );
}

interface ResolvingProps {
  readonly action: string;
  readonly formToken: string;
  readonly isResolved: boolean;
  readonly of: string;
}

function Resolving({ action, formToken, isResolved, of }: ResolvingProps): Html {
  const texts = useTexts(reviewTexts);
  return (
    <Do
      action={action}
      formToken={formToken}
      of={of}
      label={isResolved ? texts.unresolve : texts.resolve}
      hidden={{ action: isResolved ? "unresolve" : "resolve", content: "" }}
    />
  );
}
