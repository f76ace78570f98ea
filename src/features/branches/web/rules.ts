import { h } from "preact";
import type { Static } from "typebox";
import { invalid } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import { encodePath } from "../../../core/urls.ts";
import type { Db } from "../../../db/db.ts";
import { repository } from "../../../http/access.ts";
import type { RawReply } from "../../../http/answers.ts";
import { savedAt, submit } from "../../../http/form-submit.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { type Refused, repositorySettingsPage, type SettingsRequest } from "../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { settingsPath } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { type RepositorySection, renderRepositorySettings } from "../../../ui/settings.ts";
import { textsFor } from "../../../ui/texts/texts.ts";
import { bool, inPlace, text } from "../../../wire/schema.ts";
import { defaultSettings } from "../../protections/rules.ts";
import { createBranchRule, deleteBranchRule, editBranchRule, getBranchRule, listBranchRules } from "../../protections/service/branch-rules.ts";
import { createTagRule, deleteTagRule, editTagRule, listTagRules } from "../../protections/service/tag-rules.ts";
import type { BranchRuleEdit, BranchRuleView, NamedList } from "../../protections/view.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/views.ts";
import { RuleForm, RulesView, type RuleValues, TagRulesView, type TagRuleValues } from "../views/rules.ts";

interface RuleDeps {
  readonly db: Db;
}

const RuleFields = inPlace({
  rule_name: text(),
  priority: text(),
  enable_push: bool(),
  enable_push_whitelist: bool(),
  push_whitelist_usernames: text(),
  push_whitelist_teams: text(),
  push_whitelist_deploy_keys: bool(),
  enable_force_push: bool(),
  enable_force_push_allowlist: bool(),
  force_push_allowlist_usernames: text(),
  force_push_allowlist_teams: text(),
  force_push_allowlist_deploy_keys: bool(),
  enable_merge_whitelist: bool(),
  merge_whitelist_usernames: text(),
  merge_whitelist_teams: text(),
  enable_status_check: bool(),
  status_check_contexts: text(),
  required_approvals: text(),
  enable_approvals_whitelist: bool(),
  approvals_whitelist_username: text(),
  approvals_whitelist_teams: text(),
  block_on_rejected_reviews: bool(),
  block_on_official_review_requests: bool(),
  block_on_outdated_branch: bool(),
  dismiss_stale_approvals: bool(),
  ignore_stale_approvals: bool(),
  require_signed_commits: bool(),
  protected_file_patterns: text(),
  unprotected_file_patterns: text(),
  block_admin_merge_override: bool(),
});
const TagRuleFields = inPlace({ name_pattern: text(), whitelist_usernames: text(), whitelist_teams: text() });
const NoFields = inPlace({});

const page = repositorySettingsPage;
/** What changes a rule; an archived repository keeps those that it has. */
const change = { ...page, method: "POST", access: repository.admin({ archived: "refused" }) } as const;
const branches = "/{owner}/{repo}/settings/branches";
const tags = "/{owner}/{repo}/settings/tags";

/** Rules for branches and tags, for those who decide about them. */
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
      return show(deps, request, "branches", h(RulesView, { repository, rules, formToken: tokenOf(request) }));
    },
  }),
  defineRoute({
    ...page,
    id: "newBranchRulePage",
    method: "GET",
    path: `${branches}/new`,
    summary: "The form of a rule for branches",
    handle: (request) => rulePage(deps, request, undefined, { values: noRule, problem: undefined }),
  }),
  defineRoute({
    ...change,
    id: "addBranchRule",
    path: `${branches}/new`,
    summary: "Protect a branch, or all that a pattern fits",
    body: RuleFields,
    handle: (request) => {
      const { actor, repository, body } = request;
      const add = async (): Promise<RawReply> => {
        const pattern = body.rule_name.trim();
        if (pattern === "") throw invalid("[RuleName]: Required");
        await createBranchRule(deps, actor, repository, { pattern, ...readRule(request, body) });
        return savedAt(settingsPath(repository, "/branches"));
      };
      return submit(add, (problem) => rulePage(deps, request, undefined, { values: body, problem }), { also: ["forbidden"] });
    },
  }),
  defineRoute({
    ...page,
    id: "branchRulePage",
    method: "GET",
    path: `${branches}/edit/{name+}`,
    summary: "The form of one rule for branches",
    handle: async (request) => {
      const rule = await getBranchRule(deps, request.repository, request.params.name);
      return rulePage(deps, request, rule.pattern, { values: valuesOf(rule), problem: undefined });
    },
  }),
  defineRoute({
    ...change,
    id: "changeBranchRule",
    path: `${branches}/edit/{name+}`,
    summary: "Change a rule for branches",
    body: RuleFields,
    handle: (request) => {
      const { actor, repository, params, body } = request;
      const edit = async (): Promise<RawReply> => {
        await editBranchRule(deps, actor, repository, params.name, readRule(request, body));
        return savedAt(settingsPath(repository, "/branches"));
      };
      return submit(edit, (problem) => rulePage(deps, request, params.name, { values: body, problem }));
    },
  }),
  defineRoute({
    ...change,
    id: "removeBranchRule",
    path: `${branches}/delete/{name+}`,
    summary: "Delete a rule for branches",
    body: NoFields,
    handle: async ({ actor, repository, params }) => {
      await deleteBranchRule(deps, actor, repository, params.name);
      return savedAt(settingsPath(repository, "/branches"));
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
    summary: "Protect the tags that a pattern fits",
    body: TagRuleFields,
    handle: (request) => {
      const { actor, repository, body } = request;
      const add = async (): Promise<RawReply> => {
        await createTagRule(deps, actor, repository, readTagRule(body));
        return savedAt(settingsPath(repository, "/tags"));
      };
      return submit(add, (problem) => tagRulesPage(deps, request, undefined, { values: body, problem }), { field: "name_pattern" });
    },
  }),
  defineRoute({
    ...page,
    id: "tagRulePage",
    method: "GET",
    path: `${tags}/{id}`,
    summary: "Rules for tags, and the form of one",
    handle: (request) => tagRulesPage(deps, request, readId(request.params.id)),
  }),
  defineRoute({
    ...change,
    id: "changeTagRule",
    path: `${tags}/{id}`,
    summary: "Change a rule for tags",
    body: TagRuleFields,
    handle: (request) => {
      const { actor, repository, params, body } = request;
      const id = readId(params.id);
      const edit = async (): Promise<RawReply> => {
        await editTagRule(deps, actor, repository, id, readTagRule(body));
        return savedAt(settingsPath(repository, "/tags"));
      };
      return submit(edit, (problem) => tagRulesPage(deps, request, id, { values: body, problem }), { field: "name_pattern" });
    },
  }),
  defineRoute({
    ...change,
    id: "removeTagRule",
    path: `${tags}/{id}/delete`,
    summary: "Delete a rule for tags",
    body: NoFields,
    handle: async ({ actor, repository, params }) => {
      await deleteTagRule(deps, actor, repository, readId(params.id));
      return savedAt(settingsPath(repository, "/tags"));
    },
  }),
];

const tokenOf = ({ session }: SettingsRequest): string => formTokenOf(requireSession(session));

async function show(deps: RuleDeps, request: SettingsRequest, section: RepositorySection, content: Html): Promise<RawReply> {
  const view = await getRepository(deps, request.actor, request.repository.id);
  return renderRepositorySettings({ ...pageReader(request), repository: repositoryHeader(view), section }, content);
}

type Filled<Values> = { readonly values: Values; readonly problem: Refused<Values>["problem"] | undefined };

/** @param pattern of the rule; undefined for a new one */
function rulePage(deps: RuleDeps, request: SettingsRequest, pattern: string | undefined, filled: Filled<RuleValues>): Promise<RawReply> {
  const { repository } = request;
  const { add, edit } = textsFor(pageReader(request).languages).settings.branches;
  const action = settingsPath(repository, pattern === undefined ? "/branches/new" : `/branches/edit/${encodePath(pattern)}`);
  const facts = { action, repository, isNew: pattern === undefined, formToken: tokenOf(request), ...filled };
  return show(deps, request, "branches", [h("h2", null, pattern === undefined ? add : edit(pattern)), h(RuleForm, facts)]);
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
  const facts = { repository, rules, values, editedId: edited?.id, formToken: tokenOf(request), ...refused };
  return show(deps, request, "tags", h(TagRulesView, facts));
}

/** What commas and line ends separate. */
const listed = (typed: string, separator: RegExp = /[,\n]/): string[] =>
  typed
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== "");

const listOf = (users: string, teams: string): NamedList => ({ users: listed(users), teams: listed(teams) });

const readTagRule = (body: TagRuleValues) => ({ pattern: body.name_pattern.trim(), list: listOf(body.whitelist_usernames, body.whitelist_teams) });

const whole = /^\d{1,9}$/;

function readRule(request: SettingsRequest, body: Static<typeof RuleFields>): BranchRuleEdit {
  const { notANumber } = textsFor(pageReader(request).languages).forms;
  const priority = body.priority.trim();
  const approvals = body.required_approvals.trim() || "0";
  if (priority !== "" && !whole.test(priority)) throw invalid(`[Priority]: ${notANumber}`);
  if (!whole.test(approvals)) throw invalid(`[RequiredApprovals]: ${notANumber}`);
  return {
    ...(priority !== "" && { priority: Number(priority) }),
    settings: {
      canPush: body.enable_push,
      hasPushList: body.enable_push_whitelist,
      letsDeployKeysPush: body.push_whitelist_deploy_keys,
      canForcePush: body.enable_force_push,
      hasForcePushList: body.enable_force_push_allowlist,
      letsDeployKeysForcePush: body.force_push_allowlist_deploy_keys,
      hasMergeList: body.enable_merge_whitelist,
      hasStatusChecks: body.enable_status_check,
      statusContexts: listed(body.status_check_contexts, /\n/),
      requiredApprovals: Number(approvals),
      hasApprovalList: body.enable_approvals_whitelist,
      blocksOnRejection: body.block_on_rejected_reviews,
      blocksOnReviewRequests: body.block_on_official_review_requests,
      blocksOnOutdated: body.block_on_outdated_branch,
      dismissesStaleApprovals: body.dismiss_stale_approvals,
      ignoresStaleApprovals: body.ignore_stale_approvals,
      requiresSignatures: body.require_signed_commits,
      protectedFiles: body.protected_file_patterns.trim(),
      unprotectedFiles: body.unprotected_file_patterns.trim(),
      blocksAdminOverride: body.block_admin_merge_override,
    },
    lists: {
      push: listOf(body.push_whitelist_usernames, body.push_whitelist_teams),
      force_push: listOf(body.force_push_allowlist_usernames, body.force_push_allowlist_teams),
      merge: listOf(body.merge_whitelist_usernames, body.merge_whitelist_teams),
      approve: listOf(body.approvals_whitelist_username, body.approvals_whitelist_teams),
    },
  };
}

function valuesOf({ pattern, priority, settings, lists }: Pick<BranchRuleView, "pattern" | "priority" | "settings" | "lists">): RuleValues {
  const users = (list: keyof typeof lists): string => lists[list].users.join(", ");
  const teams = (list: keyof typeof lists): string => lists[list].teams.join(", ");
  return {
    rule_name: pattern,
    priority: String(priority),
    enable_push: settings.canPush,
    enable_push_whitelist: settings.hasPushList,
    push_whitelist_usernames: users("push"),
    push_whitelist_teams: teams("push"),
    push_whitelist_deploy_keys: settings.letsDeployKeysPush,
    enable_force_push: settings.canForcePush,
    enable_force_push_allowlist: settings.hasForcePushList,
    force_push_allowlist_usernames: users("force_push"),
    force_push_allowlist_teams: teams("force_push"),
    force_push_allowlist_deploy_keys: settings.letsDeployKeysForcePush,
    enable_merge_whitelist: settings.hasMergeList,
    merge_whitelist_usernames: users("merge"),
    merge_whitelist_teams: teams("merge"),
    enable_status_check: settings.hasStatusChecks,
    status_check_contexts: (settings.statusContexts ?? []).join("\n"),
    required_approvals: String(settings.requiredApprovals),
    enable_approvals_whitelist: settings.hasApprovalList,
    approvals_whitelist_username: users("approve"),
    approvals_whitelist_teams: teams("approve"),
    block_on_rejected_reviews: settings.blocksOnRejection,
    block_on_official_review_requests: settings.blocksOnReviewRequests,
    block_on_outdated_branch: settings.blocksOnOutdated,
    dismiss_stale_approvals: settings.dismissesStaleApprovals,
    ignore_stale_approvals: settings.ignoresStaleApprovals,
    require_signed_commits: settings.requiresSignatures,
    protected_file_patterns: settings.protectedFiles,
    unprotected_file_patterns: settings.unprotectedFiles,
    block_admin_merge_override: settings.blocksAdminOverride,
  };
}

const nobody: NamedList = { users: [], teams: [] };
const noRule = valuesOf({ pattern: "", priority: 0, settings: defaultSettings, lists: { push: nobody, force_push: nobody, merge: nobody, approve: nobody } });
