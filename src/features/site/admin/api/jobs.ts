import { readId } from "../../../../core/ids.ts";
import type { Db } from "../../../../db/db.ts";
import { siteAdmin } from "../../../../http/access.ts";
import { empty, list } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { Job } from "../../../../wire/admin.ts";
import { jobStateOf, jobStates } from "../job-states.ts";
import { presentJob } from "../present.ts";
import { dropJob, listJobs, retryJob } from "../service/jobs.ts";

const common = { tag: "admin", access: siteAdmin, scope: "admin" } as const;

/** Background jobs. Beyond the contract. */
export const jobRoutes = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    ...common,
    id: "adminListJobs",
    method: "GET",
    path: "/admin/jobs",
    summary: "List jobs that wait, run or have failed",
    query: { state: query.text("State of the jobs; failed if omitted", jobStates) },
    answers: list(Job, "total"),
    refusals: { 403: "forbidden" },
    handle: async ({ page, query: { state } }) => {
      const { items, total } = await listJobs(deps, jobStateOf(state), page);
      return { items: items.map(presentJob), total };
    },
  }),
  defineRoute({
    ...common,
    id: "adminRetryJob",
    method: "POST",
    path: "/admin/jobs/{id}/retry",
    summary: "Retry a failed job",
    answers: empty(),
    refusals: { 403: "forbidden", 404: "notFound" },
    handle: ({ actor, params }) => retryJob(deps, actor, readId(params.id)),
  }),
  defineRoute({
    ...common,
    id: "adminDropJob",
    method: "DELETE",
    path: "/admin/jobs/{id}",
    summary: "Drop a failed job",
    answers: empty(),
    refusals: { 403: "forbidden", 404: "notFound" },
    handle: ({ actor, params }) => dropJob(deps, actor, readId(params.id)),
  }),
];
