import { isSelf, isSiteAdmin, type UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, invalid, malformed, notFound } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { loadApprovers } from "../../../repositories/protections/service/approvers.ts";
import { addEntries, noteActivity, removeEntries } from "../../issues/conversation/service/entries.ts";
import { canWriteIssue } from "../../issues/rights.ts";
import { checkContent } from "../../issues/service/texts.ts";
import type { FoundPull } from "../../pulls/model.ts";
import { findPull } from "../../pulls/service/find.ts";
import type { ReviewRow, ReviewView } from "../model.ts";
import { findConversation, listCommentsOf, resolveThread } from "../store/comments.ts";
import { deleteReviews, listReviewsOf, updateReview } from "../store/reviews.ts";
import { reviewEventOf } from "./events.ts";
import { getReviewById, type ReviewDeps, type ReviewPath, requireReview } from "./find.ts";
import { loadReviewViews } from "./loaders.ts";

const isVerdict = ({ kind }: Pick<ReviewRow, "kind">): boolean => kind === "approve" || kind === "reject";

export interface Dismissal {
  readonly message: string;
  /** Also dismisses the reviewer's earlier reviews. */
  readonly includesEarlier: boolean;
}

/**
 * Dismisses an approval or change request. Does nothing if it is already dismissed.
 * @throws ForgeError `not_found`; `forbidden` for callers who cannot administer the repository, for other kinds of reviews and on a
 * closed pull request
 */
export async function dismissReview(
  deps: ReviewDeps,
  actor: UserActor,
  repository: RepositorySubject,
  path: ReviewPath,
  { message, includesEarlier }: Dismissal,
): Promise<ReviewView> {
  requireAdministrator(repository);
  checkContent(message);
  const { number, id } = await deps.db.tx(async (tx) => {
    const { pull, review } = await requireVerdict(tx, actor, repository, path);
    const { issueId, repoId } = pull;
    const earlier = includesEarlier && review.reviewerId !== null ? await listReviewsOf(tx, issueId, [review.reviewerId]) : [];
    for (const one of earlier) if (one.id < review.id && isVerdict(one) && !one.isDismissed) await updateReview(tx, one.id, { is_dismissed: 1 });
    if (!review.isDismissed) {
      await updateReview(tx, review.id, { is_dismissed: 1 });
      await addEntries(tx, [{ issueId, repoId, kind: "dismiss_review", posterId: actor.id, content: message, payload: { reviewId: review.id } }]);
      await noteActivity(tx, issueId);
      await recordEvent(tx, "review.dismissed", { ...reviewEventOf(pull, review), message }, { repoId, actorId: actor.id });
    }
    return { number: pull.number, id: review.id };
  });
  return getReviewById(deps, repository, number, id);
}

/**
 * Restores a dismissed review. @throws ForgeError as {@link dismissReview}; `invalid` for one that a rule dismisses because it is
 * stale
 */
export async function undismissReview(deps: ReviewDeps, actor: UserActor, repository: RepositorySubject, path: ReviewPath): Promise<ReviewView> {
  requireAdministrator(repository);
  const { number, id } = await deps.db.tx(async (tx) => {
    const { pull, review } = await requireVerdict(tx, actor, repository, path);
    const [view] = await loadReviewViews({ db: tx }, repository, pull, [{ ...review, isDismissed: false }]);
    if (view?.isDismissed === true) throw invalid("the rule of the base branch dismisses approvals of earlier commits", { reason: "approval_outdated" });
    if (review.isDismissed) {
      await updateReview(tx, review.id, { is_dismissed: 0 });
      await noteActivity(tx, pull.issueId);
      await recordEvent(tx, "review.undismissed", reviewEventOf(pull, review), { repoId: pull.repoId, actorId: actor.id });
    }
    return { number: pull.number, id: review.id };
  });
  return getReviewById(deps, repository, number, id);
}

function requireAdministrator({ right }: RepositorySubject): void {
  if (!atLeast(right.mode, "admin")) throw forbidden("Must be repo admin");
}

async function requireVerdict(tx: Tx, actor: UserActor, repository: RepositorySubject, path: ReviewPath) {
  const found = await requireReview({ db: tx }, actor, repository, path);
  if (!isVerdict(found.review)) throw forbidden("not need to dismiss this review because it's type is not Approve or change request");
  if (found.pull.isClosed) throw forbidden("can't dismiss a review associated to a closed or merged PR");
  return found;
}

/**
 * Deletes a review with its comments.
 * @throws ForgeError `not_found`; `forbidden` for callers who are neither its reviewer nor site administrators
 */
export async function removeReview(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, path: ReviewPath): Promise<void> {
  await deps.db.tx(async (tx) => {
    const { pull, review } = await requireReview({ db: tx }, actor, repository, path);
    const isOwn = review.reviewerId !== null && isSelf(actor, review.reviewerId);
    if (!isOwn && !isSiteAdmin(actor)) throw forbidden("only its reviewer and site administrators may delete a review");
    const comments = await listCommentsOf(tx, review.id);
    const entries = new Set([...comments.map(({ id }) => id), ...(review.anchorId === null ? [] : [review.anchorId])]);
    await deleteReviews(tx, [review.id]);
    await removeEntries(tx, [...entries]);
    if (review.kind === "pending") return;
    await noteActivity(tx, pull.issueId, review.kind === "request" ? 0 : -entries.size);
    await recordEvent(tx, "review.deleted", reviewEventOf(pull, review), { repoId: pull.repoId, actorId: actor.id });
  });
}

/**
 * Resolves or reopens a conversation on lines, by any of its comments. Does nothing if it already has that state.
 * @throws ForgeError `not_found`, `malformed` for a comment without a line; `forbidden` for callers who are not the author of the
 * pull request, cannot write pull requests and are not official reviewers
 */
export async function setResolved(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  commentId: string,
  isResolved: boolean,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const id = readId(commentId);
    const found = id === 0 ? undefined : await findConversation(tx, repository.id, id);
    const isHidden = found?.kind === "code_draft" && (found.posterId === null || !isSelf(actor, found.posterId));
    if (found === undefined || isHidden) throw notFound("GetCommentByID");
    const pull = await findPull({ db: tx }, repository, found.number);
    if (found.threadId === undefined) throw malformed("comment is not a code comment");
    await requireModerator(tx, actor, repository, pull);
    if ((found.resolverId !== null) === isResolved) return;
    await resolveThread(tx, found.threadId, isResolved ? actor.id : null);
    const { repoId, issueId, issue } = pull;
    const type = isResolved ? "review.conversation_resolved" : "review.conversation_unresolved";
    const event = { repoId, issueId, number: issue.number, isPull: true, title: issue.title, threadId: found.threadId } as const;
    await recordEvent(tx, type, event, { repoId, actorId: actor.id });
  });
}

async function requireModerator(tx: Tx, actor: UserActor, repository: RepositorySubject, pull: FoundPull): Promise<void> {
  const isPoster = pull.issue.posterId !== null && isSelf(actor, pull.issue.posterId);
  if (isPoster || canWriteIssue(repository, pull.issue)) return;
  const approvers = await loadApprovers(tx, repository.id, pull.baseBranch);
  if (!approvers.isOfficial({ id: actor.id, right: repository.right })) throw forbidden("user should have permission to resolve comment");
}
