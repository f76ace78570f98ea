import { formatTime } from "../../../core/time.ts";
import type { BranchProtection, TagProtection } from "../../../wire/protection.ts";
import type { BranchRuleView, TagRuleView } from "./model.ts";
import { isPlain } from "./rules.ts";
import { nameSettings } from "./setting-names.ts";

export function presentBranchRule(rule: BranchRuleView): BranchProtection {
  const { settings, lists } = rule;
  return {
    branch_name: isPlain(rule) ? rule.pattern : "",
    rule_name: rule.pattern,
    priority: rule.priority,
    ...nameSettings(settings),
    push_whitelist_usernames: lists.push.users,
    push_whitelist_teams: lists.push.teams,
    force_push_allowlist_usernames: lists.force_push.users,
    force_push_allowlist_teams: lists.force_push.teams,
    merge_whitelist_usernames: lists.merge.users,
    merge_whitelist_teams: lists.merge.teams,
    approvals_whitelist_username: lists.approve.users,
    approvals_whitelist_teams: lists.approve.teams,
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
