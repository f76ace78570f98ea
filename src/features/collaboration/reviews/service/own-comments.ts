import { isSelf, type UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, forbidden, invalid, notFound } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { deleteWritten, editComment } from "../../issues/conversation/service/comments.ts";
import { noteActivity, removeEntries, rewriteDraft } from "../../issues/conversation/service/entries.ts";
import { editsComment } from "../../issues/rights.ts";
import { checkContent } from "../../issues/service/texts.ts";
import type { FoundPull } from "../../pulls/model.ts";
import { findPull } from "../../pulls/service/find.ts";
import { findConversation, listCommentsById, type SeenComment } from "../store/comments.ts";
import { deleteReviews, findReviewRow } from "../store/reviews.ts";
import { withTask } from "../suggestions.ts";
import { reviewEventOf } from "./events.ts";

/** A comment on lines that the user can change. */
export interface OwnComment {
  readonly pull: FoundPull;
  readonly comment: SeenComment;
}

/**
 * Finds a comment on lines that the caller can change: their own, or any if they can write pull requests; a draft only by its
 * author.
 * @throws ForgeError `not_found`, also for another user's draft; `forbidden` for callers who are not the author and cannot write
 * pull requests
 */
export async function getOwnComment(deps: { readonly db: Reader }, actor: UserActor, repository: RepositorySubject, commentId: string): Promise<OwnComment> {
  const id = readId(commentId);
  const found = id === 0 ? undefined : await findConversation(deps.db, repository.id, id);
  if (found?.threadId === undefined) throw notFound();
  const pull = await findPull(deps, repository, found.number);
  const [comment] = await listCommentsById(deps.db, pull.issueId, [id]);
  const isAuthor = comment !== undefined && comment.posterId !== null && isSelf(actor, comment.posterId);
  if (comment === undefined || (comment.isDraft && !isAuthor)) throw notFound();
  if (!editsComment(actor, repository, { posterId: comment.posterId, issue: pull.issue }))
    throw forbidden("only its author and those who write pull requests may change a comment");
  return { pull, comment };
}

export interface LineCommentEdit {
  readonly content: string;
  /** Content version that the editor has seen; undefined: any. */
  readonly seenVersion: number | undefined;
}

/**
 * Edits a comment on lines: a published one keeps its former versions, a draft does not.
 * @throws ForgeError as {@link getOwnComment}; `invalid`; `conflict` if the text has changed
 */
export async function editLineComment(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  commentId: string,
  { content, seenVersion }: LineCommentEdit,
): Promise<OwnComment> {
  if (content.trim() === "") throw invalid("[Content]: Required", { reason: "comment_required" });
  checkContent(content);
  const isDraft = await deps.db.tx(async (tx) => {
    const { comment } = await getOwnComment({ db: tx }, actor, repository, commentId);
    if (!comment.isDraft) return false;
    if (seenVersion !== undefined && seenVersion !== comment.contentVersion) throw conflict("the comment is already changed", { reason: "changed_meanwhile" });
    if (content !== comment.content) await rewriteDraft(tx, comment.id, content);
    return true;
  });
  if (!isDraft) await editComment(deps, actor, repository, commentId, content, seenVersion);
  return getOwnComment(deps, actor, repository, commentId);
}

export interface TickedTask {
  /** As in {@link withTask}. */
  readonly position: number;
  readonly isDone: boolean;
  readonly seenVersion: number;
}

/**
 * Marks a task item of a comment on lines as done or open.
 * @returns the new version of the content
 * @throws ForgeError as {@link editLineComment}; `conflict` if the comment has changed, or has no task item there
 */
export async function tickTask(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  commentId: string,
  { position, isDone, seenVersion }: TickedTask,
): Promise<number> {
  const { comment } = await getOwnComment(deps, actor, repository, commentId);
  const content = comment.contentVersion === seenVersion ? withTask(comment.content, position, isDone) : undefined;
  if (content === undefined) throw conflict("the comment is already changed", { reason: "changed_meanwhile" });
  return (await editLineComment(deps, actor, repository, commentId, { content, seenVersion })).comment.contentVersion;
}

/**
 * Deletes a comment on lines, and its review if nothing else is left in it. Replies stay.
 * @returns the number of its pull request
 * @throws ForgeError as {@link getOwnComment}
 */
export async function removeLineComment(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, commentId: string): Promise<number> {
  return deps.db.tx(async (tx) => {
    const { pull, comment } = await getOwnComment({ db: tx }, actor, repository, commentId);
    if (comment.isDraft) await removeEntries(tx, [comment.id]);
    else await deleteWritten(tx, actor, pull.issue, comment);
    await removeIfEmpty(tx, actor, repository, pull, comment.reviewId);
    return pull.number;
  });
}

/** A verdict counts without text; any other review is deleted with its last comment. */
async function removeIfEmpty(tx: Tx, actor: UserActor, repository: RepositorySubject, pull: FoundPull, reviewId: number): Promise<void> {
  const review = await findReviewRow(tx, repository.id, reviewId);
  const isSilent = review !== undefined && review.commentsCount === 0 && review.content === "";
  if (!isSilent || (review.kind !== "pending" && review.kind !== "comment")) return;
  await deleteReviews(tx, [review.id]);
  if (review.anchorId !== null) await removeEntries(tx, [review.anchorId]);
  if (review.kind === "pending") return;
  await noteActivity(tx, pull.issueId, -1);
  await recordEvent(tx, "review.deleted", reviewEventOf(pull, review), { repoId: pull.repoId, actorId: actor.id });
}
