import type { FormProblem } from "../../../../core/form-problem.ts";
import { encodePath } from "../../../../core/urls.ts";
import { type RepositoryName, settingsPath } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import { CheckBox, Field, Form, Group, OptionalField, Submit, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { EditAndDelete, Row, Rows } from "../../../../ui/rows.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { NamedSettings } from "../../protections/setting-names.ts";
import { ruleTexts } from "../texts/texts.ts";

type Listed = `${"push_whitelist" | "force_push_allowlist" | "merge_whitelist"}_${"usernames" | "teams"}` | `approvals_whitelist_${"username" | "teams"}`;

/** Form values of a rule: switches as booleans, everything else as typed, lists as strings. */
export type RuleValues = { readonly [Name in keyof NamedSettings]: NamedSettings[Name] extends boolean ? boolean : string } & Readonly<
  Record<"rule_name" | "priority" | Listed, string>
>;
export type TagRuleValues = Readonly<Record<"name_pattern" | "whitelist_usernames" | "whitelist_teams", string>>;

/** The names of the fields with values of a given type. */
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

export interface RulesProps {
  readonly repository: RepositoryName & { readonly isArchived: boolean };
  readonly rules: readonly RuleSummary[];
  readonly formToken: string;
}

/** The branch protection rules, in order of priority. */
export function RulesView({ repository, rules, formToken }: RulesProps): Html {
  const { branches: texts, archived } = useTexts(ruleTexts);
  const path = settingsPath(repository, "/branches");
  const add = repository.isArchived ? (
    <p class="soft">{archived}</p>
  ) : (
    <a class="button primary" href={`${path}/new`}>
      {texts.add}
    </a>
  );
  if (rules.length === 0)
    return (
      <Empty icon="shield-check" title={texts.none}>
        <p>{texts.noneHint}</p>
        {add}
      </Empty>
    );
  return (
    <>
      <p class="soft">{texts.hint}</p>
      <Rows>
        {rules.map((rule) => {
          const name = encodePath(rule.pattern);
          return (
            <Row
              action={
                !repository.isArchived && (
                  <EditAndDelete edit={`${path}/edit/${name}`} deletion={`${path}/delete/${name}`} formToken={formToken} of={rule.pattern} />
                )
              }
            >
              <code>{rule.pattern}</code>
              <Summary {...rule} />
            </Row>
          );
        })}
      </Rows>
      {add}
    </>
  );
}

function Summary({ canPush, hasPushList, canForcePush, requiredApprovals, hasStatusChecks, requiresSignatures }: RuleSummary): Html {
  const summary = useTexts(ruleTexts).branches.summary;
  const words = [
    !canPush && summary.noPush,
    canPush && hasPushList && summary.pushList,
    canForcePush && summary.force,
    requiredApprovals > 0 && summary.approvals(requiredApprovals),
    hasStatusChecks && summary.checks,
    requiresSignatures && summary.signed,
  ];
  return <div class="soft">{words.filter((word) => word !== false).join(" · ")}</div>;
}

export interface RuleFormProps {
  readonly action: string;
  readonly repository: RepositoryName & { readonly ownerKind: "user" | "organization" };
  readonly values: RuleValues;
  readonly isNew: boolean;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

/** All settings of a rule, grouped by topic. */
export function RuleForm({ action, repository, values, isNew, problem, formToken }: RuleFormProps): Html {
  const { branches: texts, names } = useTexts(ruleTexts);
  const { forms } = useTexts(sharedTexts);
  const hints: Partial<Record<keyof RuleValues, string>> = texts.hints;
  const check = (name: Switch & keyof typeof texts, children?: Html): Html => (
    <CheckBox name={name} label={texts[name]} hint={hints[name]} isChecked={values[name]}>
      {children}
    </CheckBox>
  );
  const line = (name: Text, label: string, hint = hints[name]): Html => <OptionalField name={name} label={label} value={values[name]} hint={hint} />;
  const people = (users: Text, teams: Text): Html => (
    <div class="beside">
      {line(users, texts.usernames, names)}
      {repository.ownerKind === "organization" && line(teams, texts.teams, names)}
    </div>
  );
  const deployKeys = (name: Switch): Html => <CheckBox name={name} label={texts.deployKeys} isChecked={values[name]} />;
  return (
    <Form action={action} formToken={formToken} problem={problem}>
      {isNew ? (
        <Field name="rule_name" label={texts.pattern} value={values.rule_name} hint={texts.patternHint} autocomplete="off" hasFocus />
      ) : (
        line("priority", texts.priority)
      )}
      <Group legend={texts.push}>
        {check("enable_push", [
          check("enable_push_whitelist", [people("push_whitelist_usernames", "push_whitelist_teams"), deployKeys("push_whitelist_deploy_keys")]),
          check(
            "enable_force_push",
            check("enable_force_push_allowlist", [
              people("force_push_allowlist_usernames", "force_push_allowlist_teams"),
              deployKeys("force_push_allowlist_deploy_keys"),
            ]),
          ),
        ])}
      </Group>
      <Group legend={texts.merge}>{check("enable_merge_whitelist", people("merge_whitelist_usernames", "merge_whitelist_teams"))}</Group>
      <Group legend={texts.reviews}>
        <Field
          name="required_approvals"
          label={texts.required_approvals}
          value={values.required_approvals}
          hint={hints.required_approvals}
          inputMode="numeric"
          autocomplete="off"
        />
        {check("enable_approvals_whitelist", people("approvals_whitelist_username", "approvals_whitelist_teams"))}
        {check("block_on_rejected_reviews")}
        {check("block_on_official_review_requests")}
        {check("dismiss_stale_approvals")}
        {check("ignore_stale_approvals")}
      </Group>
      <Group legend={texts.checks}>
        {check(
          "enable_status_check",
          <TextArea
            name="status_check_contexts"
            label={texts.status_check_contexts}
            value={values.status_check_contexts}
            hint={texts.contextsHint}
            rows={3}
            isCode
          />,
        )}
        {check("block_on_outdated_branch")}
      </Group>
      <Group legend={texts.commits}>
        {check("require_signed_commits")}
        {line("protected_file_patterns", texts.protected_file_patterns)}
        {line("unprotected_file_patterns", texts.unprotected_file_patterns)}
        {check("block_admin_merge_override")}
      </Group>
      <div class="bar">
        <Submit label={isNew ? texts.add : forms.save} />
        <a href={settingsPath(repository, "/branches")}>{forms.cancel}</a>
      </div>
    </Form>
  );
}

export interface TagRuleSummary {
  readonly id: number;
  readonly pattern: string;
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

export interface TagRulesProps {
  readonly repository: RepositoryName & { readonly ownerKind: "user" | "organization"; readonly isArchived: boolean };
  readonly rules: readonly TagRuleSummary[];
  readonly values: TagRuleValues;
  /** The rule being edited; undefined for a new one. */
  readonly editedId?: number | undefined;
  readonly problem?: FormProblem | undefined;
  readonly formToken: string;
}

export function TagRulesView({ repository, rules, values, editedId, problem, formToken }: TagRulesProps): Html {
  const { forms } = useTexts(sharedTexts);
  const { branches, tags: texts, names, archived } = useTexts(ruleTexts);
  const path = settingsPath(repository, "/tags");
  return (
    <>
      {rules.length === 0 ? (
        <Empty icon="tag" title={texts.none}>
          <p>{texts.noneHint}</p>
        </Empty>
      ) : (
        <>
          <p class="soft">{texts.hint}</p>
          <Rows>
            {rules.map(({ id, pattern, users, teams }) => {
              const allowed = `${texts.allowed}: ${[...users, ...teams].join(", ")}`;
              return (
                <Row
                  action={
                    !repository.isArchived && <EditAndDelete edit={`${path}/${id}`} deletion={`${path}/${id}/delete`} formToken={formToken} of={pattern} />
                  }
                >
                  <code>{pattern}</code>
                  <div class="soft">{allowed}</div>
                </Row>
              );
            })}
          </Rows>
        </>
      )}
      {repository.isArchived ? (
        <p class="soft">{archived}</p>
      ) : (
        <section>
          <h2>{editedId === undefined ? texts.add : branches.edit(values.name_pattern)}</h2>
          <Form action={editedId === undefined ? path : `${path}/${editedId}`} formToken={formToken} problem={problem}>
            <Field name="name_pattern" label={texts.pattern} value={values.name_pattern} hint={texts.patternHint} autocomplete="off" />
            <OptionalField name="whitelist_usernames" label={branches.usernames} value={values.whitelist_usernames} hint={names} />
            {repository.ownerKind === "organization" && (
              <OptionalField name="whitelist_teams" label={branches.teams} value={values.whitelist_teams} hint={names} />
            )}
            <Submit label={editedId === undefined ? texts.add : forms.save} />
          </Form>
        </section>
      )}
    </>
  );
}
