import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import { formatTime } from "../../../../core/time.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { account, repository, signedIn } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { Repository } from "../../../../wire/repository.ts";
import { User } from "../../../../wire/user.ts";
import { WatchInfo } from "../../../../wire/watch.ts";
import { presentUser } from "../../../accounts/users/present.ts";
import { presentRepositories } from "../present.ts";
import { getMark, listAccountsThatMarked, listMarkedRepositories, putMark, removeMark } from "../service/stars-and-watches.ts";

export interface StarsAndWatchesApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

export const starAndWatchRoutes = (deps: StarsAndWatchesApiDeps): Route[] => [...starRoutes(deps), ...watchRoutes(deps)];

function starRoutes(deps: StarsAndWatchesApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "userCurrentListStarred",
      method: "GET",
      path: "/user/starred",
      tag: "user",
      summary: "List the repositories starred by the authenticated user",
      access: signedIn,
      scope: ["user", "repository"],
      answers: list(Repository, "links"),
      refusals: { 403: "forbidden" },
      handle: async ({ actor, page }) => {
        const found = await listMarkedRepositories(deps, actor, actor.id, "star", page);
        return { total: found.total, items: presentRepositories(found.items, actor, urls) };
      },
    }),
    defineRoute({
      id: "userCurrentCheckStarring",
      method: "GET",
      path: "/user/starred/{owner}/{repo}",
      tag: "user",
      summary: "Check whether the authenticated user has starred a repository",
      access: repository.signedIn({ asks: "before-lookup" }),
      scope: ["user", "repository"],
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, repository }) => {
        if ((await getMark(deps, actor, repository, "star")) === undefined) throw notFound();
      },
    }),
    defineRoute({
      id: "userCurrentPutStar",
      method: "PUT",
      path: "/user/starred/{owner}/{repo}",
      tag: "user",
      summary: "Star a repository",
      access: repository.signedIn({ asks: "before-lookup" }),
      scope: ["user", "repository"],
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, repository }) => {
        await putMark(deps, actor, repository, "star");
      },
    }),
    defineRoute({
      id: "userCurrentDeleteStar",
      method: "DELETE",
      path: "/user/starred/{owner}/{repo}",
      tag: "user",
      summary: "Unstar a repository",
      access: repository.signedIn({ asks: "before-lookup" }),
      scope: ["user", "repository"],
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, repository }) => removeMark(deps, actor, repository, "star"),
    }),
    defineRoute({
      id: "userListStarred",
      method: "GET",
      path: "/users/{username}/starred",
      tag: "user",
      summary: "List the repositories starred by a user that the caller can read",
      access: account.signedInFirst,
      scope: "user",
      answers: list(Repository, "links"),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, account, page }) => {
        const found = await listMarkedRepositories(deps, actor, account.id, "star", page);
        return { total: found.total, items: presentRepositories(found.items, actor, urls) };
      },
    }),
    defineRoute({
      id: "repoListStargazers",
      method: "GET",
      path: "/repos/{owner}/{repo}/stargazers",
      tag: "repository",
      summary: "List the stargazers of a repository",
      access: repository.visible,
      scope: "repository",
      answers: list(User, "total"),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, repository, page }) => {
        const found = await listAccountsThatMarked(deps, actor, repository, "star", page);
        return { total: found.total, items: found.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
  ];
}

function watchRoutes(deps: StarsAndWatchesApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "userCurrentListSubscriptions",
      method: "GET",
      path: "/user/subscriptions",
      tag: "user",
      summary: "List the repositories watched by the authenticated user",
      access: signedIn,
      scope: "user",
      answers: list(Repository, "links"),
      handle: async ({ actor, page }) => {
        const found = await listMarkedRepositories(deps, actor, actor.id, "watch", page);
        return { total: found.total, items: presentRepositories(found.items, actor, urls) };
      },
    }),
    defineRoute({
      id: "userListSubscriptions",
      method: "GET",
      path: "/users/{username}/subscriptions",
      tag: "user",
      summary: "List the repositories watched by a user that the caller can read",
      access: account.signedInFirst,
      scope: "user",
      answers: list(Repository, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, account, page }) => {
        const found = await listMarkedRepositories(deps, actor, account.id, "watch", page);
        return { total: found.total, items: presentRepositories(found.items, actor, urls) };
      },
    }),
    defineRoute({
      id: "userCurrentCheckSubscription",
      method: "GET",
      path: "/repos/{owner}/{repo}/subscription",
      tag: "repository",
      summary: "Get the caller's subscription to a repository",
      access: repository.signedIn(),
      scope: "repository",
      answers: json(200, WatchInfo),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository }) => {
        const sinceMs = await getMark(deps, actor, repository, "watch");
        if (sinceMs === undefined) throw notFound();
        return presentWatch(repository, sinceMs, urls);
      },
    }),
    defineRoute({
      id: "userCurrentPutSubscription",
      method: "PUT",
      path: "/repos/{owner}/{repo}/subscription",
      tag: "repository",
      summary: "Watch a repository",
      access: repository.signedIn(),
      scope: "repository",
      answers: json(200, WatchInfo),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, repository }) => presentWatch(repository, await putMark(deps, actor, repository, "watch"), urls),
    }),
    defineRoute({
      id: "userCurrentDeleteSubscription",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/subscription",
      tag: "repository",
      summary: "Stop watching a repository",
      access: repository.signedIn(),
      scope: "repository",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, repository }) => removeMark(deps, actor, repository, "watch"),
    }),
    defineRoute({
      id: "repoListSubscribers",
      method: "GET",
      path: "/repos/{owner}/{repo}/subscribers",
      tag: "repository",
      summary: "List the watchers of a repository",
      access: repository.visible,
      scope: "repository",
      answers: list(User, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, page }) => {
        const found = await listAccountsThatMarked(deps, actor, repository, "watch", page);
        return { total: found.total, items: found.items.map((user) => presentUser(user, actor, urls)) };
      },
    }),
  ];
}

function presentWatch({ ownerName, name }: RepositorySubject, sinceMs: number, urls: Urls): WatchInfo {
  const address = urls.api("repos", ownerName, name);
  return { subscribed: true, ignored: false, reason: null, created_at: formatTime(sinceMs), url: `${address}/subscription`, repository_url: address };
}
