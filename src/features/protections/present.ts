import { formatTime } from "../../core/time.ts";
import type { BranchProtection, TagProtection } from "../../wire/protection.ts";
import { isPlain } from "./rules.ts";
import type { BranchRuleView, TagRuleView } from "./view.ts";

export function presentBranchRule(rule: BranchRuleView): BranchProtection {
  const { settings, lists } = rule;
  return {
    branch_name: isPlain(rule) ? rule.pattern : "",
    rule_name: rule.pattern,
    priority: rule.priority,
    enable_push: settings.canPush,
    enable_push_whitelist: settings.hasPushList,
    push_whitelist_usernames: lists.push.users,
    push_whitelist_teams: lists.push.teams,
    push_whitelist_deploy_keys: settings.letsDeployKeysPush,
    enable_force_push: settings.canForcePush,
    enable_force_push_allowlist: settings.hasForcePushList,
    force_push_allowlist_usernames: lists.force_push.users,
    force_push_allowlist_teams: lists.force_push.teams,
    force_push_allowlist_deploy_keys: settings.letsDeployKeysForcePush,
    enable_merge_whitelist: settings.hasMergeList,
    merge_whitelist_usernames: lists.merge.users,
    merge_whitelist_teams: lists.merge.teams,
    enable_status_check: settings.hasStatusChecks,
    status_check_contexts: settings.statusContexts,
    required_approvals: settings.requiredApprovals,
    enable_approvals_whitelist: settings.hasApprovalList,
    approvals_whitelist_username: lists.approve.users,
    approvals_whitelist_teams: lists.approve.teams,
    block_on_rejected_reviews: settings.blocksOnRejection,
    block_on_official_review_requests: settings.blocksOnReviewRequests,
    block_on_outdated_branch: settings.blocksOnOutdated,
    dismiss_stale_approvals: settings.dismissesStaleApprovals,
    ignore_stale_approvals: settings.ignoresStaleApprovals,
    require_signed_commits: settings.requiresSignatures,
    protected_file_patterns: settings.protectedFiles,
    unprotected_file_patterns: settings.unprotectedFiles,
    block_admin_merge_override: settings.blocksAdminOverride,
    created_at: formatTime(rule.createdMs),
    updated_at: formatTime(rule.updatedMs),
  };
}

export const presentTagRule = ({ id, pattern, list, createdMs, updatedMs }: TagRuleView): TagProtection => ({
  id,
  name_pattern: pattern,
  whitelist_usernames: list.users,
  whitelist_teams: list.teams,
  created_at: formatTime(createdMs),
  updated_at: formatTime(updatedMs),
});
