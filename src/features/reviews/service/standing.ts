import type { Reader } from "../../../db/db.ts";
import type { BranchRule } from "../../protections/rules.ts";
import type { Reviewing } from "../../pulls/reviewing.ts";
import type { FoundPull, ReviewSummary } from "../../pulls/view.ts";
import { loadTeams } from "../../teams/service/load.ts";
import { loadUsers } from "../../users/service/accounts.ts";
import { listOfficial, loadSummaryRows } from "../store/reviews.ts";
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

/** One statement, none where the rule asks nothing of reviews. */
async function objection(db: Reader, pull: FoundPull, { settings }: BranchRule): Promise<string | undefined> {
  const { requiredApprovals, blocksOnRejection, blocksOnReviewRequests, dismissesStaleApprovals, ignoresStaleApprovals } = settings;
  if (requiredApprovals === 0 && !blocksOnRejection && !blocksOnReviewRequests) return undefined;
  const reviews = await listOfficial(db, pull.issueId);
  const countsStale = !dismissesStaleApprovals && !ignoresStaleApprovals;
  const approvals = reviews.filter((review) => review.kind === "approve" && (countsStale || !isStale(review, pull)));
  if (approvals.length < requiredApprovals) return "Does not have enough approvals";
  if (blocksOnRejection && reviews.some(({ kind }) => kind === "reject")) return "There are requested changes";
  if (blocksOnReviewRequests && reviews.some(({ kind }) => kind === "request")) return "There are official review requests";
  return undefined;
}
