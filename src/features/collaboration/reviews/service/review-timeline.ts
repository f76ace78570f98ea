import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { FoundPull } from "../../pulls/model.ts";
import type { ReviewView, Thread, ThreadComment } from "../model.ts";
import { listCommentsAround } from "../store/comments.ts";
import { loadReviewRows } from "../store/reviews.ts";
import type { ReviewDeps } from "./find.ts";
import { loadReviewViews } from "./loaders.ts";
import { loadThreads, viewerIdOf } from "./threads.ts";

/** A review with the conversations in which it has the first comment among the listed reviews. */
export interface ReviewWithThreads {
  readonly review: ReviewView;
  readonly threads: readonly Thread[];
  /** Its first comments in conversations that are listed with an earlier review. */
  readonly answers: readonly ThreadComment[];
}

/**
 * Reviews of a pull request by id. Each conversation is complete, at its current lines, with the first review that takes part in it.
 * At most seven statements for any number of reviews.
 */
export async function listReviewsWithThreads(
  deps: ReviewDeps,
  actor: Actor,
  repository: RepositorySubject,
  pull: FoundPull,
  ids: readonly number[],
): Promise<readonly ReviewWithThreads[]> {
  const rows = await loadReviewRows(deps.db, pull.issueId, ids);
  if (rows.length === 0) return [];
  const reviews = new Map((await loadReviewViews(deps, repository, pull, rows)).map((review) => [review.id, review]));
  const commentedIds = rows.flatMap(({ id, commentsCount }) => (commentsCount > 0 ? id : []));
  const comments = await listCommentsAround(deps.db, pull.issueId, commentedIds, viewerIdOf(actor));
  const threads = await loadThreads(deps, repository, pull, comments);
  const placed = new Set<number>();
  return ids.flatMap((id) => {
    const review = reviews.get(id);
    if (review === undefined) return [];
    const parts = threads.flatMap((thread) => {
      const own = thread.comments.find(({ reviewId }) => reviewId === id);
      return own === undefined ? [] : { thread, own };
    });
    const [others = [], own = []] = [true, false].map((isPlaced) => parts.filter(({ thread }) => placed.has(thread.first.threadId) === isPlaced));
    for (const { thread } of own) placed.add(thread.first.threadId);
    return { review, threads: own.map(({ thread }) => thread), answers: others.map((part) => part.own) };
  });
}
