import type { BranchRuleSettings } from "./rules.ts";

/** The API's field names, also used by the web forms, for the settings of a rule. */
const names = {
  enable_push: "canPush",
  enable_push_whitelist: "hasPushList",
  push_whitelist_deploy_keys: "letsDeployKeysPush",
  enable_force_push: "canForcePush",
  enable_force_push_allowlist: "hasForcePushList",
  force_push_allowlist_deploy_keys: "letsDeployKeysForcePush",
  enable_merge_whitelist: "hasMergeList",
  enable_status_check: "hasStatusChecks",
  status_check_contexts: "statusContexts",
  required_approvals: "requiredApprovals",
  enable_approvals_whitelist: "hasApprovalList",
  block_on_rejected_reviews: "blocksOnRejection",
  block_on_official_review_requests: "blocksOnReviewRequests",
  block_on_outdated_branch: "blocksOnOutdated",
  dismiss_stale_approvals: "dismissesStaleApprovals",
  ignore_stale_approvals: "ignoresStaleApprovals",
  require_signed_commits: "requiresSignatures",
  protected_file_patterns: "protectedFiles",
  unprotected_file_patterns: "unprotectedFiles",
  block_admin_merge_override: "blocksAdminOverride",
} as const satisfies Readonly<Record<string, keyof BranchRuleSettings>>;

type Names = typeof names;

/** The settings of a rule under those names. */
export type NamedSettings = { readonly [Name in keyof Names]: BranchRuleSettings[Names[Name]] };

const pairs = Object.entries(names) as readonly [keyof Names, keyof BranchRuleSettings][];

export const nameSettings = (settings: BranchRuleSettings): NamedSettings =>
  Object.fromEntries(pairs.map(([name, setting]) => [name, settings[setting]])) as NamedSettings;

/** The reverse conversion; null means omitted. */
export const readSettings = (given: { readonly [Name in keyof Names]: NamedSettings[Name] | null }): Partial<BranchRuleSettings> =>
  Object.fromEntries(pairs.filter(([name]) => given[name] !== null).map(([name, setting]) => [setting, given[name]]));
