import { readId } from "../../../../core/ids.ts";
import type { Urls } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { Branch } from "../../../../wire/branch.ts";
import { DeletedBranch, RestoreBranchOption } from "../../../../wire/deleted-branch.ts";
import { presentBranch, presentDeletedBranch } from "../present.ts";
import { forgetBranch, listDeletedBranches, restoreBranch } from "../service/deleted.ts";
import type { BranchDeps } from "../service/deps.ts";

const path = "/repos/{owner}/{repo}/deleted_branches";
const common = { tag: "repository", scope: "repository" } as const;
const writer = repository.writer("repo.code", { archived: "refused" });

/** Routes for deleted branches that can still be restored. */
export function deletedBranchRoutes(deps: BranchDeps & { readonly urls: Urls }): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      ...common,
      id: "repoListDeletedBranches",
      method: "GET",
      path,
      summary: "List the deleted branches that can be restored, most recently deleted first",
      access: writer,
      answers: list(DeletedBranch, "none"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository }) => {
        const items = await listDeletedBranches(deps, repository);
        return { items: items.map((deleted) => presentDeletedBranch(deleted, actor, urls)), total: items.length };
      },
    }),
    defineRoute({
      ...common,
      id: "repoRestoreBranch",
      method: "POST",
      path: `${path}/{id}/restore`,
      summary: "Restore a deleted branch, optionally with a new name",
      access: writer,
      body: RestoreBranchOption,
      answers: json(201, Branch),
      refusals: { 403: "forbidden", 404: "notFound", 409: "conflict", 423: "repoArchivedError" },
      handle: async ({ actor, repository, params, body }) =>
        presentBranch(await restoreBranch(deps, actor, repository, { id: readId(params.id), name: body.name }), repository, urls),
    }),
    defineRoute({
      ...common,
      id: "repoForgetDeletedBranch",
      method: "DELETE",
      path: `${path}/{id}`,
      summary: "Permanently delete a deleted branch, such as one with a leaked secret",
      access: repository.admin({ archived: "refused" }),
      answers: empty(),
      refusals: { 404: "notFound", 423: "repoArchivedError" },
      handle: ({ repository, params }) => forgetBranch(deps, repository, readId(params.id)),
    }),
  ];
}
