import { type Actor, isUser } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import type { Oid } from "../../../../git/types.ts";
import type { FoundPull } from "../../pulls/model.ts";
import { storeWithHead } from "../../pulls/service/heads.ts";
import type { PresentLines, ReviewCommentRow, ReviewRow, Thread } from "../model.ts";
import { listCommentsOfPull, type SeenComment } from "../store/comments.ts";
import { listReviewsOf } from "../store/reviews.ts";
import { listViewed } from "../store/viewed.ts";
import type { ReviewDeps } from "./find.ts";
import { followAll } from "./follow-lines.ts";
import { loadCommentViews, placeOf } from "./loaders.ts";
import { endsOf, type PullEnds } from "./pull-ends.ts";

/** Upper bound for a page. */
const maxComments = 1_000;

/**
 * The conversations on lines of a pull request for one viewer, at their current lines. At most four statements.
 * @param ends of a part of its changes, which shows only the conversations on its lines and files
 */
export async function listThreads(deps: ReviewDeps, actor: Actor, repository: RepositorySubject, pull: FoundPull, ends?: PullEnds): Promise<readonly Thread[]> {
  const threads = await loadThreads(deps, repository, pull, await listCommentsOfPull(deps.db, pull.issueId, viewerIdOf(actor), maxComments), ends);
  return ends === undefined ? threads : threads.filter(({ first }) => first.present !== undefined);
}

/** The viewer whose drafts are included; 0: none. */
export const viewerIdOf = (actor: Actor): number => (isUser(actor) ? actor.id : 0);

/** Groups comments into their conversations, at their current lines. */
export async function loadThreads(
  deps: ReviewDeps,
  repository: RepositorySubject,
  pull: FoundPull,
  rows: readonly SeenComment[],
  ends?: PullEnds,
): Promise<readonly Thread[]> {
  const present = await followNow(deps, repository, pull, rows, ends);
  const views = (await loadCommentViews(deps, placeOf(repository, pull), rows, present)).map((view, at) => ({ ...view, isDraft: rows[at]?.isDraft === true }));
  return [...Map.groupBy(views, ({ threadId }) => threadId).values()].flatMap((comments) =>
    comments[0] === undefined ? [] : { first: comments[0], comments },
  );
}

/** Current lines; none if the head was deleted with its fork before it was copied to the base. */
async function followNow(
  deps: ReviewDeps,
  repository: RepositorySubject,
  pull: FoundPull,
  comments: readonly ReviewCommentRow[],
  ends: PullEnds | undefined,
): Promise<readonly (PresentLines | undefined)[]> {
  if (comments.length === 0) return [];
  try {
    const store = await storeWithHead(deps, repository, pull);
    return await followAll(store, ends ?? (await endsOf(store, pull)), comments);
  } catch (error) {
    if (!isForgeError(error, "not_found") && !isForgeError(error, "invalid")) throw error;
    return comments.map(() => undefined);
  }
}

export interface OwnProgress {
  readonly pending: ReviewRow | undefined;
  /** The commit of the last submitted review. */
  readonly reviewedOid: Oid | undefined;
  readonly viewed: ReadonlySet<string>;
}

/** A user's unpublished state of a pull request: pending review and viewed files. Two statements, none for anonymous users. */
export async function readOwnProgress(deps: Pick<ReviewDeps, "db">, actor: Actor, pull: Pick<FoundPull, "issueId">): Promise<OwnProgress> {
  if (!isUser(actor)) return { pending: undefined, reviewedOid: undefined, viewed: new Set() };
  const reviews = await listReviewsOf(deps.db, pull.issueId, [actor.id]);
  const viewed = await listViewed(deps.db, { accountId: actor.id, issueId: pull.issueId });
  return { pending: reviews.find(({ kind }) => kind === "pending"), reviewedOid: lastReviewed(reviews), viewed: new Set(viewed) };
}

/** The number of comments of a user's unsubmitted review. One statement, none for anonymous users. */
export async function countDrafts(deps: Pick<ReviewDeps, "db">, actor: Actor, pull: Pick<FoundPull, "issueId">): Promise<number> {
  if (!isUser(actor)) return 0;
  const reviews = await listReviewsOf(deps.db, pull.issueId, [actor.id]);
  return reviews.find(({ kind }) => kind === "pending")?.commentsCount ?? 0;
}

/** The commit of the last submitted review. @param reviews of one user, oldest first */
export const lastReviewed = (reviews: readonly ReviewRow[]): Oid | undefined =>
  reviews.findLast(({ kind, commitOid }) => kind !== "pending" && kind !== "request" && commitOid !== "")?.commitOid;
