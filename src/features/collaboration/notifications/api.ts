import { malformed, notFound } from "../../../core/errors.ts";
import { readId } from "../../../core/ids.ts";
import { parseTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Db } from "../../../db/db.ts";
import { repository, signedIn } from "../../../http/access.ts";
import { json, list } from "../../../http/answers.ts";
import { type QueryOf, query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { NotificationCount, NotificationThread } from "../../../wire/notification.ts";
import { list as listOf } from "../../../wire/schema.ts";
import { type ThreadFilter, type ThreadStatus, type ThreadView, threadStatuses, wireSubjectTypes } from "./model.ts";
import { presentThreads } from "./present.ts";
import { countNews, getThread, listThreads, markMany, markOne } from "./service/threads.ts";

export interface NotificationApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

const listQuery = {
  all: query.bool("Read ones too"),
  "status-types": query.texts("Only threads in one of these states; defaults to unread and pinned"),
  "subject-type": query.texts("Only threads about one of these", wireSubjectTypes),
  since: query.time("Only threads updated at or after this time"),
  before: query.time("Only threads updated at or before this time"),
};
const markQuery = {
  last_read_at: query.text("Only threads without updates since this time; defaults to now"),
  all: query.text("Threads in any state"),
  "status-types": query.texts("Only threads in one of these states; defaults to unread"),
  "to-status": query.text("The new state; defaults to read"),
};

export function notificationRoutes(deps: NotificationApiDeps): Route[] {
  const { urls } = deps;
  const inRepository = { tag: "notification", scope: "notification" } as const;
  const common = { ...inRepository, refusesPublicOnly: true } as const;
  const ofThread = { 403: "forbidden", 404: "notFound" } as const;
  const one = (thread: ThreadView, viewer: Parameters<typeof presentThreads>[1]): NotificationThread => {
    const [shown] = presentThreads([thread], viewer, urls);
    if (shown === undefined) throw notFound(`notification does not exist [id: ${thread.id}]`);
    return shown;
  };
  return [
    defineRoute({
      ...common,
      id: "notifyGetList",
      method: "GET",
      path: "/notifications",
      summary: "List the caller's notifications, latest first",
      access: signedIn,
      query: listQuery,
      answers: list(NotificationThread, "links"),
      handle: async ({ actor, query, page }) => {
        const { items, total } = await listThreads(deps, actor, readListFilter(query), page);
        return { total, items: presentThreads(items, actor, urls) };
      },
    }),
    defineRoute({
      ...common,
      id: "notifyReadList",
      method: "PUT",
      path: "/notifications",
      summary: "Mark the notifications of the authenticated user as read, unread or pinned",
      access: signedIn,
      query: markQuery,
      answers: json(205, listOf(NotificationThread)),
      refusals: { 400: "error" },
      handle: async ({ actor, query }) => presentThreads(await markMany(deps, actor, readMarkFilter(query), readStatus(query["to-status"])), actor, urls),
    }),
    defineRoute({
      ...common,
      id: "notifyNewAvailable",
      method: "GET",
      path: "/notifications/new",
      summary: "Count the caller's unread notifications",
      access: signedIn,
      answers: json(200, NotificationCount),
      handle: async ({ actor }) => ({ new: await countNews(deps, actor, wireSubjectTypes) }),
    }),
    defineRoute({
      ...common,
      id: "notifyGetThread",
      method: "GET",
      path: "/notifications/threads/{id}",
      summary: "Get a notification",
      access: signedIn,
      answers: json(200, NotificationThread),
      refusals: ofThread,
      handle: async ({ actor, params }) => one(await getThread(deps, actor, readId(params.id)), actor),
    }),
    defineRoute({
      ...common,
      id: "notifyReadThread",
      method: "PATCH",
      path: "/notifications/threads/{id}",
      summary: "Mark a notification as read, unread or pinned",
      access: signedIn,
      query: { "to-status": markQuery["to-status"] },
      answers: json(205, NotificationThread),
      refusals: ofThread,
      handle: async ({ actor, params, query }) => one(await markOne(deps, actor, readId(params.id), readStatus(query["to-status"])), actor),
    }),
    defineRoute({
      ...inRepository,
      id: "notifyGetRepoList",
      method: "GET",
      path: "/repos/{owner}/{repo}/notifications",
      summary: "List the caller's notifications about a repository, latest first",
      access: repository.signedIn(),
      query: listQuery,
      answers: list(NotificationThread, "links"),
      handle: async ({ actor, repository, query, page }) => {
        const { items, total } = await listThreads(deps, actor, { ...readListFilter(query), repoId: repository.id }, page);
        return { total, items: presentThreads(items, actor, urls) };
      },
    }),
    defineRoute({
      ...inRepository,
      id: "notifyReadRepoList",
      method: "PUT",
      path: "/repos/{owner}/{repo}/notifications",
      summary: "Mark the notifications about a repository as read, unread or pinned",
      access: repository.signedIn(),
      query: markQuery,
      answers: json(205, listOf(NotificationThread)),
      refusals: { 400: "error" },
      handle: async ({ actor, repository, query }) => {
        const filter = { ...readMarkFilter(query), repoId: repository.id };
        return presentThreads(await markMany(deps, actor, filter, readStatus(query["to-status"])), actor, urls);
      },
    }),
  ];
}

const isStatus = (text: string): text is ThreadStatus => (threadStatuses as readonly string[]).includes(text);

/** @compat unknown state names are ignored, and an unknown state to mark with means `read` (notifications/api.test.ts) */
const readStatuses = (given: readonly string[], usual: readonly ThreadStatus[]): readonly ThreadStatus[] =>
  given.length === 0 ? usual : given.filter(isStatus);
const readStatus = (text: string | undefined): ThreadStatus => (text !== undefined && isStatus(text) ? text : "read");

/** Unknown types are ignored. */
function requestedTypes(given: readonly string[]): ThreadFilter["subjectTypes"] {
  const types = wireSubjectTypes.filter((type) => given.includes(type));
  return types.length === 0 ? wireSubjectTypes : types;
}

const readListFilter = (given: QueryOf<typeof listQuery>): ThreadFilter => ({
  statuses: given.all === true ? [] : readStatuses(given["status-types"], ["unread", "pinned"]),
  subjectTypes: requestedTypes(given["subject-type"]),
  sinceMs: given.since,
  beforeMs: given.before,
});

/** @throws ForgeError `malformed` for an invalid time */
function readMarkFilter(given: QueryOf<typeof markQuery>): ThreadFilter {
  const { last_read_at: text = "" } = given;
  const beforeMs = text === "" ? undefined : parseTime(text);
  if (text !== "" && beforeMs === undefined) throw malformed(`last_read_at: "${text}" is not an RFC 3339 time, such as 2026-01-02T15:04:05Z`);
  const isAll = /^(1|t|true)$/i.test(given.all ?? "");
  return { statuses: isAll ? [] : readStatuses(given["status-types"], ["unread"]), subjectTypes: wireSubjectTypes, beforeMs };
}
