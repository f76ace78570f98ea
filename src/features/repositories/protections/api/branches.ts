import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { BranchProtection, CreateBranchProtectionOption, EditBranchProtectionOption, UpdateBranchProtectionPriories } from "../../../../wire/protection.ts";
import type { BranchRuleEdit, NamedList } from "../model.ts";
import { presentBranchRule } from "../present.ts";
import { createBranchRule, deleteBranchRule, editBranchRule, getBranchRule, listBranchRules, orderBranchRules } from "../service/branch-rules.ts";
import { readSettings } from "../setting-names.ts";

const common = { tag: "repository", scope: "repository" } as const;

/** Routes for branch protection rules. */
export function branchProtectionRoutes(deps: { readonly db: Db }): Route[] {
  return [
    defineRoute({
      ...common,
      id: "repoListBranchProtection",
      method: "GET",
      path: "/repos/{owner}/{repo}/branch_protections",
      summary: "List the branch protections of a repository in order of precedence",
      access: repository.admin(),
      answers: list(BranchProtection, "none"),
      handle: async ({ repository }) => {
        const rules = await listBranchRules(deps, repository);
        return { items: rules.map(presentBranchRule), total: rules.length };
      },
    }),
    defineRoute({
      ...common,
      id: "repoCreateBranchProtection",
      method: "POST",
      path: "/repos/{owner}/{repo}/branch_protections",
      summary: "Create a branch protection for a branch or a pattern",
      access: repository.admin({ archived: "refused" }),
      body: CreateBranchProtectionOption,
      answers: json(201, BranchProtection),
      refusals: { 400: "error", 403: "forbidden", 404: "notFound", 422: "validationError", 423: "repoArchivedError" },
      handle: async ({ actor, repository, body }) => {
        const pattern = body.rule_name === "" ? body.branch_name : body.rule_name;
        const edit = readEdit({ ...body, priority: body.priority === 0 ? null : body.priority });
        return presentBranchRule(await createBranchRule(deps, actor, repository, { pattern, ...edit }));
      },
    }),
    defineRoute({
      ...common,
      id: "repoUpdateBranchProtectionPriories",
      method: "POST",
      path: "/repos/{owner}/{repo}/branch_protections/priority",
      summary: "Set the order of the branch protections",
      access: repository.admin({ archived: "refused" }),
      body: UpdateBranchProtectionPriories,
      answers: empty(),
      refusals: { 404: "notFound", 422: "validationError", 423: "repoArchivedError" },
      handle: ({ actor, repository, body }) => orderBranchRules(deps, actor, repository, body.ids ?? []),
    }),
    defineRoute({
      ...common,
      id: "repoGetBranchProtection",
      method: "GET",
      path: "/repos/{owner}/{repo}/branch_protections/{name+}",
      summary: "Get a branch protection by its pattern",
      access: repository.admin(),
      answers: json(200, BranchProtection),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params }) => presentBranchRule(await getBranchRule(deps, repository, params.name)),
    }),
    defineRoute({
      ...common,
      id: "repoEditBranchProtection",
      method: "PATCH",
      path: "/repos/{owner}/{repo}/branch_protections/{name+}",
      summary: "Edit a branch protection; absent fields are left unchanged",
      access: repository.admin({ archived: "refused" }),
      body: EditBranchProtectionOption,
      answers: json(200, BranchProtection),
      refusals: { 404: "notFound", 422: "validationError", 423: "repoArchivedError" },
      handle: async ({ actor, repository, params, body }) => presentBranchRule(await editBranchRule(deps, actor, repository, params.name, readEdit(body))),
    }),
    defineRoute({
      ...common,
      id: "repoDeleteBranchProtection",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/branch_protections/{name+}",
      summary: "Delete a branch protection",
      access: repository.admin({ archived: "refused" }),
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, repository, params }) => deleteBranchRule(deps, actor, repository, params.name),
    }),
  ];
}

/** Converts from the API's field names; null means omitted. */
function readEdit(body: EditBranchProtectionOption): BranchRuleEdit {
  return {
    ...(body.priority !== null && { priority: body.priority }),
    // @compat a number below 0 means none (protections/api.test.ts)
    settings: readSettings({ ...body, required_approvals: body.required_approvals && Math.max(body.required_approvals, 0) }),
    lists: {
      push: readList(body.push_whitelist_usernames, body.push_whitelist_teams),
      force_push: readList(body.force_push_allowlist_usernames, body.force_push_allowlist_teams),
      merge: readList(body.merge_whitelist_usernames, body.merge_whitelist_teams),
      approve: readList(body.approvals_whitelist_username, body.approvals_whitelist_teams),
    },
  };
}

const readList = (users: readonly string[] | null, teams: readonly string[] | null): Partial<NamedList> => ({
  ...(users !== null && { users }),
  ...(teams !== null && { teams }),
});
