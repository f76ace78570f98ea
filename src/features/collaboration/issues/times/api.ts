import type { Clock } from "../../../../core/clock.ts";
import { parseTime } from "../../../../core/time.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { repository, signedIn } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { AddTimeOption, StopWatch, TrackedTime } from "../../../../wire/tracked-time.ts";
import { issueActor } from "../api/issues.ts";
import { createIssuePresenter, presentStopwatch } from "../present.ts";
import {
  addTime,
  cancelStopwatch,
  listIssueTimes,
  listOwnStopwatches,
  listOwnTimes,
  listRepositoryTimes,
  removeTime,
  resetTimes,
  startStopwatch,
  stopStopwatch,
} from "./service/times.ts";

interface TimeApiDeps {
  readonly db: Db;
  readonly urls: Urls;
  readonly clock: Clock;
}

/** Time tracking on issues. */
export const timeRoutes = (deps: TimeApiDeps): Route[] => [...trackedTimeRoutes(deps), ...stopwatchRoutes(deps)];

const since = query.time("Only times tracked at or after this time");
const before = query.time("Only times tracked at or before this time");
const user = query.text("Only this user's times");
const reader = repository.signedIn();
/** @compat Anonymous callers get 404 if the issues are disabled, and 401 otherwise (pulls/api/disabled-units.test.ts). */
const issueReader = { ...repository.reader("repo.issues"), signedIn: true, asks: "after-right" } as const;

function trackedTimeRoutes(deps: TimeApiDeps): Route[] {
  const { urls } = deps;
  const ofIssue = "/repos/{owner}/{repo}/issues/{index}/times";
  const refusals = { 400: "error", 403: "forbidden", 404: "notFound" } as const;
  return [
    defineRoute({
      id: "issueTrackedTimes",
      method: "GET",
      path: ofIssue,
      tag: "issue",
      summary: "List the tracked times of an issue; only the caller's own without write access to issues",
      access: reader,
      scope: "issue",
      query: { user, since, before },
      answers: list(TrackedTime, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, query, page }) => {
        const wanted = { user: query.user ?? "", sinceMs: query.since, beforeMs: query.before };
        const { items, total } = await listIssueTimes(deps, actor, repository, params.index, wanted, page);
        return { items: items.map(createIssuePresenter(actor, urls).trackedTime), total };
      },
    }),
    defineRoute({
      id: "issueAddTime",
      method: "POST",
      path: ofIssue,
      tag: "issue",
      summary: "Add a tracked time to an issue, in seconds; a negative time subtracts",
      access: issueActor,
      scope: "issue",
      body: AddTimeOption,
      answers: json(200, TrackedTime),
      refusals,
      handle: async ({ actor, repository, params, body }) => {
        const time = { seconds: body.time, createdMs: parseTime(body.created) ?? null, user: body.user_name };
        const added = await addTime(deps, actor, repository, params.index, time);
        // @compat another user's time is presented as that user would see it (conversation/discussion.test.ts)
        const viewer = added.accountId === actor.id ? actor : { ...actor, id: added.accountId, isAdmin: false };
        return createIssuePresenter(viewer, urls).trackedTime(added);
      },
    }),
    defineRoute({
      id: "issueResetTime",
      method: "DELETE",
      path: ofIssue,
      tag: "issue",
      summary: "Delete the caller's own times on an issue",
      access: issueActor,
      scope: "issue",
      answers: empty(),
      refusals,
      handle: ({ actor, repository, params }) => resetTimes(deps, actor, repository, params.index),
    }),
    defineRoute({
      id: "issueDeleteTime",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/issues/{index}/times/{id}",
      tag: "issue",
      summary: "Delete a tracked time",
      access: issueActor,
      scope: "issue",
      answers: empty(),
      refusals,
      handle: ({ actor, repository, params }) => removeTime(deps, actor, repository, params.index, params.id),
    }),
    defineRoute({
      id: "repoTrackedTimes",
      method: "GET",
      path: "/repos/{owner}/{repo}/times",
      tag: "repository",
      summary: "List the tracked times of a repository; only the caller's own without write access to issues",
      access: issueReader,
      scope: "repository",
      query: { user, since, before },
      answers: list(TrackedTime, "total"),
      refusals,
      handle: async ({ actor, repository, query, page }) => {
        const wanted = { user: query.user ?? "", sinceMs: query.since, beforeMs: query.before };
        const { items, total } = await listRepositoryTimes(deps, actor, repository, wanted, page);
        return { items: items.map(createIssuePresenter(actor, urls).trackedTime), total };
      },
    }),
    defineRoute({
      id: "userTrackedTimes",
      method: "GET",
      path: "/repos/{owner}/{repo}/times/{user}",
      tag: "repository",
      summary: "List the times that a user tracked in a repository",
      isDeprecated: true,
      access: issueReader,
      scope: "repository",
      query: { since, before },
      // @compat not paginated, and without a total (conversation/discussion.test.ts)
      answers: list(TrackedTime, "none"),
      refusals,
      handle: async ({ actor, repository, params, query }) => {
        const wanted = { user: params.user, isUserInPath: true, sinceMs: query.since, beforeMs: query.before } as const;
        const { items, total } = await listRepositoryTimes(deps, actor, repository, wanted);
        return { items: items.map(createIssuePresenter(actor, urls).trackedTime), total };
      },
    }),
    defineRoute({
      id: "userCurrentTrackedTimes",
      method: "GET",
      path: "/user/times",
      tag: "user",
      summary: "List the times that the caller tracked",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      query: { since, before },
      answers: list(TrackedTime, "total"),
      handle: async ({ actor, query, page }) => {
        const { items, total } = await listOwnTimes(deps, actor, { sinceMs: query.since, beforeMs: query.before }, page);
        return { items: items.map(createIssuePresenter(actor, urls).trackedTime), total };
      },
    }),
  ];
}

function stopwatchRoutes(deps: TimeApiDeps): Route[] {
  const refusals = { 403: "forbidden", 404: "notFound", 409: "conflict" } as const;
  return [
    defineRoute({
      id: "userGetStopWatches",
      method: "GET",
      path: "/user/stopwatches",
      tag: "user",
      summary: "List the caller's running stopwatches",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: list(StopWatch, "total"),
      handle: async ({ actor, page }) => {
        const all = await listOwnStopwatches(deps, actor);
        return { items: all.slice(page.offset, page.offset + page.limit).map(presentStopwatch), total: all.length };
      },
    }),
    defineRoute({
      id: "issueStartStopWatch",
      method: "POST",
      path: "/repos/{owner}/{repo}/issues/{index}/stopwatch/start",
      tag: "issue",
      summary: "Start the caller's stopwatch on an issue; a stopwatch on another issue is stopped and saved",
      access: issueActor,
      scope: "issue",
      answers: empty(201),
      refusals,
      handle: ({ actor, repository, params }) => startStopwatch(deps, actor, repository, params.index),
    }),
    defineRoute({
      id: "issueStopStopWatch",
      method: "POST",
      path: "/repos/{owner}/{repo}/issues/{index}/stopwatch/stop",
      tag: "issue",
      summary: "Stop the caller's stopwatch and save the tracked time",
      access: issueActor,
      scope: "issue",
      answers: empty(201),
      refusals,
      handle: ({ actor, repository, params }) => stopStopwatch(deps, actor, repository, params.index),
    }),
    defineRoute({
      id: "issueDeleteStopWatch",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/issues/{index}/stopwatch/delete",
      tag: "issue",
      summary: "Discard the caller's stopwatch",
      access: issueActor,
      scope: "issue",
      answers: empty(),
      refusals,
      handle: ({ actor, repository, params }) => cancelStopwatch(deps, actor, repository, params.index),
    }),
  ];
}
