import type { RepositorySubject } from "../../../access/subjects.ts";
import { isForgeError } from "../../../core/errors.ts";
import { storeWithHead } from "../../pulls/service/heads.ts";
import type { ToldReview } from "../../pulls/told-reviews.ts";
import type { FoundPull } from "../../pulls/view.ts";
import { listCommentsOfAll } from "../store/comments.ts";
import { loadReviewRows } from "../store/reviews.ts";
import type { PresentLines, ReviewCommentRow } from "../view.ts";
import type { ReviewDeps } from "./find.ts";
import { followAll } from "./follow-lines.ts";
import { endsOf } from "./pull-ends.ts";
import { loadCommentViews, loadReviewViews, placeOf } from "./views.ts";

/** Reviews of a pull request by their ids, each with its comments where their lines are now. Seven statements at most, whatever their number. */
export async function tellReviews(
  deps: ReviewDeps,
  repository: RepositorySubject,
  pull: FoundPull,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ToldReview>> {
  const rows = await loadReviewRows(deps.db, pull.issueId, ids);
  if (rows.length === 0) return new Map();
  const views = await loadReviewViews(deps, repository, pull, rows);
  const commented = rows.filter(({ commentsCount }) => commentsCount > 0);
  const comments = await listCommentsOfAll(
    deps.db,
    commented.map(({ id }) => id),
  );
  const present = await followNow(deps, repository, pull, comments);
  const commentViews = Map.groupBy(await loadCommentViews(deps, placeOf(repository, pull), comments, present), ({ reviewId }) => reviewId);
  return new Map(views.map((view) => [view.id, { ...view, comments: commentViews.get(view.id) ?? [] }]));
}

/** Where lines are now; nowhere where the head went with its fork before it came to the base. */
export async function followNow(
  deps: ReviewDeps,
  repository: RepositorySubject,
  pull: FoundPull,
  comments: readonly ReviewCommentRow[],
): Promise<readonly (PresentLines | undefined)[]> {
  if (comments.length === 0) return [];
  try {
    const store = await storeWithHead(deps, repository, pull);
    return await followAll(store, await endsOf(store, pull), comments);
  } catch (error) {
    if (!isForgeError(error, "not_found") && !isForgeError(error, "invalid")) throw error;
    return comments.map(() => undefined);
  }
}
