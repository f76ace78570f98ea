import type { MergeStyle } from "../../db/tables/pulls.ts";
import { headRefOf } from "../../features/collaboration/pulls/service/heads.ts";
import { commitTip, planMerge } from "../../features/repositories/migrations/service/plan-pulls.ts";
import { branchPrefix } from "../../features/repositories/refs/model.ts";
import { describeTips } from "../../features/repositories/refs/service/tips.ts";
import type { GitStore } from "../../git/stores.ts";
import type { Oid } from "../../git/types.ts";
import type { Conversion } from "./context.ts";
import type { BroughtStore, GitTarget } from "./git-content.ts";
import type { RepositoryPlan } from "./repositories.ts";
import { type ForeignRow, flagOf, knownId, millisOf, numberOf, textOf } from "./source.ts";
import { type Adding, type ConvertedTracker, childRows, type PlannedPull, type PlannedPulls } from "./tracker-input.ts";

const agitFlow = 1;
const mergeStyles: readonly MergeStyle[] = ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only", "manually-merged"];

/**
 * Finds the heads of pull requests, before the transaction because it reads objects. A pull request without its head gets a commit that exists,
 * so that it keeps its number and its conversation.
 * @param target undefined in a dry run
 */
export async function planPulls(
  { source, report }: Conversion,
  plan: RepositoryPlan,
  code: BroughtStore,
  target: GitTarget | undefined,
): Promise<PlannedPulls> {
  const rows = await source.database.all(
    `select p.*, i.id as own_issue_id, i."index" as number, i.is_closed from issue i join pull_request p on p.issue_id = i.id where i.repo_id = ? order by p.id`,
    [plan.id],
  );
  const store = target?.git.store(code.storeId, code.format, 0);
  const byIssue = new Map<number, PlannedPull>();
  const moves: { name: string; oldOid: Oid | null; newOid: Oid }[] = [];
  for (const row of rows) {
    const issueId = numberOf(row.own_issue_id);
    const shownAs = `${plan.shownAs}#${numberOf(row.number)}`;
    const name = headRefOf(numberOf(row.number));
    const found = headOf(row, plan, code, name);
    const stored = code.refs.get(name) ?? null;
    const head = found ?? code.refs.get(branchPrefix + textOf(row.base_branch)) ?? code.refs.get(branchPrefix + code.defaultBranch);
    if (head === undefined) continue;
    if (byIssue.has(issueId)) {
      report.without("second pull requests of an issue", shownAs);
      continue;
    }
    if (found === undefined) report.without("pull requests without their head, which have no changes", shownAs);
    if (stored !== head) moves.push({ name, oldOid: stored, newOid: head });
    byIssue.set(issueId, { row, headOid: head, ...(await describePull(store, row, head)) });
  }
  return { byIssue, updates: store === undefined ? [] : await describeTips(store, moves) };
}

/** The branch of an open pull request determines its head, even if Gitea was stopped before it noticed a push. */
function headOf(row: ForeignRow, plan: RepositoryPlan, code: BroughtStore, name: string): Oid | undefined {
  const isOpen = flagOf(row.is_closed) === 0 && flagOf(row.has_merged) === 0;
  const isOfRepository = numberOf(row.head_repo_id) === plan.id && numberOf(row.flow) !== agitFlow;
  const tip = isOpen && isOfRepository ? code.refs.get(branchPrefix + textOf(row.head_branch)) : undefined;
  return tip ?? code.refs.get(name);
}

async function describePull(store: GitStore | undefined, row: ForeignRow, headOid: Oid): Promise<Pick<PlannedPull, "mergeBaseOid" | "merged">> {
  const isMerged = flagOf(row.has_merged) === 1;
  if (store === undefined) return { mergeBaseOid: undefined, merged: null };
  const base = textOf(row.merge_base) as Oid;
  const mergeBaseOid = base !== "" && (await commitTip(store, base)) !== undefined ? base : undefined;
  const commitOid = textOf(row.merged_commit_id) as Oid;
  const merged = isMerged
    ? await planMerge(store, { commitOid: commitOid === "" ? undefined : commitOid, mergedMs: millisOf(row.merged_unix) }, { headOid, mergeBaseOid })
    : null;
  return { mergeBaseOid, merged };
}

/** Heads in other repositories are added when all repositories exist. */
export async function addPullRows(conversion: Conversion, { plan, known, issues, pulls }: ConvertedTracker, { batch, ids }: Adding): Promise<void> {
  const { report } = conversion;
  const shownAs = (issueId: number): string => `${plan.shownAs}#${issues.facts.get(issueId)?.number}`;
  const byPull = new Map<number, PlannedPull>();
  for (const issueId of ids) {
    const planned = pulls.byIssue.get(issueId);
    if (planned === undefined || issues.facts.get(issueId)?.isPull !== true) continue;
    const { row, headOid, merged } = planned;
    byPull.set(numberOf(row.id), planned);
    const headRepoId = numberOf(row.head_repo_id);
    if (headRepoId > 0 && !known.repositories.has(headRepoId)) report.without("head repositories of pull requests that no longer exist", shownAs(issueId));
    batch.add("pull_requests", {
      id: numberOf(row.id),
      issue_id: issueId,
      repo_id: plan.id,
      base_branch: textOf(row.base_branch),
      head_repo_id: headRepoId === plan.id ? plan.id : null,
      head_branch: textOf(row.head_branch),
      head_oid: headOid,
      flow: numberOf(row.flow) === agitFlow ? "agit" : "branch",
      allows_maintainer_edit: flagOf(row.allow_maintainer_edit),
      merged_merge_base_oid: merged?.mergeBaseOid ?? null,
      merged_base_oid: merged?.baseOid ?? null,
      merged_ms: merged?.mergedMs ?? null,
      merger_id: merged === null ? null : knownId(row.merger_id, known.accounts.kinds),
      merge_style: merged?.style ?? null,
      merge_commit_oid: merged?.commitOid ?? null,
    });
  }
  if (byPull.size === 0) return;
  const scheduled = new Set<number>();
  for (const row of await childRows(conversion, "pull_auto_merge", [...byPull.keys()], "pull_id")) {
    const pullId = numberOf(row.pull_id);
    const planned = byPull.get(pullId);
    const style = mergeStyles.find((one) => one === textOf(row.merge_style));
    const accountId = numberOf(row.doer_id);
    if (planned === undefined || style === undefined || known.accounts.kinds.get(accountId) !== "user" || scheduled.has(pullId)) {
      report.without("scheduled merges without an account or a known style", planned === undefined ? plan.shownAs : shownAs(numberOf(planned.row.issue_id)));
      continue;
    }
    scheduled.add(pullId);
    const [title = "", ...rest] = textOf(row.message).split("\n");
    batch.add("pull_auto_merges", {
      pull_id: pullId,
      account_id: accountId,
      style,
      title,
      message: rest.join("\n").trim(),
      deletes_branch: flagOf(row.delete_branch_after_merge),
      head_oid: planned.headOid,
      created_ms: millisOf(row.created_unix),
    });
  }
}
