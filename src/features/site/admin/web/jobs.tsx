import { readId } from "../../../../core/ids.ts";
import type { Db } from "../../../../db/db.ts";
import { savedAt } from "../../../../http/form-submit.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { administrationPaths } from "../../../../ui/settings.tsx";
import { inPlace } from "../../../../wire/schema.ts";
import { jobStateOf } from "../job-states.ts";
import { countJobs, dropJob, listJobs, retryJob } from "../service/jobs.ts";
import { JobsView } from "../views/jobs.tsx";
import { adminPage, show, tokenOf } from "./frame.ts";

const path = administrationPaths.jobs;

/** Background job pages. */
export const jobPages = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    ...adminPage,
    id: "jobsPage",
    method: "GET",
    path,
    summary: "Jobs that wait, run or have failed",
    query: { state: query.text("State of the jobs; failed if omitted") },
    handle: async (request) => {
      const state = jobStateOf(request.query.state);
      const counts = await countJobs(deps);
      const { items, total } = await listJobs(deps, state, request.page);
      return show(
        request,
        "jobs",
        <JobsView path={path} state={state} counts={counts} jobs={items} total={total} page={request.page} formToken={tokenOf(request)} />,
      );
    },
  }),
  endRoute(deps, "retry"),
  endRoute(deps, "drop"),
];

const endRoute = (deps: { readonly db: Db }, action: "retry" | "drop"): Route =>
  defineRoute({
    ...adminPage,
    id: `${action}JobByForm`,
    method: "POST",
    path: `${path}/{id}/${action}`,
    summary: action === "retry" ? "Retry a failed job" : "Drop a failed job",
    body: inPlace({}),
    handle: async ({ actor, params }) => {
      await (action === "retry" ? retryJob : dropJob)(deps, actor, readId(params.id));
      return savedAt(path, action === "retry" ? "started" : "deleted");
    },
  });
