import { readId } from "../../../../core/ids.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { CreateTagProtectionOption, EditTagProtectionOption, TagProtection } from "../../../../wire/protection.ts";
import { presentTagRule } from "../present.ts";
import { createTagRule, deleteTagRule, editTagRule, getTagRule, listTagRules } from "../service/tag-rules.ts";

const common = { tag: "repository", scope: "repository" } as const;

/** Routes for tag protection rules. */
export function tagProtectionRoutes(deps: { readonly db: Db }): Route[] {
  return [
    defineRoute({
      ...common,
      id: "repoListTagProtection",
      method: "GET",
      path: "/repos/{owner}/{repo}/tag_protections",
      summary: "List the tag protections of a repository",
      access: repository.admin(),
      answers: list(TagProtection, "none"),
      handle: async ({ repository }) => {
        const rules = await listTagRules(deps, repository);
        return { items: rules.map(presentTagRule), total: rules.length };
      },
    }),
    defineRoute({
      ...common,
      id: "repoCreateTagProtection",
      method: "POST",
      path: "/repos/{owner}/{repo}/tag_protections",
      summary: "Create a tag protection for a pattern",
      access: repository.admin({ archived: "refused" }),
      body: CreateTagProtectionOption,
      answers: json(201, TagProtection),
      refusals: { 400: "error", 403: "forbidden", 404: "notFound", 422: "validationError", 423: "repoArchivedError" },
      handle: async ({ actor, repository, body }) => {
        const listed = { users: body.whitelist_usernames ?? [], teams: body.whitelist_teams ?? [] };
        return presentTagRule(await createTagRule(deps, actor, repository, { pattern: body.name_pattern, list: listed }));
      },
    }),
    defineRoute({
      ...common,
      id: "repoGetTagProtection",
      method: "GET",
      path: "/repos/{owner}/{repo}/tag_protections/{id}",
      summary: "Get a tag protection",
      access: repository.admin(),
      answers: json(200, TagProtection),
      refusals: { 404: "notFound" },
      handle: async ({ repository, params }) => presentTagRule(await getTagRule(deps, repository, readId(params.id))),
    }),
    defineRoute({
      ...common,
      id: "repoEditTagProtection",
      method: "PATCH",
      path: "/repos/{owner}/{repo}/tag_protections/{id}",
      summary: "Edit a tag protection; absent fields are left unchanged",
      access: repository.admin({ archived: "refused" }),
      body: EditTagProtectionOption,
      answers: json(200, TagProtection),
      refusals: { 404: "notFound", 422: "validationError", 423: "repoArchivedError" },
      handle: async ({ actor, repository, params, body }) => {
        const listed = {
          ...(body.whitelist_usernames !== null && { users: body.whitelist_usernames }),
          ...(body.whitelist_teams !== null && { teams: body.whitelist_teams }),
        };
        const edit = { list: listed, ...(body.name_pattern !== null && { pattern: body.name_pattern }) };
        return presentTagRule(await editTagRule(deps, actor, repository, readId(params.id), edit));
      },
    }),
    defineRoute({
      ...common,
      id: "repoDeleteTagProtection",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/tag_protections/{id}",
      summary: "Delete a tag protection",
      access: repository.admin({ archived: "refused" }),
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, repository, params }) => deleteTagRule(deps, actor, repository, readId(params.id)),
    }),
  ];
}
