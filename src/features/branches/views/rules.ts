import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import { encodePath } from "../../../core/urls.ts";
import { type RepositoryName, settingsPath } from "../../../ui/addresses.ts";
import { Empty } from "../../../ui/blocks.ts";
import { CheckBox, Field, Form, Group, OptionalField, Submit, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Do, Row, Rows } from "../../../ui/rows.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { NamedSettings } from "../../protections/setting-names.ts";

type Listed = `${"push_whitelist" | "force_push_allowlist" | "merge_whitelist"}_${"usernames" | "teams"}` | `approvals_whitelist_${"username" | "teams"}`;

/** What the form of a rule holds: a switch as it is, everything else as it was typed, lists as texts. */
export type RuleValues = { readonly [Name in keyof NamedSettings]: NamedSettings[Name] extends boolean ? boolean : string } & Readonly<
  Record<"rule_name" | "priority" | Listed, string>
>;
export type TagRuleValues = Readonly<Record<"name_pattern" | "whitelist_usernames" | "whitelist_teams", string>>;

/** The fields of a form that hold a value of a kind. */
type FieldsOf<Kind> = { [Name in keyof RuleValues]: RuleValues[Name] extends Kind ? Name : never }[keyof RuleValues];
type Switch = FieldsOf<boolean>;
type Text = FieldsOf<string>;

export interface RuleSummary {
  readonly pattern: string;
  readonly canPush: boolean;
  readonly hasPushList: boolean;
  readonly canForcePush: boolean;
  readonly requiredApprovals: number;
  readonly hasStatusChecks: boolean;
  readonly requiresSignatures: boolean;
}

export interface RulesFacts {
  readonly repository: RepositoryName;
  readonly rules: readonly RuleSummary[];
  readonly formToken: string;
}

/** The rules for branches, in the order in which they count. */
export function RulesView({ repository, rules, formToken }: RulesFacts): Html {
  const { settings, forms } = useTexts();
  const texts = settings.branches;
  const path = settingsPath(repository, "/branches");
  const add = h("a", { class: "button", href: `${path}/new` }, texts.add);
  if (rules.length === 0) return h(Empty, { icon: "shield-check", title: texts.none }, h("p", null, texts.noneHint), add);
  return [
    h("p", { class: "soft" }, texts.hint),
    h(
      Rows,
      null,
      rules.map((rule) => {
        const name = encodePath(rule.pattern);
        const edit = h("a", { class: "button", href: `${path}/edit/${name}` }, forms.edit);
        const end = h(Do, { action: `${path}/delete/${name}`, formToken, label: forms.delete, of: rule.pattern, isDanger: true });
        return h(Row, { action: h("div", { class: "end" }, edit, end) }, h("code", null, rule.pattern), h(Summary, rule));
      }),
    ),
    add,
  ];
}

function Summary({ canPush, hasPushList, canForcePush, requiredApprovals, hasStatusChecks, requiresSignatures }: RuleSummary): Html {
  const { summary } = useTexts().settings.branches;
  const words = [
    !canPush && summary.noPush,
    canPush && hasPushList && summary.pushList,
    canForcePush && summary.force,
    requiredApprovals > 0 && summary.approvals(requiredApprovals),
    hasStatusChecks && summary.checks,
    requiresSignatures && summary.signed,
  ];
  return h("div", { class: "soft" }, words.filter((word) => word !== false).join(" · "));
}

export interface RuleFormFacts {
  readonly action: string;
  readonly repository: RepositoryName & { readonly ownerKind: "user" | "organization" };
  readonly values: RuleValues;
  readonly isNew: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** Everything that a rule says, by what it is about. */
export function RuleForm({ action, repository, values, isNew, problem, formToken }: RuleFormFacts): Html {
  const { settings, forms } = useTexts();
  const texts = settings.branches;
  const check = (name: Switch & keyof typeof texts): Html => h(CheckBox, { name, label: texts[name], isChecked: values[name] });
  const line = (name: Text, label: string, hint?: string): Html => h(OptionalField, { name, label, value: values[name], hint });
  const people = (users: Text, teams: Text): Html =>
    h("div", { class: "beside" }, line(users, texts.usernames, forms.names), repository.ownerKind === "organization" && line(teams, texts.teams, forms.names));
  const deployKeys = (name: Switch): Html => h(CheckBox, { name, label: texts.deployKeys, isChecked: values[name] });
  return h(
    Form,
    { action, formToken, problem },
    isNew
      ? h(Field, { name: "rule_name", label: texts.pattern, value: values.rule_name, hint: texts.patternHint, autocomplete: "off", hasFocus: true })
      : line("priority", texts.priority),
    h(
      Group,
      { legend: texts.push },
      check("enable_push"),
      check("enable_push_whitelist"),
      people("push_whitelist_usernames", "push_whitelist_teams"),
      deployKeys("push_whitelist_deploy_keys"),
    ),
    h(
      Group,
      { legend: texts.force },
      check("enable_force_push"),
      check("enable_force_push_allowlist"),
      people("force_push_allowlist_usernames", "force_push_allowlist_teams"),
      deployKeys("force_push_allowlist_deploy_keys"),
    ),
    h(Group, { legend: texts.merge }, check("enable_merge_whitelist"), people("merge_whitelist_usernames", "merge_whitelist_teams")),
    h(
      Group,
      { legend: texts.reviews },
      h(Field, { name: "required_approvals", label: texts.required_approvals, value: values.required_approvals, inputMode: "numeric", autocomplete: "off" }),
      check("enable_approvals_whitelist"),
      people("approvals_whitelist_username", "approvals_whitelist_teams"),
      check("block_on_rejected_reviews"),
      check("block_on_official_review_requests"),
      check("dismiss_stale_approvals"),
      check("ignore_stale_approvals"),
    ),
    h(
      Group,
      { legend: texts.checks },
      check("enable_status_check"),
      h(TextArea, {
        name: "status_check_contexts",
        label: texts.status_check_contexts,
        value: values.status_check_contexts,
        hint: texts.contextsHint,
        rows: 3,
        isCode: true,
      }),
      check("block_on_outdated_branch"),
    ),
    h(
      Group,
      { legend: texts.commits },
      check("require_signed_commits"),
      line("protected_file_patterns", texts.protected_file_patterns, texts.filesHint),
      line("unprotected_file_patterns", texts.unprotected_file_patterns),
      check("block_admin_merge_override"),
    ),
    h("div", { class: "bar" }, h(Submit, { label: forms.save }), h("a", { href: settingsPath(repository, "/branches") }, forms.cancel)),
  );
}

export interface TagRuleSummary {
  readonly id: number;
  readonly pattern: string;
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

export interface TagRulesFacts {
  readonly repository: RepositoryName & { readonly ownerKind: "user" | "organization" };
  readonly rules: readonly TagRuleSummary[];
  readonly values: TagRuleValues;
  /** The rule that is edited; undefined for a new one. */
  readonly editedId?: number | undefined;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** The rules for tags, and the form of one. */
export function TagRulesView({ repository, rules, values, editedId, problem, formToken }: TagRulesFacts): Html {
  const { settings, forms } = useTexts();
  const { branches, tags: texts } = settings;
  const path = settingsPath(repository, "/tags");
  return [
    rules.length === 0
      ? h(Empty, { icon: "tag", title: texts.none }, h("p", null, texts.noneHint))
      : [
          h("p", { class: "soft" }, texts.hint),
          h(
            Rows,
            null,
            rules.map(({ id, pattern, users, teams }) => {
              const edit = h("a", { class: "button", href: `${path}/${id}` }, forms.edit);
              const end = h(Do, { action: `${path}/${id}/delete`, formToken, label: forms.delete, of: pattern, isDanger: true });
              const allowed = `${texts.allowed}: ${[...users, ...teams].join(", ")}`;
              return h(Row, { action: h("div", { class: "end" }, edit, end) }, h("code", null, pattern), h("div", { class: "soft" }, allowed));
            }),
          ),
        ],
    h(
      "section",
      null,
      h("h2", null, editedId === undefined ? texts.add : branches.edit(values.name_pattern)),
      h(
        Form,
        { action: editedId === undefined ? path : `${path}/${editedId}`, formToken, problem },
        h(Field, { name: "name_pattern", label: texts.pattern, value: values.name_pattern, hint: texts.patternHint, autocomplete: "off" }),
        h(OptionalField, { name: "whitelist_usernames", label: branches.usernames, value: values.whitelist_usernames, hint: forms.names }),
        repository.ownerKind === "organization" &&
          h(OptionalField, { name: "whitelist_teams", label: branches.teams, value: values.whitelist_teams, hint: forms.names }),
        h(Submit, { label: editedId === undefined ? forms.add : forms.save }),
      ),
    ),
  ];
}
