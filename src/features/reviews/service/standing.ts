import type { Reader } from "../../../db/db.ts";
import type { BranchRule } from "../../protections/rules.ts";
import { approversOf } from "../../protections/service/approvers.ts";
import type { Reviewing } from "../../pulls/reviewing.ts";
import type { FoundPull, ReviewSummary } from "../../pulls/view.ts";
import { rightsOfUsers } from "../../repos/service/user-rights.ts";
import { loadTeams } from "../../teams/service/load.ts";
import { loadUsers } from "../../users/service/accounts.ts";
import { listOfficial, loadSummaryRows } from "../store/reviews.ts";
import type { ReviewRow } from "../view.ts";
import { addRequests } from "./requests.ts";
import { isStale } from "./views.ts";

/** What pull requests know of their reviews. */
export const reviewing: Reviewing = {
  summaries,
  objection,
  request: async (tx, actor, repository, pull, wanted) => {
    await addRequests(tx, actor, repository, pull, wanted);
  },
};

/** Four statements at most: users and teams are loaded where somebody is asked. */
async function summaries(db: Reader, issueIds: readonly number[]): Promise<ReadonlyMap<number, ReviewSummary>> {
  if (issueIds.length === 0) return new Map();
  const rows = await loadSummaryRows(db, issueIds);
  const requests = rows.filter(({ kind }) => kind === "request");
  const users = await loadUsers({ db }, [...new Set(requests.flatMap(({ reviewerId }) => reviewerId ?? []))]);
  const teams = await loadTeams({ db }, [...new Set(requests.flatMap(({ teamId }) => teamId ?? []))]);
  const summaryOf = (group: typeof rows): ReviewSummary => {
    const asked = group.filter(({ kind }) => kind === "request");
    return {
      users: asked.flatMap(({ reviewerId }) => (reviewerId === null ? [] : (users.get(reviewerId) ?? []))),
      teams: asked.flatMap(({ teamId }) => (teamId === null ? [] : (teams.get(teamId) ?? []))),
      // @compat reviews are counted, not what they have on lines
      commentsCount: group.length - asked.length,
    };
  };
  return new Map([...Map.groupBy(rows, ({ issueId }) => issueId)].map(([issueId, group]) => [issueId, summaryOf(group)]));
}

/** One statement, none where the rule asks nothing of reviews, and at most four more to see that who has approved still may. */
async function objection(db: Reader, pull: FoundPull, rule: BranchRule): Promise<string | undefined> {
  const { requiredApprovals, blocksOnRejection, blocksOnReviewRequests } = rule.settings;
  if (requiredApprovals === 0 && !blocksOnRejection && !blocksOnReviewRequests) return undefined;
  const reviews = await listOfficial(db, pull.issueId);
  if (requiredApprovals > 0 && (await countApprovals(db, pull, rule, reviews)) < requiredApprovals) return "Does not have enough approvals";
  if (blocksOnRejection && reviews.some(({ kind }) => kind === "reject")) return "There are requested changes";
  if (blocksOnReviewRequests && reviews.some(({ kind }) => kind === "request")) return "There are official review requests";
  return undefined;
}

/** A right that somebody has lost since he approved no longer counts. */
async function countApprovals(db: Reader, pull: FoundPull, rule: BranchRule, reviews: readonly ReviewRow[]): Promise<number> {
  const { dismissesStaleApprovals, ignoresStaleApprovals } = rule.settings;
  const countsStale = !dismissesStaleApprovals && !ignoresStaleApprovals;
  const approvals = reviews.filter((review) => review.kind === "approve" && (countsStale || !isStale(review, pull)));
  const ids = approvals.flatMap(({ reviewerId }) => reviewerId ?? []);
  if (ids.length === 0) return 0;
  const users = [...(await loadUsers({ db }, ids)).values()];
  const rights = await rightsOfUsers({ db }, pull.repoId, users);
  const approvers = await approversOf(db, rule);
  return users.filter(({ id }) => {
    const right = rights.get(id);
    return right !== undefined && approvers.isOfficial({ id, right });
  }).length;
}
