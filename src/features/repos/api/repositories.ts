import type { Urls } from "../../../core/urls.ts";
import { repository, signedIn } from "../../../http/access.ts";
import { json } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { Repository } from "../../../wire/repository.ts";
import { CreateRepoOption } from "../../../wire/repository-options.ts";
import { presentRepository } from "../present.ts";
import { type CreateDeps, createRepository, type NewRepository } from "../service/create.ts";
import { getRepository } from "../service/views.ts";

export interface RepositoryApiDeps extends CreateDeps {
  readonly urls: Urls;
}

/** One repository: made, shown, edited, deleted. */
export function repositoryRoutes(deps: RepositoryApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "createCurrentUserRepo",
      method: "POST",
      path: "/user/repos",
      tag: "repository",
      summary: "Make a repository of the caller's own",
      access: signedIn,
      scope: ["user", "repository"],
      refusesPublicOnly: true,
      body: CreateRepoOption,
      answers: json(201, Repository),
      refusals: { 400: "error", 422: "validationError" },
      handle: async ({ actor, body }) =>
        presentRepository(await createRepository(deps, actor, { id: actor.id, name: actor.name, kind: "user" }, readNewRepository(body)), actor, urls),
    }),
    defineRoute({
      id: "repoGet",
      method: "GET",
      path: "/repos/{owner}/{repo}",
      tag: "repository",
      summary: "One repository",
      access: repository.visible,
      scope: "repository",
      answers: json(200, Repository),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository }) => presentRepository(await getRepository(deps, actor, repository.id), actor, urls),
    }),
  ];
}

export const readNewRepository = (option: CreateRepoOption): NewRepository => ({
  name: option.name,
  description: option.description,
  isPrivate: option.private,
  isTemplate: option.template,
  hasFirstCommit: option.auto_init,
  readme: option.readme,
  gitignores: option.gitignores,
  license: option.license,
  labels: option.issue_labels,
  defaultBranch: option.default_branch,
  trustModel: option.trust_model,
  objectFormat: option.object_format_name,
});
