import { type Actor, anonymous } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { malformed, notFound } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import type { Urls } from "../../../../core/urls.ts";
import { empty, envelope, json, raw, silent } from "../../../../http/answers.ts";
import { contentDisposition } from "../../../../http/file-answer.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import {
  ActionTaskResponse,
  ActionWorkflowJob,
  ActionWorkflowJobsResponse,
  ActionWorkflowRun,
  ActionWorkflowRunsResponse,
} from "../../../../wire/action-run.ts";
import type { User } from "../../../../wire/user.ts";
import { presentUser } from "../../../accounts/users/present.ts";
import { findUserByName, loadUsers } from "../../../accounts/users/service/accounts.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import type { JobRow, RunRow } from "../model.ts";
import { presentForRun, presentJob, presentRun, presentTask, type RunLocation } from "../present.ts";
import type { RunsDeps } from "../service/deps.ts";
import { logFile } from "../service/logs.ts";
import {
  findRunById,
  jobFilterOf,
  jobsInRuns,
  listJobPage,
  listRuns,
  listTaskPage,
  remove,
  requireJob,
  rerun,
  runFilterOf,
  runsById,
  tasksOf,
} from "../service/manage.ts";
import { reader, signedReader, writer } from "./access.ts";

type Deps = RunsDeps & { readonly urls: Urls };

const common = { tag: "repository", scope: "repository" } as const;
const refusals = { 400: "error", 404: "notFound" } as const;
const base = "/repos/{owner}/{repo}/actions";

/** Runs, jobs, tasks and logs of a repository. */
export function runRoutes(deps: Deps): Route[] {
  const locationOf = ({ fullName, defaultBranch }: RepositorySubject): RunLocation => ({ fullName, defaultBranch, urls: deps.urls });
  const presentAll = async (actor: Actor, place: RepositorySubject, runs: readonly RunRow[]) => {
    const view = presentForRun(await getRepository(deps, actor, place.id), deps.urls);
    const users = await loadUsers(deps, [...new Set(runs.flatMap(({ actorId }) => actorId ?? []))]);
    const actorOf = ({ actorId }: RunRow): User | undefined => {
      const user = actorId === null ? undefined : users.get(actorId);
      return user && presentUser(user, anonymous, deps.urls, "none");
    };
    return runs.map((run) => presentRun(run, locationOf(place), { actor: actorOf(run), repository: view }));
  };
  const presentOne = async (actor: Actor, place: RepositorySubject, run: RunRow) => {
    const [presented] = await presentAll(actor, place, [run]);
    if (presented === undefined) throw new Error("a run is presented");
    return presented;
  };
  const presentJobs = async (place: RepositorySubject, jobs: readonly JobRow[]) => {
    const runs = await runsById(deps, place, jobs);
    const tasks = await tasksOf(deps, jobs);
    return jobs.flatMap((job) => {
      const run = runs.get(job.runId);
      return run === undefined ? [] : [presentJob(job, run, job.taskId === null ? undefined : tasks.get(job.taskId), locationOf(place))];
    });
  };
  return [
    defineRoute({
      ...common,
      id: "getWorkflowRuns",
      method: "GET",
      path: `${base}/runs`,
      summary: "List the runs of a repository, newest first",
      access: signedReader,
      query: {
        event: query.text("Only runs of this trigger"),
        branch: query.text("Only runs of this branch"),
        status: query.text("Only runs with this status or conclusion"),
        actor: query.text("Only runs started by this user"),
        head_sha: query.text("Only runs of this commit"),
      },
      answers: envelope(ActionWorkflowRunsResponse, "links"),
      refusals,
      handle: async ({ actor, repository: place, query: wanted, page }) => {
        const starter = wanted.actor ? await findUserByName(deps, wanted.actor) : undefined;
        if (wanted.actor && starter === undefined) return { body: { workflow_runs: [], total_count: 0 }, total: 0 };
        const filter = runFilterOf(place.id, { ...wanted, actorId: starter?.id });
        const { items, total } = await listRuns(deps, filter, page);
        return { body: { workflow_runs: await presentAll(actor, place, items), total_count: total }, total };
      },
    }),
    defineRoute({
      ...common,
      id: "GetWorkflowRun",
      method: "GET",
      path: `${base}/runs/{run}`,
      summary: "Get a run",
      access: reader,
      answers: json(200, ActionWorkflowRun),
      refusals,
      handle: async ({ actor, repository: place, params }) => presentOne(actor, place, await findRunById(deps, place, readId(params.run))),
    }),
    defineRoute({
      ...common,
      id: "deleteActionRun",
      method: "DELETE",
      path: `${base}/runs/{run}`,
      summary: "Delete a run that has ended, with its logs",
      access: writer,
      answers: empty(),
      refusals,
      handle: async ({ repository: place, params }) => remove(deps, place, (await findRunById(deps, place, readId(params.run))).id),
    }),
    defineRoute({
      ...common,
      id: "rerunWorkflowRun",
      method: "POST",
      path: `${base}/runs/{run}/rerun`,
      summary: "Run all jobs of a run again",
      access: writer,
      answers: json(201, ActionWorkflowRun),
      refusals: { ...refusals, 422: "validationError" },
      handle: async ({ actor, repository: place, params }) => {
        const { id } = await findRunById(deps, place, readId(params.run));
        await rerun(deps, place, id, "all");
        return presentOne(actor, place, await findRunById(deps, place, id));
      },
    }),
    defineRoute({
      ...common,
      id: "rerunFailedWorkflowRun",
      method: "POST",
      path: `${base}/runs/{run}/rerun-failed-jobs`,
      summary: "Run the failed jobs of a run again, and those that need them",
      access: writer,
      answers: silent(201),
      refusals: { ...refusals, 422: "validationError" },
      handle: async ({ repository: place, params }) => {
        await rerun(deps, place, (await findRunById(deps, place, readId(params.run))).id, "failed");
        return { status: 201 };
      },
    }),
    defineRoute({
      ...common,
      id: "rerunWorkflowJob",
      method: "POST",
      path: `${base}/runs/{run}/jobs/{job_id}/rerun`,
      summary: "Run a job again, and those that need it",
      access: writer,
      answers: json(201, ActionWorkflowJob),
      refusals: { ...refusals, 422: "validationError" },
      handle: async ({ repository: place, params }) => {
        const run = await findRunById(deps, place, readId(params.run));
        const job = await requireJob(deps, place, readId(params.job_id));
        if (job.runId !== run.id) throw notFound();
        await rerun(deps, place, run.id, { jobId: job.id });
        const [presented] = await presentJobs(place, [await requireJob(deps, place, job.id)]);
        if (presented === undefined) throw notFound();
        return presented;
      },
    }),
    defineRoute({
      ...common,
      id: "listWorkflowRunJobs",
      method: "GET",
      path: `${base}/runs/{run}/jobs`,
      summary: "List the jobs of a run; empty for an unknown run",
      access: reader,
      query: { status: query.text("Only jobs with this status or conclusion") },
      answers: envelope(ActionWorkflowJobsResponse, "links"),
      refusals,
      handle: async ({ repository: place, params, query: { status }, page }) => {
        if (!/^\d+$/.test(params.run)) throw malformed("the run must be a number");
        const { items, total } = await jobsInRuns(deps, { repoId: place.id, runId: readId(params.run), ...jobFilterOf(status) }, page);
        return { body: { jobs: await presentJobs(place, items), total_count: total }, total };
      },
    }),
    defineRoute({
      ...common,
      id: "listWorkflowJobs",
      method: "GET",
      path: `${base}/jobs`,
      summary: "List the jobs of a repository, oldest first",
      access: signedReader,
      query: { status: query.text("Only jobs with this status or conclusion") },
      answers: envelope(ActionWorkflowJobsResponse, "links"),
      refusals,
      handle: async ({ repository: place, query: { status }, page }) => {
        const { items, total } = await listJobPage(deps, { repoId: place.id, ...jobFilterOf(status) }, page);
        return { body: { jobs: await presentJobs(place, items), total_count: total }, total };
      },
    }),
    defineRoute({
      ...common,
      id: "getWorkflowJob",
      method: "GET",
      path: `${base}/jobs/{job_id}`,
      summary: "Get a job with its steps",
      access: signedReader,
      answers: json(200, ActionWorkflowJob),
      refusals,
      handle: async ({ repository: place, params }) => {
        const [presented] = await presentJobs(place, [await requireJob(deps, place, readId(params.job_id))]);
        if (presented === undefined) throw notFound();
        return presented;
      },
    }),
    defineRoute({
      ...common,
      id: "downloadActionsRunJobLogs",
      method: "GET",
      path: `${base}/jobs/{job_id}/logs`,
      summary: "Get the log of a job as text, each line with its time",
      access: signedReader,
      answers: raw(["text/plain"]),
      refusals,
      handle: async ({ repository: place, params }) => {
        const job = await requireJob(deps, place, readId(params.job_id));
        if (job.taskId === null) throw notFound("job not started");
        const { name, pieces } = logFile(deps, await findRunById(deps, place, job.runId), job);
        const headers = { "content-type": "text/plain; charset=utf-8", "content-disposition": contentDisposition("attachment", name) };
        return { status: 200, headers: { ...headers, "x-content-type-options": "nosniff" }, body: { pieces } };
      },
    }),
    defineRoute({
      ...common,
      id: "ListActionTasks",
      method: "GET",
      path: `${base}/tasks`,
      summary: "List the attempts of jobs, newest first",
      access: reader,
      answers: envelope(ActionTaskResponse, "links"),
      refusals: { ...refusals, 403: "forbidden", 409: "conflict", 422: "validationError" },
      handle: async ({ repository: place, page }) => {
        const { items, total } = await listTaskPage(deps, place.id, page);
        const rows = items.map(({ task, job, run }) => presentTask(task, job, run, locationOf(place)));
        return { body: { workflow_runs: rows, total_count: total }, total };
      },
    }),
  ];
}
