import type { Urls } from "../../../core/urls.ts";
import type { Db } from "../../../db/db.ts";
import { organization, signedIn } from "../../../http/access.ts";
import { empty, list } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { User } from "../../../wire/user.ts";
import { presentUser } from "../users/present.ts";
import { listBlocked } from "../users/service/blocks.ts";
import { block, checkBlock, unblock } from "./service.ts";

export interface BlockApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

export const blockRoutes = (deps: BlockApiDeps): Route[] => [...userRoutes(deps), ...organizationRoutes(deps)];

const noteParameter = query.text("The reason, visible only to the blocker");

function userRoutes(deps: BlockApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "userListBlocks",
      method: "GET",
      path: "/user/blocks",
      tag: "user",
      summary: "List the users that the caller blocks",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: list(User, "total"),
      handle: async ({ actor, page }) => {
        const found = await listBlocked(deps, actor, actor.id, page);
        return { total: found.total, items: found.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
    defineRoute({
      id: "userCheckUserBlock",
      method: "GET",
      path: "/user/blocks/{username}",
      tag: "user",
      summary: "Check whether the caller blocks a user",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, params }) => checkBlock(deps, actor, { id: actor.id, name: actor.name, kind: "user" }, params.username),
    }),
    defineRoute({
      id: "userBlockUser",
      method: "PUT",
      path: "/user/blocks/{username}",
      tag: "user",
      summary: "Block a user",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      query: { note: noteParameter },
      answers: empty(),
      refusals: { 400: "error", 404: "notFound", 422: "validationError" },
      handle: ({ actor, params, query }) =>
        block(deps, actor, { id: actor.id, name: actor.name, kind: "user" }, { name: params.username, note: query.note ?? "" }),
    }),
    defineRoute({
      id: "userUnblockUser",
      method: "DELETE",
      path: "/user/blocks/{username}",
      tag: "user",
      summary: "Unblock a user",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: empty(),
      refusals: { 400: "error", 404: "notFound", 422: "validationError" },
      handle: ({ actor, params }) => unblock(deps, actor, { id: actor.id, name: actor.name, kind: "user" }, params.username),
    }),
  ];
}

function organizationRoutes(deps: BlockApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "organizationListBlocks",
      method: "GET",
      path: "/orgs/{org}/blocks",
      tag: "organization",
      summary: "List the users that an organization blocks",
      access: organization.owner,
      scope: "organization",
      answers: list(User, "total"),
      handle: async ({ actor, organization, page }) => {
        const found = await listBlocked(deps, actor, organization.id, page);
        return { total: found.total, items: found.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
    defineRoute({
      id: "organizationCheckUserBlock",
      method: "GET",
      path: "/orgs/{org}/blocks/{username}",
      tag: "organization",
      summary: "Check whether an organization blocks a user",
      access: organization.owner,
      scope: "organization",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, organization, params }) =>
        checkBlock(deps, actor, { id: organization.id, name: organization.name, kind: "organization" }, params.username),
    }),
    defineRoute({
      id: "organizationBlockUser",
      method: "PUT",
      path: "/orgs/{org}/blocks/{username}",
      tag: "organization",
      summary: "Block a user from an organization",
      access: organization.owner,
      scope: "organization",
      query: { note: noteParameter },
      answers: empty(),
      refusals: { 400: "error", 404: "notFound", 422: "validationError" },
      handle: ({ actor, organization, params, query }) =>
        block(deps, actor, { id: organization.id, name: organization.name, kind: "organization" }, { name: params.username, note: query.note ?? "" }),
    }),
    defineRoute({
      id: "organizationUnblockUser",
      method: "DELETE",
      path: "/orgs/{org}/blocks/{username}",
      tag: "organization",
      summary: "Unblock a user from an organization",
      access: organization.owner,
      scope: "organization",
      answers: empty(),
      refusals: { 400: "error", 404: "notFound", 422: "validationError" },
      handle: ({ actor, organization, params }) =>
        unblock(deps, actor, { id: organization.id, name: organization.name, kind: "organization" }, params.username),
    }),
  ];
}
