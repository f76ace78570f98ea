import { isSelf, isSiteAdmin, type UserActor } from "../../../../access/actor.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { AddCollaboratorOption, RepoCollaboratorPermission } from "../../../../wire/collaborator.ts";
import { User } from "../../../../wire/user.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { presentUser } from "../../../accounts/users/present.ts";
import {
  getPermission,
  isCollaborator,
  listAssignees,
  listCollaborators,
  listReviewers,
  putCollaborator,
  removeCollaborator,
} from "../service/collaborators.ts";

export interface CollaboratorApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

/** Routes for collaborators, permissions, assignees and reviewers. */
export function collaboratorRoutes(deps: CollaboratorApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "repoListCollaborators",
      method: "GET",
      path: "/repos/{owner}/{repo}/collaborators",
      tag: "repository",
      summary: "List the collaborators of a repository",
      access: repository.signedIn(),
      scope: "repository",
      answers: list(User, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, page }) => {
        const users = await listCollaborators(deps, repository, page);
        return { total: users.total, items: users.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
    defineRoute({
      id: "repoCheckCollaborator",
      method: "GET",
      path: "/repos/{owner}/{repo}/collaborators/{collaborator}",
      tag: "repository",
      summary: "Check whether a user is a collaborator",
      access: repository.signedIn(),
      scope: "repository",
      answers: empty(),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ repository, params }) => {
        if (!(await isCollaborator(deps, repository, params.collaborator))) throw notFound();
      },
    }),
    defineRoute({
      id: "repoAddCollaborator",
      method: "PUT",
      path: "/repos/{owner}/{repo}/collaborators/{collaborator}",
      tag: "repository",
      summary: "Add a collaborator to a repository, or change their permission",
      access: repository.admin(),
      scope: "repository",
      body: AddCollaboratorOption,
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound", 422: "validationError" },
      handle: ({ actor, repository, params, body }) => putCollaborator(deps, actor, repository, params.collaborator, body.permission),
    }),
    defineRoute({
      id: "repoDeleteCollaborator",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/collaborators/{collaborator}",
      tag: "repository",
      summary: "Remove a collaborator from a repository",
      access: repository.admin(),
      scope: "repository",
      answers: empty(),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: ({ actor, repository, params }) => removeCollaborator(deps, actor, repository, params.collaborator),
    }),
    defineRoute({
      id: "repoGetRepoPermissions",
      method: "GET",
      path: "/repos/{owner}/{repo}/collaborators/{collaborator}/permission",
      tag: "repository",
      summary: "Get the permission of a user on a repository",
      access: repository.signedIn(),
      scope: "repository",
      answers: json(200, RepoCollaboratorPermission),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, repository, params }) => {
        const { mode, user } = await getPermission(deps, actor, repository, params.collaborator);
        return { permission: mode, role_name: mode, user: presentCollaborator(user, actor, repository.ownerId, urls) };
      },
    }),
    defineRoute({
      id: "repoGetAssignees",
      method: "GET",
      path: "/repos/{owner}/{repo}/assignees",
      tag: "repository",
      summary: "List the users who can be assigned to issues",
      access: repository.signedIn(),
      scope: "repository",
      answers: list(User, "none"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository }) => {
        const users = await listAssignees(deps, repository);
        return { total: users.length, items: users.map((user) => presentUser(user, actor, urls)) };
      },
    }),
    defineRoute({
      id: "repoGetReviewers",
      method: "GET",
      path: "/repos/{owner}/{repo}/reviewers",
      tag: "repository",
      summary: "List the users whose review can be requested",
      access: repository.signedIn(),
      scope: "repository",
      answers: list(User, "none"),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, repository }) => {
        const users = await listReviewers(deps, repository);
        return { total: users.length, items: users.map((user) => presentUser(user, actor, urls)) };
      },
    }),
  ];
}

/**
 * @compat Private details of the owner of the repository are shown to themselves and to site administrators. Other users are presented as a
 * signed-in user sees them (repos/api/collaborators.test.ts).
 */
const presentCollaborator = (user: UserView, actor: UserActor, ownerId: number, urls: Urls): User =>
  presentUser(user, user.id === ownerId && (isSelf(actor, ownerId) || isSiteAdmin(actor)) ? actor : { ...actor, id: 0, isAdmin: false }, urls);
