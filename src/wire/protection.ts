import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { bool, deprecated, field, int, list, nullable, option, record, text, time } from "./schema.ts";

const names = nullable(list(text(lengths.line), counts.names));

export const BranchProtection = record("BranchProtection", {
  /** The rule's name if it is not a pattern. */
  branch_name: deprecated(text()),
  rule_name: text(),
  priority: int(),
  enable_push: bool(),
  enable_push_whitelist: bool(),
  push_whitelist_usernames: names,
  push_whitelist_teams: names,
  push_whitelist_deploy_keys: bool(),
  enable_force_push: bool(),
  enable_force_push_allowlist: bool(),
  force_push_allowlist_usernames: names,
  force_push_allowlist_teams: names,
  force_push_allowlist_deploy_keys: bool(),
  enable_merge_whitelist: bool(),
  merge_whitelist_usernames: names,
  merge_whitelist_teams: names,
  enable_status_check: bool(),
  status_check_contexts: names,
  required_approvals: int(),
  enable_approvals_whitelist: bool(),
  approvals_whitelist_username: names,
  approvals_whitelist_teams: names,
  block_on_rejected_reviews: bool(),
  block_on_official_review_requests: bool(),
  block_on_outdated_branch: bool(),
  dismiss_stale_approvals: bool(),
  ignore_stale_approvals: bool(),
  require_signed_commits: bool(),
  protected_file_patterns: text(),
  unprotected_file_patterns: text(),
  block_admin_merge_override: bool(),
  created_at: time(),
  updated_at: time(),
});
export type BranchProtection = Static<typeof BranchProtection>;

/** The fields of both requests. In an edit, null or absent fields are left unchanged. */
const lists = {
  push_whitelist_usernames: field("PushWhitelistUsernames", names),
  push_whitelist_teams: field("PushWhitelistTeams", names),
  force_push_allowlist_usernames: field("ForcePushAllowlistUsernames", names),
  force_push_allowlist_teams: field("ForcePushAllowlistTeams", names),
  merge_whitelist_usernames: field("MergeWhitelistUsernames", names),
  merge_whitelist_teams: field("MergeWhitelistTeams", names),
  approvals_whitelist_username: field("ApprovalsWhitelistUsernames", names),
  approvals_whitelist_teams: field("ApprovalsWhitelistTeams", names),
  status_check_contexts: field("StatusCheckContexts", names),
};

export const CreateBranchProtectionOption = option("CreateBranchProtectionOption", {
  branch_name: deprecated(field("BranchName", text(lengths.line))),
  rule_name: field("RuleName", text(lengths.line)),
  priority: field("Priority", int()),
  enable_push: field("EnablePush", bool()),
  enable_push_whitelist: field("EnablePushWhitelist", bool()),
  push_whitelist_deploy_keys: field("PushWhitelistDeployKeys", bool()),
  enable_force_push: field("EnableForcePush", bool()),
  enable_force_push_allowlist: field("EnableForcePushAllowlist", bool()),
  force_push_allowlist_deploy_keys: field("ForcePushAllowlistDeployKeys", bool()),
  enable_merge_whitelist: field("EnableMergeWhitelist", bool()),
  enable_status_check: field("EnableStatusCheck", bool()),
  required_approvals: field("RequiredApprovals", int()),
  enable_approvals_whitelist: field("EnableApprovalsWhitelist", bool()),
  block_on_rejected_reviews: field("BlockOnRejectedReviews", bool()),
  block_on_official_review_requests: field("BlockOnOfficialReviewRequests", bool()),
  block_on_outdated_branch: field("BlockOnOutdatedBranch", bool()),
  dismiss_stale_approvals: field("DismissStaleApprovals", bool()),
  ignore_stale_approvals: field("IgnoreStaleApprovals", bool()),
  require_signed_commits: field("RequireSignedCommits", bool()),
  protected_file_patterns: field("ProtectedFilePatterns", text(lengths.key)),
  unprotected_file_patterns: field("UnprotectedFilePatterns", text(lengths.key)),
  block_admin_merge_override: field("BlockAdminMergeOverride", bool()),
  ...lists,
});
export type CreateBranchProtectionOption = Static<typeof CreateBranchProtectionOption>;

export const EditBranchProtectionOption = option("EditBranchProtectionOption", {
  priority: field("Priority", nullable(int())),
  enable_push: field("EnablePush", nullable(bool())),
  enable_push_whitelist: field("EnablePushWhitelist", nullable(bool())),
  push_whitelist_deploy_keys: field("PushWhitelistDeployKeys", nullable(bool())),
  enable_force_push: field("EnableForcePush", nullable(bool())),
  enable_force_push_allowlist: field("EnableForcePushAllowlist", nullable(bool())),
  force_push_allowlist_deploy_keys: field("ForcePushAllowlistDeployKeys", nullable(bool())),
  enable_merge_whitelist: field("EnableMergeWhitelist", nullable(bool())),
  enable_status_check: field("EnableStatusCheck", nullable(bool())),
  required_approvals: field("RequiredApprovals", nullable(int())),
  enable_approvals_whitelist: field("EnableApprovalsWhitelist", nullable(bool())),
  block_on_rejected_reviews: field("BlockOnRejectedReviews", nullable(bool())),
  block_on_official_review_requests: field("BlockOnOfficialReviewRequests", nullable(bool())),
  block_on_outdated_branch: field("BlockOnOutdatedBranch", nullable(bool())),
  dismiss_stale_approvals: field("DismissStaleApprovals", nullable(bool())),
  ignore_stale_approvals: field("IgnoreStaleApprovals", nullable(bool())),
  require_signed_commits: field("RequireSignedCommits", nullable(bool())),
  protected_file_patterns: field("ProtectedFilePatterns", nullable(text(lengths.key))),
  unprotected_file_patterns: field("UnprotectedFilePatterns", nullable(text(lengths.key))),
  block_admin_merge_override: field("BlockAdminMergeOverride", nullable(bool())),
  ...lists,
});
export type EditBranchProtectionOption = Static<typeof EditBranchProtectionOption>;

export const UpdateBranchProtectionPriories = option("UpdateBranchProtectionPriories", {
  ids: field("IDs", nullable(list(int(), counts.names))),
});

export const TagProtection = record("TagProtection", {
  id: int(),
  name_pattern: text(),
  whitelist_usernames: names,
  whitelist_teams: names,
  created_at: time(),
  updated_at: time(),
});
export type TagProtection = Static<typeof TagProtection>;

export const CreateTagProtectionOption = option("CreateTagProtectionOption", {
  name_pattern: field("NamePattern", text(lengths.line)),
  whitelist_usernames: field("WhitelistUsernames", names),
  whitelist_teams: field("WhitelistTeams", names),
});

export const EditTagProtectionOption = option("EditTagProtectionOption", {
  name_pattern: field("NamePattern", nullable(text(lengths.line))),
  whitelist_usernames: field("WhitelistUsernames", names),
  whitelist_teams: field("WhitelistTeams", names),
});
