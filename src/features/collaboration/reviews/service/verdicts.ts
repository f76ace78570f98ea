import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import type { BranchRule } from "../../../repositories/protections/rules.ts";
import { approversOf } from "../../../repositories/protections/service/approvers.ts";
import { rightsOfUsers } from "../../../repositories/repos/service/user-rights.ts";
import type { UncountedApproval } from "../../pulls/mergeability.ts";
import type { FoundPull } from "../../pulls/model.ts";
import type { ReviewerStanding, Reviewing, ReviewState, ReviewStateOptions } from "../../pulls/reviewing.ts";
import type { ReviewRow } from "../model.ts";
import { listLastOfEach, listOfficial, listUnofficialApprovals, loadReviewRows } from "../store/reviews.ts";
import { isStale, loadReviewViews } from "./loaders.ts";
import { addRequests } from "./requests.ts";

/** The implementation of {@link Reviewing} for pull requests. */
export const reviewing: Reviewing = {
  loadState,
  standings,
  request: async (tx, actor, repository, pull, wanted) => {
    await addRequests(tx, actor, repository, pull, wanted);
  },
};

/** Approvals that never counted, as far as the state lists them. */
const maxUncounted = 10;

/** At most two statements, none if the rule does not require reviews, and at most four more to check the current rights of approvers. */
async function loadState(db: Reader, pull: FoundPull, rule: BranchRule, { listsUncounted }: ReviewStateOptions): Promise<ReviewState> {
  const { requiredApprovals, blocksOnRejection, blocksOnReviewRequests } = rule.settings;
  if (requiredApprovals === 0 && !blocksOnRejection && !blocksOnReviewRequests) return { approvals: 0, uncounted: [], isRejected: false, isAwaited: false };
  const reviews = await listOfficial(db, pull.issueId);
  const others = listsUncounted && requiredApprovals > 0 ? await listUnofficialApprovals(db, pull.issueId, maxUncounted) : [];
  return {
    ...(requiredApprovals > 0 ? await countApprovals(db, pull, rule, [...reviews, ...others]) : { approvals: 0, uncounted: [] }),
    isRejected: reviews.some(({ kind }) => kind === "reject"),
    isAwaited: reviews.some(({ kind }) => kind === "request"),
  };
}

async function standings(db: Reader, repository: RepositorySubject, pull: FoundPull): Promise<readonly ReviewerStanding[]> {
  if (pull.reviews.count === 0) return [];
  const others = (await listLastOfEach(db, pull.issueId)).filter(({ reviewerId }) => reviewerId !== pull.issue.posterId);
  const ids = [...Map.groupBy(others, ({ reviewerId }) => reviewerId).values()].map((ofReviewer) => {
    const verdicts = ofReviewer.filter(({ kind }) => kind !== "comment");
    return Math.max(...(verdicts.length > 0 ? verdicts : ofReviewer).map(({ id }) => id));
  });
  const reviews = await loadReviewViews({ db }, repository, pull, await loadReviewRows(db, pull.issueId, ids));
  return reviews
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ reviewer, kind, isStale, isDismissed, anchorId }) => {
      if (reviewer === undefined || isDismissed || kind === "request" || kind === "pending") return [];
      return { reviewer, kind, isStale, anchorId };
    });
}

/** An approval counts only while its author has the right to give it. */
async function countApprovals(
  db: Reader,
  pull: FoundPull,
  rule: BranchRule,
  reviews: readonly ReviewRow[],
): Promise<Pick<ReviewState, "approvals" | "uncounted">> {
  const { dismissesStaleApprovals, ignoresStaleApprovals, hasApprovalList } = rule.settings;
  const countsStale = !dismissesStaleApprovals && !ignoresStaleApprovals;
  const approvals = reviews.filter(({ kind }) => kind === "approve");
  const ids = [...new Set(approvals.flatMap(({ reviewerId }) => reviewerId ?? []))];
  if (ids.length === 0) return { approvals: 0, uncounted: [] };
  const users = await loadUsers({ db }, ids);
  const rights = await rightsOfUsers({ db }, pull.repoId, [...users.values()]);
  const approvers = await approversOf(db, rule);
  const uncounted: UncountedApproval[] = [];
  const counted = new Set<number>();
  for (const review of approvals) {
    const user = users.get(review.reviewerId ?? 0);
    if (user === undefined) continue;
    const { id, name } = user;
    const right = rights.get(id);
    if (right === undefined || !approvers.isOfficial({ id, right })) uncounted.push({ name, reason: hasApprovalList ? "not_listed" : "no_write_access" });
    else if (!countsStale && isStale(review, pull)) uncounted.push({ name, reason: "stale" });
    else if (!review.isOfficial) uncounted.push({ name, reason: "not_official" });
    else counted.add(id);
  }
  return { approvals: counted.size, uncounted };
}
