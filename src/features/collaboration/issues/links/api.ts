import type { RepositorySubject } from "../../../../access/subjects.ts";
import { formatTime } from "../../../../core/time.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { json, list, silent } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { Issue, IssueMeta } from "../../../../wire/issue.ts";
import { User } from "../../../../wire/user.ts";
import { WatchInfo } from "../../../../wire/watch.ts";
import { presentUser } from "../../../accounts/users/present.ts";
import { issueActor } from "../api/issues.ts";
import type { IssueRow } from "../model.ts";
import { createIssuePresenter } from "../present.ts";
import { addLink, type IssueAddress, listLinked, removeLink } from "./service/dependencies.ts";
import { checkSubscription, listSubscribers, setSubscription } from "./service/subscriptions.ts";

interface LinkApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

/** Dependencies and subscriptions of issues. */
export const issueLinkRoutes = (deps: LinkApiDeps): Route[] => [...dependencyRoutes(deps), ...subscriptionRoutes(deps)];

const readAddress = ({ owner, repo, index }: IssueMeta): IssueAddress => ({ owner, repository: repo, number: index });

function dependencyRoutes(deps: LinkApiDeps): Route[] {
  const { urls } = deps;
  const dependencies = "/repos/{owner}/{repo}/issues/{index}/dependencies";
  const blocks = "/repos/{owner}/{repo}/issues/{index}/blocks";
  return [
    defineRoute({
      id: "issueListIssueDependencies",
      method: "GET",
      path: dependencies,
      tag: "issue",
      summary: "List the dependencies of an issue",
      access: repository.visible,
      scope: "issue",
      answers: list(Issue, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, page }) => {
        const { items, total } = await listLinked(deps, actor, repository, params.index, "dependencies", page);
        return { items: items.map(createIssuePresenter(actor, urls).issue), total };
      },
    }),
    defineRoute({
      id: "issueCreateIssueDependencies",
      method: "POST",
      path: dependencies,
      tag: "issue",
      summary: "Add a dependency to an issue",
      access: issueActor,
      scope: "issue",
      body: IssueMeta,
      answers: json(201, Issue),
      refusals: { 404: "notFound", 409: "conflict", 423: "repoArchivedError" },
      handle: async ({ actor, repository, params, body }) => {
        const input = { number: params.index, other: readAddress(body), side: "dependencies" } as const;
        return createIssuePresenter(actor, urls).issue(await addLink(deps, actor, repository, input));
      },
    }),
    defineRoute({
      id: "issueRemoveIssueDependencies",
      method: "DELETE",
      path: dependencies,
      tag: "issue",
      summary: "Remove a dependency of an issue",
      access: issueActor,
      scope: "issue",
      body: IssueMeta,
      answers: json(201, Issue),
      refusals: { 404: "notFound", 423: "repoArchivedError" },
      handle: async ({ actor, repository, params, body }) => {
        const input = { number: params.index, other: readAddress(body), side: "dependencies" } as const;
        return createIssuePresenter(actor, urls).issue(await removeLink(deps, actor, repository, input));
      },
    }),
    defineRoute({
      id: "issueListBlocks",
      method: "GET",
      path: blocks,
      tag: "issue",
      summary: "List the issues that an issue blocks",
      access: repository.visible,
      scope: "issue",
      answers: list(Issue, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, page }) => {
        const { items, total } = await listLinked(deps, actor, repository, params.index, "blocks", page);
        return { items: items.map(createIssuePresenter(actor, urls).issue), total };
      },
    }),
    defineRoute({
      id: "issueCreateIssueBlocking",
      method: "POST",
      path: blocks,
      tag: "issue",
      summary: "Block another issue by this one",
      access: issueActor,
      scope: "issue",
      body: IssueMeta,
      answers: json(201, Issue),
      refusals: { 404: "notFound", 409: "conflict" },
      handle: async ({ actor, repository, params, body }) => {
        const input = { number: params.index, other: readAddress(body), side: "blocks" } as const;
        return createIssuePresenter(actor, urls).issue(await addLink(deps, actor, repository, input));
      },
    }),
    defineRoute({
      id: "issueRemoveIssueBlocking",
      method: "DELETE",
      path: blocks,
      tag: "issue",
      summary: "Unblock another issue",
      access: issueActor,
      scope: "issue",
      body: IssueMeta,
      answers: json(201, Issue),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, body }) => {
        const input = { number: params.index, other: readAddress(body), side: "blocks" } as const;
        return createIssuePresenter(actor, urls).issue(await removeLink(deps, actor, repository, input));
      },
    }),
  ];
}

function subscriptionRoutes(deps: LinkApiDeps): Route[] {
  const { urls } = deps;
  const one = "/repos/{owner}/{repo}/issues/{index}/subscriptions/{user}";
  return [
    defineRoute({
      id: "issueSubscriptions",
      method: "GET",
      path: "/repos/{owner}/{repo}/issues/{index}/subscriptions",
      tag: "issue",
      summary: "List the users who subscribed to an issue",
      access: repository.visible,
      scope: "issue",
      answers: list(User, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, page }) => {
        const { items, total } = await listSubscribers(deps, actor, repository, params.index, page);
        return { items: items.map((user) => presentUser(user, actor, urls)), total };
      },
    }),
    defineRoute({
      id: "issueCheckSubscription",
      method: "GET",
      path: "/repos/{owner}/{repo}/issues/{index}/subscriptions/check",
      tag: "issue",
      summary: "Check whether the caller is subscribed to an issue",
      access: repository.signedIn(),
      scope: "issue",
      answers: json(200, WatchInfo),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params }) => {
        const { isSubscribed, issue } = await checkSubscription(deps, actor, repository, params.index);
        return presentSubscription(repository, issue, isSubscribed, urls);
      },
    }),
    defineRoute({
      id: "issueAddSubscription",
      method: "PUT",
      path: one,
      tag: "issue",
      summary: "Subscribe the caller to an issue: 201, or 200 if already subscribed",
      access: repository.signedIn(),
      scope: "issue",
      answers: silent(201),
      refusals: { 200: "empty", 304: "empty", 404: "notFound" },
      handle: async ({ actor, repository, params }) => ({
        status: (await setSubscription(deps, actor, repository, { number: params.index, user: params.user }, true)) ? 201 : 200,
      }),
    }),
    defineRoute({
      id: "issueDeleteSubscription",
      method: "DELETE",
      path: one,
      tag: "issue",
      summary: "Unsubscribe the caller from an issue: 201, or 200 if not subscribed",
      access: repository.signedIn(),
      scope: "issue",
      answers: silent(201),
      refusals: { 200: "empty", 304: "empty", 404: "notFound" },
      handle: async ({ actor, repository, params }) => ({
        status: (await setSubscription(deps, actor, repository, { number: params.index, user: params.user }, false)) ? 201 : 200,
      }),
    }),
  ];
}

const presentSubscription = ({ ownerName, name }: RepositorySubject, issue: IssueRow, isSubscribed: boolean, urls: Urls): WatchInfo => ({
  subscribed: isSubscribed,
  ignored: !isSubscribed,
  reason: null,
  created_at: formatTime(issue.createdMs),
  url: urls.api("repos", ownerName, name, "issues", issue.number, "subscriptions"),
  repository_url: urls.api("repos", ownerName, name),
});
