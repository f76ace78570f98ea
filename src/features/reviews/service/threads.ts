import { type Actor, isUser } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { FoundPull } from "../../pulls/view.ts";
import { listCommentsOfPull } from "../store/comments.ts";
import { listReviewsOf } from "../store/reviews.ts";
import { listViewed } from "../store/viewed.ts";
import type { ReviewRow, Thread } from "../view.ts";
import type { ReviewDeps } from "./find.ts";
import { followNow } from "./told.ts";
import { loadCommentViews, placeOf } from "./views.ts";

/** More conversations than a page takes. */
const maxComments = 1_000;

/** The conversations on lines of a pull request, as somebody sees them, each where its lines are now. At most four statements. */
export async function listThreads(deps: ReviewDeps, actor: Actor, repository: RepositorySubject, pull: FoundPull): Promise<readonly Thread[]> {
  const rows = await listCommentsOfPull(deps.db, pull.issueId, isUser(actor) ? actor.id : 0, maxComments);
  const present = await followNow(deps, repository, pull, rows);
  const views = (await loadCommentViews(deps, placeOf(repository, pull), rows, present)).map((view, at) => ({ ...view, isDraft: rows[at]?.isDraft === true }));
  return [...Map.groupBy(views, ({ threadId }) => threadId).values()].flatMap((comments) =>
    comments[0] === undefined ? [] : { first: comments[0], comments },
  );
}

/** What somebody has begun of a pull request: a review that nobody else sees yet, and files that he has looked at. Two statements, none for visitors. */
export async function readOwnProgress(
  deps: Pick<ReviewDeps, "db">,
  actor: Actor,
  pull: Pick<FoundPull, "issueId">,
): Promise<{ readonly pending: ReviewRow | undefined; readonly viewed: ReadonlySet<string> }> {
  if (!isUser(actor)) return { pending: undefined, viewed: new Set() };
  const reviews = await listReviewsOf(deps.db, pull.issueId, [actor.id]);
  const viewed = await listViewed(deps.db, { accountId: actor.id, issueId: pull.issueId });
  return { pending: reviews.find(({ kind }) => kind === "pending"), viewed: new Set(viewed) };
}
