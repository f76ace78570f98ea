import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { bool, deprecated, field, inPlace, int, list, nullable, option, record, type Schema, text, time } from "./schema.ts";

const names = nullable(list(text(lengths.line), counts.names));

/** The fields of a branch rule, in the order of responses. Requests and the form of a rule have the same. */
const ruleFields = {
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
};
type RuleFields = typeof ruleFields;

export const BranchProtection = record("BranchProtection", {
  /** The rule's name if it is not a pattern. */
  branch_name: deprecated(text()),
  rule_name: text(),
  ...ruleFields,
  created_at: time(),
  updated_at: time(),
});
export type BranchProtection = Static<typeof BranchProtection>;

/**
 * `enable_push` is `EnablePush` in messages.
 * @compat one field is singular on the wire and plural in messages (test/contract/wire.test.ts)
 */
const messageName = (name: string): string =>
  (name === "approvals_whitelist_username" ? `${name}s` : name).replace(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase());

const requestFields = Object.fromEntries(
  Object.entries<Schema>(ruleFields).map(([name, of]) => [name, field(messageName(name), of.type === "string" ? text(lengths.key) : of)]),
) as RuleFields;

const editFields = Object.fromEntries(Object.entries<Schema>(requestFields).map(([name, of]) => [name, nullable(of)])) as {
  readonly [Name in keyof RuleFields]: Schema<Static<RuleFields[Name]> | null>;
};

export const CreateBranchProtectionOption = option("CreateBranchProtectionOption", {
  branch_name: deprecated(field("BranchName", text(lengths.line))),
  rule_name: field("RuleName", text(lengths.line)),
  ...requestFields,
});
export type CreateBranchProtectionOption = Static<typeof CreateBranchProtectionOption>;

/** Null or absent fields are left unchanged. */
export const EditBranchProtectionOption = option("EditBranchProtectionOption", editFields);
export type EditBranchProtectionOption = Static<typeof EditBranchProtectionOption>;

/** The form of a branch rule. Numbers and lists are strings: names separated by commas, patterns one per line. */
export const BranchProtectionForm = inPlace({
  rule_name: text(),
  ...(Object.fromEntries(Object.entries<Schema>(ruleFields).map(([name, of]) => [name, of.type === "boolean" ? of : text()])) as {
    readonly [Name in keyof RuleFields]: Schema<Static<RuleFields[Name]> extends boolean ? boolean : string>;
  }),
});

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
