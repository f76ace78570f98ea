import type { ProtectionList } from "../../../db/tables/protections.ts";
import type { BranchRule, BranchRuleSettings, TagRule } from "./rules.ts";

/** Names of the users and teams on a list. */
export interface NamedList {
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

export interface BranchRuleView extends BranchRule {
  readonly lists: Readonly<Record<Exclude<ProtectionList, "tag">, NamedList>>;
}

export interface TagRuleView extends TagRule {
  readonly list: NamedList;
}

/** Omitted fields are unchanged. */
export interface BranchRuleEdit {
  readonly priority?: number;
  readonly settings: Partial<BranchRuleSettings>;
  readonly lists: Partial<Record<Exclude<ProtectionList, "tag">, Partial<NamedList>>>;
}

export interface TagRuleEdit {
  readonly pattern?: string;
  readonly list: Partial<NamedList>;
}
