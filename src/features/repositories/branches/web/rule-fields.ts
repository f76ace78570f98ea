import { invalid } from "../../../../core/errors.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import type { BranchRuleEdit, BranchRuleView, NamedList } from "../../protections/model.ts";
import { defaultSettings } from "../../protections/rules.ts";
import { nameSettings, readSettings } from "../../protections/setting-names.ts";
import type { RuleValues, TagRuleValues } from "../views/rules.tsx";

export const TagRuleFields = inPlace({ name_pattern: text(), whitelist_usernames: text(), whitelist_teams: text() });

/** Splits a list at commas and line breaks. */
const listed = (typed: string, separator: RegExp = /[,\n]/): string[] =>
  typed
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== "");

const listOf = (users: string, teams: string): NamedList => ({ users: listed(users), teams: listed(teams) });

export const readTagRule = (values: TagRuleValues) => ({
  pattern: values.name_pattern.trim(),
  list: listOf(values.whitelist_usernames, values.whitelist_teams),
});

const whole = /^\d{1,9}$/;

/**
 * @param notANumber the error message for a field that is not a number
 * @throws ForgeError `invalid`
 */
export function readRule(values: RuleValues, notANumber: string): BranchRuleEdit {
  const priority = values.priority.trim();
  const approvals = values.required_approvals.trim() || "0";
  if (priority !== "" && !whole.test(priority)) throw invalid(`[Priority]: ${notANumber}`);
  if (!whole.test(approvals)) throw invalid(`[RequiredApprovals]: ${notANumber}`);
  return {
    ...(priority !== "" && { priority: Number(priority) }),
    settings: readSettings({
      ...values,
      status_check_contexts: listed(values.status_check_contexts, /\n/),
      required_approvals: Number(approvals),
      protected_file_patterns: values.protected_file_patterns.trim(),
      unprotected_file_patterns: values.unprotected_file_patterns.trim(),
    }),
    lists: {
      push: listOf(values.push_whitelist_usernames, values.push_whitelist_teams),
      force_push: listOf(values.force_push_allowlist_usernames, values.force_push_allowlist_teams),
      merge: listOf(values.merge_whitelist_usernames, values.merge_whitelist_teams),
      approve: listOf(values.approvals_whitelist_username, values.approvals_whitelist_teams),
    },
  };
}

export function valuesOfRule({ pattern, priority, settings, lists }: Pick<BranchRuleView, "pattern" | "priority" | "settings" | "lists">): RuleValues {
  const users = (list: keyof typeof lists): string => lists[list].users.join(", ");
  const teams = (list: keyof typeof lists): string => lists[list].teams.join(", ");
  return {
    ...nameSettings(settings),
    rule_name: pattern,
    priority: String(priority),
    status_check_contexts: (settings.statusContexts ?? []).join("\n"),
    required_approvals: String(settings.requiredApprovals),
    push_whitelist_usernames: users("push"),
    push_whitelist_teams: teams("push"),
    force_push_allowlist_usernames: users("force_push"),
    force_push_allowlist_teams: teams("force_push"),
    merge_whitelist_usernames: users("merge"),
    merge_whitelist_teams: teams("merge"),
    approvals_whitelist_username: users("approve"),
    approvals_whitelist_teams: teams("approve"),
  };
}

const noNames: NamedList = { users: [], teams: [] };
/** The initial values of the form for a new rule. */
export const noRule = valuesOfRule({
  pattern: "",
  priority: 0,
  settings: defaultSettings,
  lists: { push: noNames, force_push: noNames, merge: noNames, approve: noNames },
});
