import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { account, signedIn } from "../../../../http/access.ts";
import { empty, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { User } from "../../../../wire/user.ts";
import { presentUser } from "../present.ts";
import { findNamedAccount } from "../service/accounts.ts";
import { follow, listFollows, requireFollowing, unfollow } from "../service/follows.ts";

export interface FollowApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

/** Follows between users. */
export const followRoutes = (deps: FollowApiDeps): Route[] => [...ownRoutes(deps), ...publicRoutes(deps)];

function ownRoutes(deps: FollowApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "userCurrentListFollowers",
      method: "GET",
      path: "/user/followers",
      tag: "user",
      summary: "List the followers of the authenticated user",
      access: signedIn,
      scope: "user",
      answers: list(User, "links"),
      handle: async ({ actor, page }) => {
        const found = await listFollows(deps, actor, actor.id, "followers", page);
        return { total: found.total, items: found.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
    defineRoute({
      id: "userCurrentListFollowing",
      method: "GET",
      path: "/user/following",
      tag: "user",
      summary: "List the users that the caller follows",
      access: signedIn,
      scope: "user",
      answers: list(User, "links"),
      handle: async ({ actor, page }) => {
        const found = await listFollows(deps, actor, actor.id, "following", page);
        return { total: found.total, items: found.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
    defineRoute({
      id: "userCurrentCheckFollowing",
      method: "GET",
      path: "/user/following/{username}",
      tag: "user",
      summary: "Check whether the caller follows a user",
      access: account.signedInFirst,
      scope: "user",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, account }) => requireFollowing(deps, actor.id, account),
    }),
    defineRoute({
      id: "userCurrentPutFollow",
      method: "PUT",
      path: "/user/following/{username}",
      tag: "user",
      summary: "Follow a user",
      access: account.signedInFirst,
      scope: "user",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, account }) => follow(deps, actor, account),
    }),
    defineRoute({
      id: "userCurrentDeleteFollow",
      method: "DELETE",
      path: "/user/following/{username}",
      tag: "user",
      summary: "Unfollow a user",
      access: account.signedInFirst,
      scope: "user",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, account }) => unfollow(deps, actor, account),
    }),
  ];
}

function publicRoutes(deps: FollowApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "userListFollowers",
      method: "GET",
      path: "/users/{username}/followers",
      tag: "user",
      summary: "List the followers of a user",
      access: account.signedInFirst,
      scope: "user",
      answers: list(User, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, account, page }) => {
        const found = await listFollows(deps, actor, account.id, "followers", page);
        return { total: found.total, items: found.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
    defineRoute({
      id: "userListFollowing",
      method: "GET",
      path: "/users/{username}/following",
      tag: "user",
      summary: "List the users that a user follows",
      access: account.signedInFirst,
      scope: "user",
      answers: list(User, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, account, page }) => {
        const found = await listFollows(deps, actor, account.id, "following", page);
        return { total: found.total, items: found.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
    defineRoute({
      id: "userCheckFollowing",
      method: "GET",
      path: "/users/{username}/following/{target}",
      tag: "user",
      summary: "Check whether one user follows another",
      access: account.signedInFirst,
      scope: "user",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: async ({ actor, account, params }) => requireFollowing(deps, account.id, await findNamedAccount(deps, params.target, actor)),
    }),
  ];
}
