import type { Urls } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { Branch, CreateBranchRepoOption, RenameBranchRepoOption, UpdateBranchRepoOption } from "../../../../wire/branch.ts";
import { presentBranch } from "../present.ts";
import { deleteBranch, renameBranch, updateBranch } from "../service/change-branch.ts";
import { createBranch } from "../service/create-branch.ts";
import type { BranchDeps } from "../service/deps.ts";
import { getBranch, listBranches } from "../service/read.ts";

const reader = repository.reader("repo.code");
const writer = repository.writer("repo.code", { archived: "refused" });

export function branchRoutes(deps: BranchDeps & { readonly urls: Urls }): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "repoListBranches",
      method: "GET",
      path: "/repos/{owner}/{repo}/branches",
      tag: "repository",
      summary: "List the branches of a repository, most recently committed first",
      access: reader,
      scope: "repository",
      answers: { ...list(Branch, "links"), isNullable: true },
      handle: async ({ actor, repository, page }) => {
        // @compat Gitea sends null instead of an empty list for an empty repository (branches/branches.test.ts)
        if (repository.isEmpty) return { items: null, total: 0 };
        const { items, total } = await listBranches(deps, actor, repository, page);
        return { items: items.map((branch) => presentBranch(branch, repository, urls)), total };
      },
    }),
    defineRoute({
      id: "repoGetBranch",
      method: "GET",
      path: "/repos/{owner}/{repo}/branches/{branch+}",
      tag: "repository",
      summary: "Get a branch with its latest commit",
      access: reader,
      scope: "repository",
      answers: json(200, Branch),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params }) => presentBranch(await getBranch(deps, actor, repository, params.branch), repository, urls),
    }),
    defineRoute({
      id: "repoCreateBranch",
      method: "POST",
      path: "/repos/{owner}/{repo}/branches",
      tag: "repository",
      summary: "Create a branch from a branch, a tag or a commit",
      access: writer,
      scope: "repository",
      body: CreateBranchRepoOption,
      answers: json(201, Branch),
      refusals: { 403: "forbidden", 404: "notFound", 409: "conflict", 423: "repoArchivedError" },
      handle: async ({ actor, repository, body }) => {
        const input = { name: body.new_branch_name, fromRev: body.old_ref_name, fromBranch: body.old_branch_name };
        return presentBranch(await createBranch(deps, actor, repository, input), repository, urls);
      },
    }),
    defineRoute({
      id: "repoRenameBranch",
      method: "PATCH",
      path: "/repos/{owner}/{repo}/branches/{branch+}",
      tag: "repository",
      summary: "Rename a branch",
      access: writer,
      scope: "repository",
      body: RenameBranchRepoOption,
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound", 422: "validationError" },
      handle: ({ actor, repository, params, body }) => renameBranch(deps, actor, repository, params.branch, body.name),
    }),
    defineRoute({
      id: "repoUpdateBranch",
      method: "PUT",
      path: "/repos/{owner}/{repo}/branches/{branch+}",
      tag: "repository",
      summary: "Move a branch to another commit",
      access: writer,
      scope: "repository",
      body: UpdateBranchRepoOption,
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound", 409: "conflict", 422: "validationError" },
      handle: ({ actor, repository, params, body }) => {
        const target = { newRev: body.new_commit_id, oldRev: body.old_commit_id, isForced: body.force };
        return updateBranch(deps, actor, repository, params.branch, target);
      },
    }),
    defineRoute({
      id: "repoDeleteBranch",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/branches/{branch+}",
      tag: "repository",
      summary: "Delete a branch",
      access: writer,
      scope: "repository",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound", 423: "repoArchivedError" },
      handle: ({ actor, repository, params }) => deleteBranch(deps, actor, repository, params.branch),
    }),
  ];
}
