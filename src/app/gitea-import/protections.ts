import { type Batch, newBatch } from "../../db/row-batch.ts";
import type { ProtectionList } from "../../db/tables/protections.ts";
import { type BranchRuleSettings, isBranchPattern, isTagPattern } from "../../features/repositories/protections/rules.ts";
import type { Conversion } from "./context.ts";
import { idsOf, stringsOf } from "./json.ts";
import type { RepositoryPlan } from "./repositories.ts";
import type { Known } from "./repository-relations.ts";
import { type ForeignRow, flagOf, millisOf, numberOf, textOf } from "./source.ts";

/** The columns with the lists of a branch rule. */
const branchLists: Readonly<Partial<Record<ProtectionList, string>>> = {
  push: "whitelist",
  force_push: "force_push_allowlist",
  merge: "merge_whitelist",
  approve: "approvals_whitelist",
};

/** Ids of tag rules. Branch rules and tag rules share one sequence of ids in Hearth. */
export type TagRuleIds = (id: number) => number;

/** A tag rule keeps its id, unless a branch rule has it. */
export async function planTagRules({ source }: Conversion): Promise<TagRuleIds> {
  const [branches, tags] = [await source.database.all("select id from protected_branch"), await source.database.all("select id from protected_tag")];
  const used = new Set(branches.map((row) => numberOf(row.id)));
  const last = Math.max(0, ...[...branches, ...tags].map((row) => numberOf(row.id)));
  return (id) => (used.has(id) ? last + id : id);
}

/** Rules of branches and tags with their lists. */
export async function convertProtections({ source, report }: Conversion, plan: RepositoryPlan, known: Known, tagRuleIds: TagRuleIds): Promise<Batch> {
  const batch = newBatch();
  const patterns = new Set<string>();
  const isUsable = (kind: "branch" | "tag", pattern: string, isValid: boolean): boolean => {
    const isNew = !patterns.has(`${kind} ${pattern}`);
    patterns.add(`${kind} ${pattern}`);
    if (!isValid || !isNew) report.without("rules whose pattern Hearth refuses", `${pattern} of ${plan.shownAs}`);
    return isValid && isNew;
  };
  for (const row of await source.database.all("select * from protected_branch where repo_id = ? order by id", [plan.id])) {
    const pattern = textOf(row.branch_name);
    if (!isUsable("branch", pattern, isBranchPattern(pattern))) continue;
    const id = numberOf(row.id);
    addRule(batch, plan.id, row, { id, kind: "branch", pattern, priority: numberOf(row.priority), settings: JSON.stringify(settingsOf(row)) });
    for (const [list, column] of Object.entries(branchLists) as [ProtectionList, string][]) addLists(batch, row, { id, list, column, known });
  }
  for (const row of await source.database.all("select * from protected_tag where repo_id = ? order by id", [plan.id])) {
    const pattern = textOf(row.name_pattern);
    if (!isUsable("tag", pattern, isTagPattern(pattern))) continue;
    const id = tagRuleIds(numberOf(row.id));
    if (id !== numberOf(row.id)) report.without("ids of tag rules that a branch rule has, too", `${pattern} of ${plan.shownAs}`);
    addRule(batch, plan.id, row, { id, kind: "tag", pattern, priority: 0, settings: "{}" });
    addLists(batch, row, { id, list: "tag", column: "allowlist", known });
  }
  report.count("rules of branches and tags", batch.size("ref_protections"));
  return batch;
}

interface Rule {
  readonly id: number;
  readonly kind: "branch" | "tag";
  readonly pattern: string;
  readonly priority: number;
  readonly settings: string;
}

const addRule = (batch: Batch, repoId: number, row: ForeignRow, rule: Rule): void =>
  batch.add("ref_protections", { ...rule, repo_id: repoId, created_ms: millisOf(row.created_unix), updated_ms: millisOf(row.updated_unix) });

interface Lists {
  readonly id: number;
  readonly list: ProtectionList;
  readonly column: string;
  readonly known: Known;
}

function addLists(batch: Batch, row: ForeignRow, { id, list, column, known }: Lists): void {
  for (const accountId of idsOf(row[`${column}_user_i_ds`]))
    if (known.accounts.kinds.get(accountId) === "user") batch.add("ref_protection_users", { protection_id: id, list, account_id: accountId });
  for (const teamId of idsOf(row[`${column}_team_i_ds`]))
    if (known.allTeams.has(teamId)) batch.add("ref_protection_teams", { protection_id: id, list, team_id: teamId });
}

function settingsOf(row: ForeignRow): BranchRuleSettings {
  const is = (column: string): boolean => flagOf(row[column]) === 1;
  return {
    canPush: is("can_push"),
    hasPushList: is("enable_whitelist"),
    letsDeployKeysPush: is("whitelist_deploy_keys"),
    canForcePush: is("can_force_push"),
    hasForcePushList: is("enable_force_push_allowlist"),
    letsDeployKeysForcePush: is("force_push_allowlist_deploy_keys"),
    hasMergeList: is("enable_merge_whitelist"),
    hasStatusChecks: is("enable_status_check"),
    statusContexts: stringsOf(row.status_check_contexts),
    requiredApprovals: numberOf(row.required_approvals),
    hasApprovalList: is("enable_approvals_whitelist"),
    blocksOnRejection: is("block_on_rejected_reviews"),
    blocksOnReviewRequests: is("block_on_official_review_requests"),
    blocksOnOutdated: is("block_on_outdated_branch"),
    dismissesStaleApprovals: is("dismiss_stale_approvals"),
    ignoresStaleApprovals: is("ignore_stale_approvals"),
    requiresSignatures: is("require_signed_commits"),
    protectedFiles: textOf(row.protected_file_patterns),
    unprotectedFiles: textOf(row.unprotected_file_patterns),
    blocksAdminOverride: is("block_admin_merge_override"),
  };
}
