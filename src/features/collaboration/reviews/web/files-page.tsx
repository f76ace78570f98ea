import { type Actor, isUser } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { type ForgeError, isForgeError, notFound } from "../../../../core/errors.ts";
import type { Explained } from "../../../../core/reasons.ts";
import type { Commit } from "../../../../git/types.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { diffFileQuery } from "../../../../http/diff-query.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { query } from "../../../../http/query.ts";
import { showsSplit } from "../../../../ui/diff.tsx";
import type { Html } from "../../../../ui/html.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { SlowPart, streamPage } from "../../../../ui/slow-part.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import type { ChangeDeps } from "../../../repositories/contents/service/change.ts";
import type { FilesPiece } from "../../../repositories/diffs/file-piece.ts";
import { type PieceDeps, readPiece } from "../../../repositories/diffs/service/diff-windows.ts";
import { readGaps } from "../../../repositories/diffs/views/looking.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import { type RepositoryTextDeps, renderTexts } from "../../../site/markup/repository-texts.ts";
import type { PullView } from "../../pulls/model.ts";
import { countedCommits, type PullRange, rangeOf, walkPullCommits } from "../../pulls/service/changes.ts";
import type { PullDeps } from "../../pulls/service/deps.ts";
import { getPull } from "../../pulls/service/find.ts";
import { pullTexts } from "../../pulls/texts/texts.ts";
import { PullFrame } from "../../pulls/views/frame.tsx";
import { type CommitRange, endsOfRange, rangeNamed } from "../service/ranges.ts";
import { listThreads, readOwnProgress } from "../service/threads.ts";
import { viewedKeyOf } from "../service/viewed.ts";
import { reviewTexts } from "../texts/texts.ts";
import type { Writing } from "../views/file-change.tsx";
import { type FilesState, filesPath, readFilesState } from "../views/files-address.ts";
import { FilesPage } from "../views/files-page.tsx";
import type { RefusedReview } from "../views/review-form.tsx";
import type { RefusedReply } from "../views/thread.tsx";
import { editPaths, isPosterOf, talkRights, writtenIn } from "./talk.ts";

export type FilesPageDeps = PieceDeps & PullDeps & RepositoryTextDeps & ChangeDeps;

export interface FilesRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly session: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly signal: AbortSignal;
  readonly params: { readonly index: string };
}

/** State of the page: view, rejected input. */
export interface FilesShown {
  readonly state: FilesState;
  /** A single file, by its position. */
  readonly only?: number | undefined;
  readonly gaps?: ReadonlySet<number>;
  /** Shows the page of the changes with this comment. */
  readonly commentId?: number | undefined;
  readonly writing?: Omit<Writing, "content"> & { readonly content: string | "suggestion" | undefined };
  readonly refusedReview?: RefusedReview;
  readonly refusedReply?: RefusedReply;
  readonly refusedSuggestions?: { readonly commentIds: readonly number[]; readonly title: string; readonly problem: Explained | string };
  readonly status?: number;
}

export const shownFilesQuery = {
  ...diffFileQuery,
  on: query.text("Opens a comment form at these lines: `new-12`, `old-3-5`"),
  comment: query.integer("Shows the part of the changes with this comment"),
  suggest: query.bool("Starts the comment with the present lines as a suggestion"),
} as const;

type ShownFilesQuery = Parameters<typeof readFilesState>[0] & {
  readonly file: number | undefined;
  readonly gap: readonly string[];
  readonly on: string | undefined;
  readonly comment: number | undefined;
  readonly suggest: boolean | undefined;
};

/** The state of the page by its address. */
export function shownFiles(query: ShownFilesQuery): FilesShown {
  const writing = query.file === undefined ? undefined : readPlace(query.file, query.on);
  return {
    state: readFilesState(query),
    only: query.file,
    gaps: readGaps(query.gap),
    commentId: query.comment,
    ...(writing && { writing: { ...writing, content: query.suggest === true && writing.side === "new" ? undefined : "" } }),
  };
}

function readPlace(index: number, on: string | undefined) {
  const [, side, first = "", last = first] = /^(old|new)-(\d{1,9})(?:-(\d{1,9}))?$/.exec(on ?? "") ?? [];
  return side === undefined ? undefined : { index, side: side as "old" | "new", startLine: Number(first), line: Number(last) };
}

/** Errors shown on the same page; all others get an error page. */
export const isRefusal = (error: unknown): error is ForgeError =>
  (["invalid", "conflict", "refused", "stale"] as const).some((code) => isForgeError(error, code));
export const statusOf = (error: ForgeError): number => (error.code === "conflict" ? 409 : 422);

/** The text of an error: the page's own if it is more specific than the reason. */
export const explain = (languages: readonly string[], error: ForgeError): Explained | string =>
  error.code === "conflict" && (error.reason === undefined || error.reason === "head_moved") ? textsFor(reviewTexts, languages).headMoved : error;

/** The page with the changes of a pull request, or of some of its commits. @throws ForgeError `not_found` for commits of no such range */
export async function filesPage(deps: FilesPageDeps, request: FilesRequest, wanted: FilesShown): Promise<RawReply> {
  const { actor, repository, signal } = request;
  const pull = await getPull(deps, { actor, repository, signal }, request.params.index);
  const range = await rangeOf(deps, { actor, repository, signal }, pull);
  const commits = await walkPullCommits(range);
  const part = wanted.state.range === undefined ? undefined : rangeNamed(commits, wanted.state.range);
  if (wanted.state.range !== undefined && part === undefined) throw notFound();
  const view = pull.baseRepository ?? (await getRepository(deps, actor, repository.id));
  const reader = pageReader(request);
  const kind = part === undefined ? textsFor(pullTexts, reader.languages).files : textsFor(reviewTexts, reader.languages).commitRange;
  const title = `${kind} · ${titleOf(pull)}`;
  const props = { ...reader, repository: repositoryHeader(view), tab: "pulls", title, heading: null, status: wanted.status ?? 200 } as const;
  const frame = <PullFrame repository={repository} pull={pull} part="files" commitsCount={countedCommits(commits)} now={deps.clock.now()} />;
  const changes = (): Promise<Html> => changesOf(deps, request, { ...wanted, pull, range, part, commits, formToken: reader.viewer?.formToken });
  // Whether a single file exists is only known once the changes are loaded. A rejected form must not be answered with a late error.
  const waits = wanted.only !== undefined || wanted.status !== undefined;
  return streamPage(renderRepositoryPage(props, frame, <SlowPart />), reader.languages, waits ? await changes() : changes);
}

interface ChangesPart extends FilesShown {
  readonly pull: PullView;
  readonly range: PullRange;
  /** Some of its commits; undefined: all changes. */
  readonly part: CommitRange | undefined;
  readonly commits: readonly Commit[];
  readonly formToken: string | undefined;
}

/** A page of the changes with its conversations. */
async function changesOf(deps: FilesPageDeps, request: FilesRequest, wanted: ChangesPart): Promise<Html> {
  const { actor, repository, signal } = request;
  const { pull, range, part, formToken, only, gaps = new Set() } = wanted;
  const threads = await listThreads(deps, actor, repository, pull, part && endsOfRange(part));
  const looked = threads.find(({ comments }) => comments.some(({ id }) => id === wanted.commentId))?.first;
  const fields = { ...wanted.state, withPath: looked?.present?.path ?? looked?.path, only, gaps, signal };
  const piece = await readPiece(deps, { ...range, ...(part && { fromOid: part.fromOid, toOid: part.toOid }), ...fields });
  const state = { ...wanted.state, list: piece.list, piece: piece.piece };
  const { pending, reviewedOid, viewed } = await readOwnProgress(deps, actor, pull);
  const { canApply, ...rights } = await talkRights(deps, actor, repository, pull, threads.length > 0);
  return (
    <FilesPage
      repository={repository}
      pull={pull}
      piece={piece}
      state={state}
      address={(to, more) => filesPath(repository, pull.number, { ...to, range: state.range }, "", more)}
      isSplit={showsSplit(state.style, isUser(actor) ? actor.display : undefined)}
      gaps={gaps}
      threads={threads}
      viewed={viewed}
      viewedKeys={piece.files.map(viewedKeyOf)}
      commits={wanted.commits}
      part={part}
      hasReviewed={reviewedOid !== undefined}
      drafts={pending?.commentsCount}
      formToken={formToken}
      {...rights}
      applyPath={canApply && part === undefined ? filesPath(repository, pull.number, state, "/suggestions") : undefined}
      isBatched
      canEvaluate={!isPosterOf(actor, pull) && !pull.isClosed}
      talkPath={(id: number) => filesPath(repository, pull.number, state, `/comments/${id}`)}
      editPath={editPaths(actor, repository, pull, (id) => filesPath(repository, pull.number, state, `/comments/${id}/edit`))}
      htmlOf={await rendered(deps, actor, repository, writtenIn(threads))}
      writing={wanted.writing && { ...wanted.writing, content: wanted.writing.content ?? suggestionFor(piece, wanted.writing) }}
      refusedReview={wanted.refusedReview}
      refusedReply={wanted.refusedReply}
      refusedSuggestions={wanted.refusedSuggestions}
      now={deps.clock.now()}
    />
  );
}

const titleOf = ({ issue, number }: PullView): string => `${issue.title} #${number}`;

/** Renders all texts of conversations together. */
async function rendered(deps: FilesPageDeps, actor: Actor, repository: RepositorySubject, written: readonly string[]): Promise<(text: string) => string> {
  const texts = [...new Set(written)];
  const html = await renderTexts(deps, actor, repository, texts);
  const known = new Map(texts.map((text, at) => [text, html[at] ?? ""]));
  return (text) => known.get(text) ?? "";
}

/** Initial text of a suggestion: the present lines, for the author to edit. */
function suggestionFor({ shown }: FilesPiece, { index, startLine, line }: Omit<Writing, "content">): string {
  const lines = shown
    .find((change) => change.index === index)
    ?.diff?.hunks.flatMap((hunk) => hunk.lines)
    .flatMap((one) => (one.kind !== "removed" && one.after >= startLine && one.after <= line ? one.text : []));
  return lines === undefined ? "" : `\`\`\`suggestion\n${lines.join("\n")}\n\`\`\`\n`;
}
