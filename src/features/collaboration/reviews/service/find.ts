import { type Actor, isSelf, isUser, operator } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError, notFound } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import type { FoundPull } from "../../pulls/model.ts";
import { findPull } from "../../pulls/service/find.ts";
import { storeWithHead } from "../../pulls/service/heads.ts";
import type { ReviewCommentView, ReviewRow, ReviewView } from "../model.ts";
import { listCommentsOf } from "../store/comments.ts";
import { findReviewRow, pageReviews } from "../store/reviews.ts";
import { followAll } from "./follow-lines.ts";
import { loadCommentViews, loadReviewViews, placeOf } from "./loaders.ts";
import { endsOf } from "./pull-ends.ts";

export interface ReviewDeps {
  readonly db: Db;
  readonly git: GitStores;
}

/** A review in a path: the number of its pull request and its own id. */
export interface ReviewPath {
  readonly number: string;
  readonly id: string;
}

export interface FoundReview {
  readonly pull: FoundPull;
  readonly review: ReviewRow;
}

/**
 * Finds a review that the caller can see: only its author sees a pending one.
 * @throws ForgeError `not_found`, with the same message for a review of another repository and an unknown one
 */
export async function requireReview(deps: { readonly db: Reader }, actor: Actor, repository: RepositorySubject, path: ReviewPath): Promise<FoundReview> {
  const pull = await findPull(deps, repository, path.number);
  const id = readId(path.id);
  const review = id === 0 ? undefined : await findReviewRow(deps.db, repository.id, id);
  const isHidden = review?.kind === "pending" && (review.reviewerId === null || !isSelf(actor, review.reviewerId));
  if (review === undefined || isHidden) throw notFound("GetReviewByID", { details: [`review does not exist [id: ${id}]`] });
  if (review.issueId !== pull.issueId) throw notFound("ReviewNotInPR");
  return { pull, review };
}

/** View of a changed review. @throws ForgeError `not_found` if it has been deleted */
export async function getReviewById(deps: { readonly db: Reader }, repository: RepositorySubject, number: number, id: number): Promise<ReviewView> {
  const pull = await findPull(deps, repository, number);
  const row = await findReviewRow(deps.db, repository.id, id);
  const [view] = row === undefined ? [] : await loadReviewViews(deps, repository, pull, [row]);
  if (view === undefined) throw notFound();
  return view;
}

/** @throws ForgeError as {@link requireReview} */
export async function getReview(deps: { readonly db: Reader }, actor: Actor, repository: RepositorySubject, path: ReviewPath): Promise<ReviewView> {
  const { pull, review } = await requireReview(deps, actor, repository, path);
  const [view] = await loadReviewViews(deps, repository, pull, [review]);
  if (view === undefined) throw notFound();
  return view;
}

/** A page of the reviews and review requests of a pull request, oldest first. @throws ForgeError `not_found` */
export async function listReviews(
  deps: { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  number: string,
  page: Page,
): Promise<Paged<ReviewView>> {
  const pull = await findPull(deps, repository, number);
  const { items, total } = await pageReviews(deps.db, pull.issueId, isUser(actor) ? actor.id : 0, page);
  return { items: await loadReviewViews(deps, repository, pull, items), total };
}

/** The comments of a review at their current lines, oldest first. @throws ForgeError as {@link requireReview} */
export async function listReviewComments(
  deps: ReviewDeps,
  actor: Actor,
  repository: RepositorySubject,
  path: ReviewPath,
): Promise<readonly ReviewCommentView[]> {
  const { pull, review } = await requireReview(deps, actor, repository, path);
  const rows = await listCommentsOf(deps.db, review.id);
  if (rows.length === 0) return [];
  const store = await storeWithHead(deps, repository, pull);
  const present = await followAll(store, await endsOf(store, pull), rows);
  return loadCommentViews(deps, placeOf(repository, pull), rows, present);
}

export interface OpenPull {
  readonly repository: RepositorySubject;
  readonly pull: FoundPull;
}

/** Finds an open pull request for background work. @returns undefined if it is closed or deleted */
export async function findOpenPull(deps: ReviewDeps, repoId: number, number: number): Promise<OpenPull | undefined> {
  try {
    const repository = await findRepositoryById(deps, repoId, operator);
    const pull = await findPull(deps, repository, number);
    return pull.isClosed ? undefined : { repository, pull };
  } catch (error) {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  }
}
