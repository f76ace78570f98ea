import { isSelf, type UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, invalid, notFound } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import type { Tx } from "../../../../db/db.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { requireCanComment } from "../../issues/conversation/service/entries.ts";
import type { FoundPull } from "../../pulls/model.ts";
import { walkPullCommits } from "../../pulls/service/changes.ts";
import { findPull } from "../../pulls/service/find.ts";
import { storeWithHead } from "../../pulls/service/heads.ts";
import type { LineRange } from "../model.ts";
import { listCommentsById } from "../store/comments.ts";
import { insertReview, listReviewsOf } from "../store/reviews.ts";
import type { ReviewDeps } from "./find.ts";
import { endsOf, type PullEnds } from "./pull-ends.ts";
import { endsOfRange, rangeNamed } from "./ranges.ts";
import { addDrafts, checkComments, type PlacedComment, placeComments, submit } from "./submit.ts";

export interface LineComment extends LineRange {
  readonly content: string;
  /** Head that the author saw. */
  readonly seenOid: Oid;
  /** Adds the comment to the author's pending review; otherwise it is visible immediately, apart from any pending review. */
  readonly isPending: boolean;
  /** Lines of some commits, as in the address of their page; if omitted, of all changes. */
  readonly range?: string | undefined;
}

/**
 * Comments on lines of a pull request.
 * @returns the comment's id
 * @throws ForgeError `not_found`, `invalid`; `conflict` if the head has moved since the author saw it, or no longer has the commits of the
 * range; `forbidden` as `createReview`
 */
export async function commentOnLines(deps: ReviewDeps, actor: UserActor, repository: RepositorySubject, number: string, comment: LineComment): Promise<number> {
  const pull = await findPull(deps, repository, number);
  requireText(comment.content);
  checkComments([comment], "files");
  const store = await storeWithHead(deps, repository, pull);
  // The lines of a commit never change.
  if (comment.range === undefined && comment.seenOid !== pull.headOid) throw headMoved();
  const ends = comment.range === undefined ? undefined : await endsOfCommits(store, pull, comment.range);
  const placed = await placeComments(deps, store, actor, pull, [comment], ends);
  return deps.db.tx(async (tx) => {
    const now = await findPull({ db: tx }, repository, number);
    if (now.headOid !== pull.headOid) throw headMoved();
    return say(tx, actor, repository, now, placed, comment.isPending);
  });
}

async function endsOfCommits(store: GitStore, pull: FoundPull, text: string): Promise<PullEnds> {
  const { headOid, mergeBaseOid } = await endsOf(store, pull);
  const range = rangeNamed(await walkPullCommits({ store, fromOid: mergeBaseOid, toOid: headOid }), text);
  if (range === undefined) throw headMoved();
  return endsOfRange(range);
}

const headMoved = () => conflict("the head branch has moved meanwhile: the lines may have changed", { reason: "head_moved" });

/**
 * Replies in a conversation on lines, at its current lines.
 * @returns the comment's id
 * @throws ForgeError `not_found` if the caller cannot see it, `invalid`, `forbidden` as `createReview`
 */
export async function replyTo(
  deps: ReviewDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { number, id }: { readonly number: string; readonly id: string },
  content: string,
): Promise<number> {
  requireText(content);
  return deps.db.tx(async (tx) => {
    const pull = await findPull({ db: tx }, repository, number);
    const [found] = await listCommentsById(tx, pull.issueId, [readId(id)]);
    if (found === undefined || (found.isDraft && (found.posterId === null || !isSelf(actor, found.posterId)))) throw notFound();
    const { path, side, startLine, line, writtenOid, commitOid, hunk, threadId, resolverId } = found;
    const place = { path, side, startLine, line, writtenOid, commitOid, hunk };
    checkComments([{ ...place, content }], "files");
    // A reply to a draft stays pending with it.
    return say(tx, actor, repository, pull, [{ ...place, content, thread: { threadId, resolverId } }], found.isDraft);
  });
}

function requireText(content: string): void {
  if (content.trim() === "") throw invalid("[Content]: Required", { reason: "comment_required" });
}

async function say(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  pull: FoundPull,
  comments: readonly PlacedComment[],
  isPending: boolean,
): Promise<number> {
  await requireCanComment(tx, actor, repository, pull.issue);
  const { issueId, headOid, baseBranch } = pull;
  const row = { issueId, reviewerId: actor.id, content: "", commitOid: headOid, seenOid: headOid, baseBranch, isOfficial: false } as const;
  const pending = isPending ? (await listReviewsOf(tx, issueId, [actor.id])).find(({ kind }) => kind === "pending") : undefined;
  const reviewId = pending?.id ?? (await insertReview(tx, { ...row, kind: isPending ? "pending" : "comment" }));
  const [id] = await addDrafts(tx, actor, pull, reviewId, comments);
  if (id === undefined) throw new Error("an inserted comment has an id");
  if (!isPending)
    await submit(tx, actor, repository, pull, { id: reviewId, kind: "comment", content: "", commitOid: headOid, seenOid: headOid, isRemark: true });
  return id;
}
