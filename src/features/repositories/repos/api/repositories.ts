import type { Urls } from "../../../../core/urls.ts";
import { account, organization, repository, signedIn } from "../../../../http/access.ts";
import { empty, json } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { Repository } from "../../../../wire/repository.ts";
import { CreateRepoOption, EditRepoOption } from "../../../../wire/repository-options.ts";
import { presentRepository } from "../present.ts";
import { type CreateDeps, createRepository } from "../service/create.ts";
import { createInOrganization } from "../service/create-in-organization.ts";
import { deleteRepository } from "../service/delete.ts";
import { type EditDeps, editRepository } from "../service/edit.ts";
import { findRepositoryById } from "../service/find.ts";
import { getRepository } from "../service/loaders.ts";
import { readEdit, readNewRepository } from "./read-options.ts";

export interface RepositoryApiDeps extends CreateDeps {
  readonly config: CreateDeps["config"] & EditDeps["config"];
  readonly urls: Urls;
}

/** Routes that create, return, edit and delete a repository. */
export function repositoryRoutes(deps: RepositoryApiDeps): Route[] {
  const { urls } = deps;
  return [
    ...creationRoutes(deps),
    defineRoute({
      id: "repoGet",
      method: "GET",
      path: "/repos/{owner}/{repo}",
      tag: "repository",
      summary: "Get a repository",
      access: repository.visible,
      scope: "repository",
      answers: json(200, Repository),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository }) => presentRepository(await getRepository(deps, actor, repository.id), actor, urls),
    }),
    defineRoute({
      id: "repoGetByID",
      method: "GET",
      path: "/repositories/{id}",
      tag: "repository",
      summary: "Get a repository by id",
      access: signedIn,
      scope: "repository",
      answers: json(200, Repository),
      refusals: { 404: "notFound" },
      handle: async ({ actor, params }) => {
        const { id } = await findRepositoryById(deps, readId(params.id), actor);
        return presentRepository(await getRepository(deps, actor, id), actor, urls);
      },
    }),
    defineRoute({
      id: "repoEdit",
      method: "PATCH",
      path: "/repos/{owner}/{repo}",
      tag: "repository",
      summary: "Edit a repository; absent fields are left unchanged",
      access: repository.admin(),
      scope: "repository",
      body: EditRepoOption,
      answers: json(200, Repository),
      refusals: { 403: "forbidden", 404: "notFound", 422: "validationError" },
      handle: async ({ actor, repository, body }) => presentRepository(await editRepository(deps, actor, repository, readEdit(body)), actor, urls),
    }),
    defineRoute({
      id: "repoDelete",
      method: "DELETE",
      path: "/repos/{owner}/{repo}",
      tag: "repository",
      summary: "Delete a repository",
      access: repository.owner(),
      scope: "repository",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, repository }) => deleteRepository(deps, actor, repository),
    }),
  ];
}

function creationRoutes(deps: RepositoryApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "createCurrentUserRepo",
      method: "POST",
      path: "/user/repos",
      tag: "repository",
      summary: "Create a repository for the authenticated user",
      access: signedIn,
      scope: ["user", "repository"],
      refusesPublicOnly: true,
      body: CreateRepoOption,
      answers: json(201, Repository),
      refusals: { 400: "error", 409: "conflict", 422: "validationError" },
      handle: async ({ actor, body }) => {
        const owner = { id: actor.id, name: actor.name, kind: "user" } as const;
        return presentRepository(await createRepository(deps, actor, owner, readNewRepository(body)), actor, urls);
      },
    }),
    defineRoute({
      id: "adminCreateRepo",
      method: "POST",
      path: "/admin/users/{username}/repos",
      tag: "admin",
      summary: "Create a repository for a user",
      access: account.siteAdmin,
      scope: "admin",
      body: CreateRepoOption,
      answers: json(201, Repository),
      refusals: { 400: "error", 403: "forbidden", 404: "notFound", 409: "error", 422: "validationError" },
      handle: async ({ actor, account, body }) => presentRepository(await createRepository(deps, actor, account, readNewRepository(body)), actor, urls),
    }),
    defineRoute({
      id: "createOrgRepo",
      method: "POST",
      path: "/orgs/{org}/repos",
      tag: "organization",
      summary: "Create a repository in an organization",
      access: organization.signedIn,
      scope: "organization",
      body: CreateRepoOption,
      answers: json(201, Repository),
      refusals: { 400: "error", 403: "forbidden", 404: "notFound", 409: "conflict" },
      handle: async ({ actor, organization, body }) =>
        presentRepository(await createInOrganization(deps, actor, organization, readNewRepository(body)), actor, urls),
    }),
    defineRoute({
      id: "createOrgRepoDeprecated",
      method: "POST",
      path: "/org/{org}/repos",
      tag: "organization",
      summary: "Create a repository in an organization",
      isDeprecated: true,
      access: organization.signedIn,
      scope: ["organization", "repository"],
      body: CreateRepoOption,
      answers: json(201, Repository),
      refusals: { 400: "error", 403: "forbidden", 404: "notFound", 409: "conflict", 422: "validationError" },
      handle: async ({ actor, organization, body }) =>
        presentRepository(await createInOrganization(deps, actor, organization, readNewRepository(body)), actor, urls),
    }),
  ];
}

/** @compat an id that is not a number results in 404 (repos/api/create.test.ts) */
const readId = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);
