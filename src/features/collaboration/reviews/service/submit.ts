import { isSelf, type UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid } from "../../../../core/errors.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { isAncestor } from "../../../../git/history/log.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { teamIdsOf } from "../../../organizations/teams/service/load.ts";
import { loadApprovers } from "../../../repositories/protections/service/approvers.ts";
import { addEntries, noteActivity, publishEntries, publishText, requireCanComment } from "../../issues/conversation/service/entries.ts";
import { checkContent } from "../../issues/service/texts.ts";
import type { FoundPull } from "../../pulls/model.ts";
import { findPull } from "../../pulls/service/find.ts";
import { storeWithHead } from "../../pulls/service/heads.ts";
import type { ReviewInput, ReviewView } from "../model.ts";
import { insertReviewComments, listCommentsOf, listConversations, type NewReviewComment } from "../store/comments.ts";
import { deleteRequestsOf, deleteReviews, insertReview, listRequestedTeams, listReviewsOf, supersede, updateReview } from "../store/reviews.ts";
import { type Conversation, conversationsAt } from "./conversations.ts";
import { getReviewById, type ReviewDeps, type ReviewPath, requireReview } from "./find.ts";
import { type PlacedLine, placeLines } from "./lines.ts";
import { endsOf, type PullEnds } from "./pull-ends.ts";

const maxComments = 200;
/** Maximum number of lines of one comment. */
const maxLines = 100;
const maxPathLength = 4_096;

/**
 * Reviews a pull request, or starts a pending review. A user has one pending review per pull request: further comments are added to
 * it.
 * @throws ForgeError `not_found`, `invalid`; `forbidden` on a locked pull request, and for users blocked by its owner or author
 */
export async function createReview(deps: ReviewDeps, actor: UserActor, repository: RepositorySubject, number: string, input: ReviewInput): Promise<ReviewView> {
  const pull = await findPull(deps, repository, number);
  requireSayable(actor, pull, input, input.comments.length > 0 || (input.countsSaved === true && (await hasSavedComments(deps.db, actor, pull))));
  checkComments(input.comments);
  const store = await storeWithHead(deps, repository, pull);
  const commitOid = await namedCommit(store, pull, input);
  const placed = await placeComments(deps, store, actor, pull, input.comments);
  const id = await deps.db.tx(async (tx) => {
    const now = await findPull({ db: tx }, repository, number);
    await requireCanComment(tx, actor, repository, now.issue);
    const reviewId = await openPending(tx, actor, now, { content: input.content, commitOid });
    await addDrafts(tx, actor, now, reviewId, placed);
    const { kind, content } = input;
    if (kind !== "pending") await submit(tx, actor, repository, now, { id: reviewId, kind, content, commitOid, seenOid: pull.headOid });
    return reviewId;
  });
  return getReviewById(deps, repository, pull.number, id);
}

/**
 * Submits a pending review.
 * @throws ForgeError `not_found` for another user's, `invalid` if already submitted and as {@link createReview}
 */
export async function submitReview(
  deps: ReviewDeps,
  actor: UserActor,
  repository: RepositorySubject,
  path: ReviewPath,
  input: Pick<ReviewInput, "kind" | "event" | "content">,
): Promise<ReviewView> {
  const { number, id } = await deps.db.tx(async (tx) => {
    const { pull, review } = await requireReview({ db: tx }, actor, repository, path);
    if (review.kind !== "pending") throw invalid("only a pending review can be submitted", { reason: "changed_meanwhile" });
    requireSayable(actor, pull, input, review.commentsCount > 0);
    const { kind, content } = input;
    if (kind === "pending") throw invalid("review stay pending");
    await requireCanComment(tx, actor, repository, pull.issue);
    await submit(tx, actor, repository, pull, { id: review.id, kind, content, commitOid: review.commitOid, seenOid: review.seenOid });
    return { number: pull.number, id: review.id };
  });
  return getReviewById(deps, repository, number, id);
}

/** @throws ForgeError `invalid` for a verdict by the author or on a closed pull request, and for an empty review */
function requireSayable(
  actor: UserActor,
  pull: FoundPull,
  { kind, event, content }: Pick<ReviewInput, "kind" | "event" | "content">,
  hasComments: boolean,
): void {
  checkContent(content);
  const isVerdict = kind === "approve" || kind === "reject";
  if (isVerdict && pull.issue.posterId !== null && isSelf(actor, pull.issue.posterId)) {
    throw invalid(`${kind === "approve" ? "approve" : "reject"} your own pull is not allowed`, { reason: "own_review" });
  }
  if (isVerdict && pull.isClosed) throw invalid("can't submit review for a closed or merged PR", { reason: "pull_closed" });
  if (content.trim() !== "" || kind === "approve") return;
  if (kind !== "comment") throw invalid(`review event ${event} requires a body`, { reason: "review_text_required" });
  if (!hasComments) throw invalid(`review event ${event} requires a body or a comment`, { reason: "review_text_required" });
}

/** @param files whether line 0 stands for the whole file */
export function checkComments(comments: ReviewInput["comments"], files: "no-files" | "files" = "no-files"): void {
  if (comments.length > maxComments)
    throw invalid(`comments: a review can have at most ${maxComments} at once`, { reason: { code: "too_many_items", max: maxComments } });
  for (const { path, startLine, line, content } of comments) {
    checkContent(content);
    if (path === "" || path.length > maxPathLength || path.includes("\0")) throw invalid("comments: path: a file name is required");
    if (files === "files" && line === 0 && startLine === 0) continue;
    if (!Number.isSafeInteger(line) || line < 1) throw invalid("comments: a line, from 1, is required as new_position or old_position");
    if (!Number.isSafeInteger(startLine) || startLine < 1 || startLine > line) throw invalid("comments: start_position: must be a line from 1 to the position");
    if (line - startLine >= maxLines) throw invalid(`comments: a comment can span at most ${maxLines} lines`);
  }
}

/**
 * The commit that a review names. A verdict must name a commit of the pull request, so that no later commits are approved in
 * advance.
 * @compat a comment can name any commit (reviews/api/reviews.test.ts)
 */
async function namedCommit(store: GitStore, pull: FoundPull, { kind, commitOid }: ReviewInput): Promise<Oid> {
  if (commitOid === "" || commitOid === pull.headOid) return pull.headOid;
  const isComplete = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commitOid) && commitOid.length === pull.headOid.length;
  if (!isComplete) throw invalid("commit_id: a full commit id is required");
  const isVerdict = kind === "approve" || kind === "reject";
  if (isVerdict && !(await isAncestor(store, commitOid, pull.headOid).catch(() => false))) throw invalid("commit_id: not a commit of the pull request");
  return commitOid;
}

/** A comment with the stored data of its line, and the conversation that it continues. */
export interface PlacedComment extends PlacedLine {
  readonly content: string;
  /** Undefined: it starts a conversation. */
  readonly thread: Conversation | undefined;
}

/** @param partEnds of the part of the changes whose lines they are about; if omitted, of all changes */
export async function placeComments(
  deps: ReviewDeps,
  store: GitStore,
  actor: UserActor,
  pull: FoundPull,
  comments: ReviewInput["comments"],
  partEnds?: PullEnds,
): Promise<readonly PlacedComment[]> {
  if (comments.length === 0) return [];
  const ends = partEnds ?? (await endsOf(store, pull));
  const lines = await placeLines(store, ends, comments);
  const conversations = await conversationsAt(store, ends, lines, await listConversations(deps.db, pull.issueId, actor.id));
  return lines.map((line, index) => ({ ...line, content: comments[index]?.content ?? "", thread: conversations[index] }));
}

/** The caller's pending review, created if there is none. */
async function hasSavedComments(db: Reader, actor: UserActor, pull: FoundPull): Promise<boolean> {
  const pending = (await listReviewsOf(db, pull.issueId, [actor.id])).find(({ kind }) => kind === "pending");
  return pending !== undefined && (await listCommentsOf(db, pending.id)).length > 0;
}

async function openPending(
  tx: Tx,
  actor: UserActor,
  pull: FoundPull,
  { content, commitOid }: { readonly content: string; readonly commitOid: Oid },
): Promise<number> {
  const pending = (await listReviewsOf(tx, pull.issueId, [actor.id])).find(({ kind }) => kind === "pending");
  if (pending === undefined) {
    const { issueId, headOid: seenOid, baseBranch } = pull;
    return insertReview(tx, { issueId, kind: "pending", reviewerId: actor.id, content, commitOid, seenOid, baseBranch, isOfficial: false });
  }
  await updateReview(tx, pending.id, { content, commit_oid: commitOid, seen_oid: pull.headOid, base_branch: pull.baseBranch });
  return pending.id;
}

/** @returns the ids of the comments */
export async function addDrafts(tx: Tx, actor: UserActor, pull: FoundPull, reviewId: number, comments: readonly PlacedComment[]): Promise<readonly number[]> {
  const { issueId, repoId } = pull;
  const ids = await addEntries(
    tx,
    comments.map(({ content }) => ({ issueId, repoId, kind: "code_draft", posterId: actor.id, content })),
  );
  const begun = new Map<string, number>();
  const rows = comments.flatMap(({ thread, ...place }, index): NewReviewComment[] => {
    const id = ids[index];
    if (id === undefined) return [];
    const key = `${place.side} ${place.line} ${place.path}`;
    const threadId = thread?.threadId ?? begun.get(key) ?? id;
    begun.set(key, threadId);
    return [{ ...place, id, reviewId, issueId, threadId, resolverId: thread?.resolverId ?? null }];
  });
  await insertReviewComments(tx, rows);
  return ids;
}

export interface Submission {
  readonly id: number;
  readonly kind: "approve" | "reject" | "comment";
  readonly content: string;
  readonly commitOid: Oid;
  /** Head that the reviewer saw. */
  readonly seenOid: Oid;
  /** A comment instead of a review: a review request of its author stays pending. */
  readonly isRemark?: true;
}

/** Publishes a pending review; its verdict supersedes earlier ones. */
export async function submit(tx: Tx, actor: UserActor, repository: RepositorySubject, pull: FoundPull, review: Submission): Promise<void> {
  const { id, kind, content, commitOid } = review;
  const { issue, issueId, repoId } = pull;
  const isVerdict = kind !== "comment";
  const approvers = isVerdict ? await loadApprovers(tx, repoId, pull.baseBranch) : undefined;
  if (isVerdict) await supersede(tx, issueId, [actor.id], "dismissed");
  if (review.isRemark === undefined) await deleteRequestsOf(tx, issueId, actor.id);
  if (isVerdict) await answerTeamRequests(tx, actor, repository, issueId);
  const [entryId = null] = await addEntries(tx, [{ issueId, repoId, kind: "review", posterId: actor.id, content, payload: { reviewId: id } }]);
  const drafts = await listCommentsOf(tx, id);
  await publishEntries(
    tx,
    drafts.map((draft) => draft.id),
  );
  await updateReview(tx, id, {
    kind,
    content,
    commit_oid: commitOid,
    seen_oid: isVerdict ? commitOid : review.seenOid,
    base_branch: pull.baseBranch,
    is_official: approvers?.isOfficial({ id: actor.id, right: repository.right }) === true ? 1 : 0,
    entry_id: entryId,
    created_ms: tx.nowMs,
  });
  const mentioned = new Set<number>();
  for (const text of [{ id: entryId, content }, ...drafts]) {
    if (text.id === null) continue;
    for (const accountId of await publishText(tx, actor, repository, { issue, entryId: text.id, text: text.content })) mentioned.add(accountId);
  }
  // @compat a review counts as a comment, and so does each of its comments on lines (reviews/api/reviews.test.ts)
  await noteActivity(tx, issueId, 1 + drafts.length);
  const { number, title } = issue;
  const event = { repoId, issueId, number, isPull: true, title, reviewId: id, kind, commentId: entryId, content, mentionedIds: [...mentioned] } as const;
  await recordEvent(tx, "review.submitted", event, { repoId, actorId: actor.id });
}

/** A member's verdict answers requests to their teams. */
async function answerTeamRequests(tx: Tx, actor: UserActor, repository: RepositorySubject, issueId: number): Promise<void> {
  if (repository.ownerKind !== "organization") return;
  const requests = await listRequestedTeams(tx, issueId);
  if (requests.length === 0) return;
  const own = await teamIdsOf({ db: tx }, repository.ownerId, actor.id);
  await deleteReviews(
    tx,
    requests.filter(({ teamId }) => own.has(teamId)).map(({ id }) => id),
  );
}
