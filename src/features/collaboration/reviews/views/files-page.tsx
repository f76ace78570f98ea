import type { Explained } from "../../../../core/reasons.ts";
import type { Commit } from "../../../../git/types.ts";
import { comparePath, pullPath } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import { Refusal } from "../../../../ui/form-problems.tsx";
import { OptionalField, Submit } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { FormToken } from "../../../../ui/page.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { FilesPiece } from "../../../repositories/diffs/file-piece.ts";
import { Changes, DiffBar } from "../../../repositories/diffs/views/changes.tsx";
import { mergeTexts } from "../../pulls/texts/texts.ts";
import type { Thread } from "../model.ts";
import type { CommitRange } from "../service/ranges.ts";
import { reviewTexts } from "../texts/texts.ts";
import { type ChangeProps, FileChange, type Writing } from "./file-change.tsx";
import { type FilesState, filesPath } from "./files-address.ts";
import { RangeMenu } from "./range-menu.tsx";
import { type RefusedReview, ReviewForm } from "./review-form.tsx";
import { batchId, isApplicable } from "./thread.tsx";

export interface FilesPageProps extends Omit<ChangeProps, "change" | "threads" | "viewedKey" | "isViewed" | "hasPending" | "writing"> {
  readonly state: FilesState;
  readonly threads: readonly Thread[];
  /** Of all files, in order. */
  readonly viewedKeys: readonly string[];
  readonly viewed: ReadonlySet<string>;
  readonly writing: Writing | undefined;
  /** The commits of the pull request, newest first. */
  readonly commits: readonly Commit[];
  /** The shown commits; undefined: all. */
  readonly part: CommitRange | undefined;
  /** The reader has submitted a review. */
  readonly hasReviewed: boolean;
  readonly drafts: number | undefined;
  readonly canEvaluate: boolean;
  readonly refusedReview: RefusedReview | undefined;
  /** Suggestions that could not be committed. */
  readonly refusedSuggestions: { readonly title: string; readonly problem: Explained | string } | undefined;
}

/** The changes of a pull request, with comments and the review form. */
export function FilesPage(props: FilesPageProps): Html {
  const texts = useTexts(reviewTexts);
  const { repository, pull, piece, part } = props;
  const text = part === undefined ? `${pullPath(repository, pull.number)}.diff` : `${comparePath(repository, `${part.fromOid ?? ""}..${part.toOid}`)}.diff`;
  if (piece.fileCount === 0 && part === undefined) return <Empty icon="file-code" title={texts.noFiles} />;
  return (
    <>
      <Bar {...props} />
      {part === undefined ? (
        <Batch {...props} />
      ) : (
        <p class="notice">
          {texts.partOnly} <a href={`${pullPath(repository, pull.number)}/files`}>{texts.viewAll}</a>
        </p>
      )}
      <Changes {...props} textAddress={text} markOf={markIn(props)} boxOf={(change) => <Change {...props} change={change} />} />
    </>
  );
}

function Bar(props: FilesPageProps): Html {
  const texts = useTexts(reviewTexts);
  const { repository, pull, piece, viewed, viewedKeys, commits, part, hasReviewed, formToken } = props;
  const seen = viewedKeys.filter((key) => viewed.has(key)).length;
  const progress = part === undefined && (
    <span class="soft" data-viewed-count>
      {texts.viewedCount(seen, piece.files.length)}
    </span>
  );
  return (
    <DiffBar
      {...props}
      isSticky
      before={<RangeMenu repository={repository} number={pull.number} commits={commits} selected={part?.commits} hasReviewed={hasReviewed} />}
      after={<Reviewing {...props} />}
      {...(formToken !== undefined && { progress, styles: <LastingStyles {...props} formToken={formToken} /> })}
    />
  );
}

/** Switches between unified and split view; the account stores the choice. */
function LastingStyles({ repository, pull, state, isSplit, formToken }: FilesPageProps & { readonly formToken: string }): Html {
  const texts = useTexts(sharedTexts).diff;
  const styles = [
    ["unified", texts.unified],
    ["split", texts.split],
  ] as const;
  return (
    <form class="switch" method="post" action={filesPath(repository, pull.number, { ...state, style: "" }, "/style")} aria-label={texts.showing}>
      <FormToken value={formToken} />
      {styles.map(([style, word]) => (
        <button class="plain" type="submit" name="style" value={style} aria-pressed={isSplit === (style === "split")}>
          {word}
        </button>
      ))}
    </form>
  );
}

function Reviewing(props: FilesPageProps): Html {
  const { formToken, canTalk, refusedReview } = props;
  return formToken !== undefined && canTalk && <ReviewForm {...props} formToken={formToken} refused={refusedReview} />;
}

/** Form that commits the suggestions selected on the page. */
function Batch({ applyPath, formToken, threads, refusedSuggestions: refused }: FilesPageProps): Html {
  const texts = useTexts(reviewTexts);
  const merging = useTexts(mergeTexts);
  const count = threads.flatMap(({ comments }) => comments).filter(isApplicable).length;
  if (applyPath === undefined || formToken === undefined) return null;
  if (count === 0) return refused !== undefined && <Refusal problem={refused.problem} />;
  return (
    <details class="box within-diff" open={refused !== undefined}>
      <summary>{texts.suggestions(count)}</summary>
      {refused !== undefined && <Refusal problem={refused.problem} />}
      <p class="soft">{texts.batchHint}</p>
      <form id={batchId} class="stack" method="post" action={applyPath}>
        <FormToken value={formToken} />
        <OptionalField name="title" label={merging.messageTitle} value={refused?.title ?? ""} hint={merging.messageTitleHint} />
        <Submit label={texts.applyChosen} />
      </form>
    </details>
  );
}

/** Conversations of a file, by its name on their side. */
const threadsOf = (threads: readonly Thread[], { path, oldPath }: FilesPiece["files"][number]): readonly Thread[] =>
  threads.filter(({ first }) => (first.present?.path ?? first.path) === (first.side === "old" ? (oldPath ?? path) : path));

/** Markers of files in the tree. */
function markIn({ piece, threads, viewed, viewedKeys }: FilesPageProps) {
  const talks = Map.groupBy(threads, ({ first }) => first.present?.path ?? first.path);
  const talksOn = (path: string | undefined): number => (path === undefined ? 0 : (talks.get(path)?.length ?? 0));
  return (index: number) => {
    const { path, oldPath } = piece.files[index] ?? {};
    return { isViewed: viewed.has(viewedKeys[index] ?? ""), talks: talksOn(path) + talksOn(oldPath) };
  };
}

function Change(props: FilesPageProps & Pick<ChangeProps, "change">): Html {
  const { change, piece, part, viewed, viewedKeys, threads, writing, drafts } = props;
  const viewedKey = viewedKeys[change.index] ?? "";
  return (
    <FileChange
      {...props}
      threads={threadsOf(threads, change.file)}
      viewedKey={part === undefined ? viewedKey : undefined}
      isViewed={part === undefined && viewed.has(viewedKey) && !piece.isAlone}
      writing={writing?.index === change.index ? writing : undefined}
      hasPending={drafts !== undefined}
    />
  );
}
