import { invalid } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import { encodePath } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { type SubmitOptions, savedAt, submit } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { type Refused, repositorySettingsPage, type SettingsRequest } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../../http/session-cookie.ts";
import { settingsPath } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { type RepositorySection, renderRepositorySettings } from "../../../../ui/settings.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { BranchProtectionForm } from "../../../../wire/protection.ts";
import { inPlace } from "../../../../wire/schema.ts";
import { createBranchRule, deleteBranchRule, editBranchRule, getBranchRule, listBranchRules } from "../../protections/service/branch-rules.ts";
import { createTagRule, deleteTagRule, editTagRule, listTagRules } from "../../protections/service/tag-rules.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import { ruleTexts } from "../texts/texts.ts";
import { RuleForm, RulesView, type RuleValues, TagRulesView, type TagRuleValues } from "../views/rules.tsx";
import { noRule, readRule, readTagRule, TagRuleFields, valuesOfRule } from "./rule-fields.ts";

interface RuleDeps {
  readonly db: Db;
}

const NoFields = inPlace({});

const page = repositorySettingsPage;
/** Access for changing rules; the rules of an archived repository are read-only. */
const unarchived = repository.admin({ archived: "refused" });
const change = { ...page, method: "POST", access: unarchived } as const;
const branches = "/{owner}/{repo}/settings/branches";
const tags = "/{owner}/{repo}/settings/tags";

/** The pages for managing branch and tag protection rules. */
export const rulePages = (deps: RuleDeps): Route[] => [...branchRulePages(deps), ...tagRulePages(deps)];

const branchRulePages = (deps: RuleDeps): Route[] => [
  defineRoute({
    ...page,
    id: "branchRulesPage",
    method: "GET",
    path: branches,
    summary: "Rules for branches",
    handle: async (request) => {
      const { repository } = request;
      const rules = (await listBranchRules(deps, repository)).map(({ pattern, settings }) => ({ pattern, ...settings }));
      return show(deps, request, "branches", <RulesView repository={repository} rules={rules} formToken={tokenOf(request)} />);
    },
  }),
  defineRoute({
    ...page,
    access: unarchived,
    id: "newBranchRulePage",
    method: "GET",
    path: `${branches}/new`,
    summary: "The form for a branch protection rule",
    handle: (request) => rulePage(deps, request, undefined, { values: noRule, problem: undefined }),
  }),
  defineRoute({
    ...change,
    id: "addBranchRule",
    path: `${branches}/new`,
    summary: "Protect a branch, or all branches that match a pattern",
    body: BranchProtectionForm,
    handle: (request) => {
      const { actor, repository, body } = request;
      const add = async (): Promise<RawReply> => {
        const pattern = body.rule_name.trim();
        if (pattern === "") throw invalid("[RuleName]: Required", { reason: "required" });
        await createBranchRule(deps, actor, repository, { pattern, ...readTyped(request, body) });
        return savedAt(settingsPath(repository, "/branches"));
      };
      return submit(add, (problem) => rulePage(deps, request, undefined, { values: body, problem }), {
        fieldOf: { invalid_pattern: "rule_name", rule_exists: "rule_name" },
        also: ["forbidden", "not_found"],
      });
    },
  }),
  defineRoute({
    ...page,
    access: unarchived,
    id: "branchRulePage",
    method: "GET",
    path: `${branches}/edit/{name+}`,
    summary: "The form for editing a branch protection rule",
    handle: async (request) => {
      const rule = await getBranchRule(deps, request.repository, request.params.name);
      return rulePage(deps, request, rule.pattern, { values: valuesOfRule(rule), problem: undefined });
    },
  }),
  defineRoute({
    ...change,
    id: "changeBranchRule",
    path: `${branches}/edit/{name+}`,
    summary: "Change a branch protection rule",
    body: BranchProtectionForm,
    handle: (request) => {
      const { actor, repository, params, body } = request;
      const edit = async (): Promise<RawReply> => {
        await editBranchRule(deps, actor, repository, params.name, readTyped(request, body));
        return savedAt(settingsPath(repository, "/branches"));
      };
      return submit(edit, (problem) => rulePage(deps, request, params.name, { values: body, problem }), { also: ["not_found"] });
    },
  }),
  defineRoute({
    ...change,
    id: "removeBranchRule",
    path: `${branches}/delete/{name+}`,
    summary: "Delete a branch protection rule",
    body: NoFields,
    handle: async ({ actor, repository, params }) => {
      await deleteBranchRule(deps, actor, repository, params.name);
      return savedAt(settingsPath(repository, "/branches"), "deleted");
    },
  }),
];

const tagRulePages = (deps: RuleDeps): Route[] => [
  defineRoute({
    ...page,
    id: "tagRulesPage",
    method: "GET",
    path: tags,
    summary: "Rules for tags",
    handle: (request) => tagRulesPage(deps, request),
  }),
  defineRoute({
    ...change,
    id: "addTagRule",
    path: tags,
    summary: "Protect the tags that match a pattern",
    body: TagRuleFields,
    handle: (request) => {
      const { actor, repository, body } = request;
      const add = async (): Promise<RawReply> => {
        await createTagRule(deps, actor, repository, readTagRule(body));
        return savedAt(settingsPath(repository, "/tags"));
      };
      return submit(add, (problem) => tagRulesPage(deps, request, undefined, { values: body, problem }), ofTagRule);
    },
  }),
  defineRoute({
    ...page,
    access: unarchived,
    id: "tagRulePage",
    method: "GET",
    path: `${tags}/{id}`,
    summary: "Tag protection rules, and the form for editing one",
    handle: (request) => tagRulesPage(deps, request, readId(request.params.id)),
  }),
  defineRoute({
    ...change,
    id: "changeTagRule",
    path: `${tags}/{id}`,
    summary: "Change a tag protection rule",
    body: TagRuleFields,
    handle: (request) => {
      const { actor, repository, params, body } = request;
      const id = readId(params.id);
      const edit = async (): Promise<RawReply> => {
        await editTagRule(deps, actor, repository, id, readTagRule(body));
        return savedAt(settingsPath(repository, "/tags"));
      };
      return submit(edit, (problem) => tagRulesPage(deps, request, id, { values: body, problem }), ofTagRule);
    },
  }),
  defineRoute({
    ...change,
    id: "removeTagRule",
    path: `${tags}/{id}/delete`,
    summary: "Delete a tag protection rule",
    body: NoFields,
    handle: async ({ actor, repository, params }) => {
      await deleteTagRule(deps, actor, repository, readId(params.id));
      return savedAt(settingsPath(repository, "/tags"), "deleted");
    },
  }),
];

const readTyped = (request: SettingsRequest, typed: RuleValues) => readRule(typed, textsFor(ruleTexts, pageReader(request).languages).notANumber);

const tokenOf = ({ session }: SettingsRequest): string => formTokenOf(requireSession(session));

async function show(deps: RuleDeps, request: SettingsRequest, section: RepositorySection, content: Html): Promise<RawReply> {
  const view = await getRepository(deps, request.actor, request.repository.id);
  return renderRepositorySettings({ ...pageReader(request), repository: repositoryHeader(view), section }, content);
}

/** Where the form of a tag rule shows errors. */
const ofTagRule: SubmitOptions = { field: "name_pattern", fieldOf: { rule_allows_no_one: "whitelist_usernames" }, also: ["not_found"] };

type Filled<Values> = { readonly values: Values; readonly problem: Refused<Values>["problem"] | undefined };

/** @param pattern of the rule; undefined for a new one */
function rulePage(deps: RuleDeps, request: SettingsRequest, pattern: string | undefined, filled: Filled<RuleValues>): Promise<RawReply> {
  const { repository } = request;
  const add = textsFor(ruleTexts, pageReader(request).languages).branches.add;
  const edit = textsFor(ruleTexts, pageReader(request).languages).branches.edit;
  const action = settingsPath(repository, pattern === undefined ? "/branches/new" : `/branches/edit/${encodePath(pattern)}`);
  const props = { action, repository, isNew: pattern === undefined, formToken: tokenOf(request), ...filled };
  return show(deps, request, "branches", [<h2>{pattern === undefined ? add : edit(pattern)}</h2>, <RuleForm {...props} />]);
}

async function tagRulesPage(deps: RuleDeps, request: SettingsRequest, editedId?: number, refused?: Refused<TagRuleValues>): Promise<RawReply> {
  const { repository } = request;
  const rules = (await listTagRules(deps, repository)).map(({ id, pattern, list }) => ({ id, pattern, ...list }));
  const edited = rules.find(({ id }) => id === editedId);
  const values = {
    name_pattern: edited?.pattern ?? "",
    whitelist_usernames: edited?.users.join(", ") ?? "",
    whitelist_teams: edited?.teams.join(", ") ?? "",
  };
  const props = { repository, rules, values, editedId: edited?.id, formToken: tokenOf(request), ...refused };
  return show(deps, request, "tags", <TagRulesView {...props} />);
}
