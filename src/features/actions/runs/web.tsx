import { isUser } from "../../../access/actor.ts";
import type { FormProblem } from "../../../core/form-problem.ts";
import { readId } from "../../../core/ids.ts";
import { repository } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { contentDisposition } from "../../../http/file-answer.ts";
import { savedAt, seeOther, submit } from "../../../http/form-submit.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { formTokenOf, requireSession } from "../../../http/session-cookie.ts";
import { textsFor } from "../../../ui/texts/texts.ts";
import { inPlace, mapOf, text } from "../../../wire/schema.ts";
import { loadUsers } from "../../accounts/users/service/accounts.ts";
import { artifactsOfRun, getArtifactByName, removeArtifact } from "./artifacts/service/artifacts.ts";
import { drawBadge } from "./badge.ts";
import { listCaches, removeCache } from "./caches/service.ts";
import { CachesView } from "./caches/views.tsx";
import type { WorkflowRow } from "./model.ts";
import { presentDispatch } from "./present.ts";
import { dispatchWorkflow, getWorkflow, inputsOfWorkflow, workflowsOfDefault } from "./service/dispatch.ts";
import { logFile, readLog } from "./service/logs.ts";
import {
  approve,
  cancel,
  findRunById,
  getJob,
  jobsOfRun,
  latestOf,
  listRuns,
  mayManage,
  pageFilterOf,
  remove,
  rerun,
  resolveRun,
  workflowsOf,
} from "./service/manage.ts";
import { searchLog } from "./service/search-log.ts";
import { runTexts } from "./texts/texts.ts";
import { JobView } from "./views/job.tsx";
import { LogSearchView, maxQueryLength } from "./views/log-search.tsx";
import { cachesPath, RunActions, RunsView, RunView, runPath, runsPath } from "./views/runs.tsx";
import { StartView } from "./views/start.tsx";
import { eventReply } from "./web/event-reply.ts";
import { base, changePage, type PageRequest, page, type RunPageDeps, show, tokenOf } from "./web/frame.tsx";
import { renderSummaries } from "./web/rendered-summaries.ts";

/** The pages of runs, jobs and logs. */
export const runPages = (deps: RunPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "runsPage",
    path: base,
    summary: "Runs of workflows, newest first",
    query: {
      workflow: query.text("Only runs of this workflow file"),
      state: query.text("Only runs in this state: a result, `waiting`, `queued` or `running`"),
      event: query.text("Only runs that this event started"),
      branch: query.text("Only runs on this branch"),
    },
    handle: async (request) => {
      const { repository: place } = request;
      const { workflow = "", state = "", event = "", branch = "" } = request.query;
      const filter = { workflow, state, event, branch: branch.trim() };
      const { items, total } = await listRuns(deps, pageFilterOf(place.id, filter), request.page);
      const actors = await namesOf(
        deps,
        items.map(({ actorId }) => actorId),
      );
      const workflows = await workflowsOf(deps, place);
      const startable = isUser(request.actor) && mayManage(place) ? (await workflowsOfDefault(deps, place)).filter(isStartable) : [];
      return show(deps, request, (title) => ({
        title,
        content: (
          <RunsView
            repository={place}
            runs={items}
            total={total}
            page={request.page}
            workflows={workflows}
            filter={filter}
            actors={actors}
            now={deps.clock.now()}
          />
        ),
        beside: <RunActions repository={place} workflow={workflow} startable={new Map(startable.map(({ file, name }) => [file, name]))} />,
      }));
    },
  }),
  defineRoute({
    ...page,
    id: "runPage",
    path: `${base}/runs/{run}`,
    summary: "A run with its jobs",
    handle: async (request) => {
      const { repository: place } = request;
      const run = await resolveRun(deps, place, request.params.run);
      if (request.params.run !== String(run.id)) return seeOther(runPath(place, run.id));
      const { jobs, tasks } = await jobsOfRun(deps, run.id);
      const artifacts = await artifactsOfRun(deps, place.id, run.id);
      const summaries = await renderSummaries(deps, request, run, jobs);
      const actor = run.actorId === null ? undefined : (await namesOf(deps, [run.actorId])).get(run.actorId);
      return show(deps, request, () => ({
        title: `${run.title || run.workflowName} #${run.number}`,
        content: (
          <RunView
            repository={place}
            run={run}
            actor={actor}
            jobs={jobs}
            tasks={tasks}
            artifacts={artifacts}
            summaries={summaries}
            now={deps.clock.now()}
            formToken={tokenOf(request)}
          />
        ),
      }));
    },
  }),
  defineRoute({
    ...page,
    id: "jobPage",
    path: `${base}/runs/{run}/jobs/{id}`,
    summary: "A job with its log",
    query: { from: query.integer("Index of the first line") },
    handle: async (request) => {
      const { repository: place } = request;
      const named = jobNamed(request.params);
      const { run, job, task } = await getJob(deps, place, named);
      if (run.id !== named.run) return seeOther(runPath(place, run.id, `/jobs/${job.id}`));
      const firstRow = Math.max(0, request.query.from ?? 0);
      const { lines, nextRow } = task === undefined ? { lines: [], nextRow: 0 } : await readLog(deps.db, task.id, firstRow, shownParts);
      const shown = lines.slice(0, shownLines);
      const next = firstRow + shown.length;
      const summaries = await renderSummaries(deps, request, run, [job]);
      const isLast = next >= (task?.logRows ?? 0) || (shown.length === lines.length && nextRow >= (task?.logRows ?? 0));
      return show(deps, request, () => ({
        title: `${job.name} #${run.number}`,
        content: (
          <JobView
            repository={place}
            run={run}
            job={job}
            task={task}
            lines={shown}
            firstRow={firstRow}
            nextRow={isLast ? undefined : next}
            summaries={summaries}
            now={deps.clock.now()}
            formToken={tokenOf(request)}
          />
        ),
      }));
    },
  }),
  defineRoute({
    ...page,
    id: "jobLogSearchPage",
    isExpensive: true,
    path: `${base}/runs/{run}/jobs/{id}/search`,
    summary: "The lines of a job's log that contain a text",
    query: { q: query.text("The text to search for") },
    handle: async (request) => {
      const { repository: place } = request;
      const { run, job, task } = await getJob(deps, place, jobNamed(request.params));
      const wanted = (request.query.q ?? "").trim().slice(0, maxQueryLength);
      const search = await searchLog(deps.db, task?.id, wanted);
      return show(deps, request, () => ({
        title: `${job.name} #${run.number}`,
        content: <LogSearchView repository={place} run={run} job={job} search={search} />,
      }));
    },
  }),
  defineRoute({
    ...page,
    isPage: false,
    id: "jobLogEvents",
    path: `${base}/runs/{run}/jobs/{id}/events`,
    summary: "The lines of a job's log as they arrive, as HTML in server-sent events",
    query: { from: query.integer("Index of the first line") },
    answers: raw(["text/event-stream"]),
    handle: async (request) => {
      const { repository: place, params, headers, signal } = request;
      const { job, task } = await getJob(deps, place, jobNamed(params));
      // After an interruption, the browser repeats the id of the last event.
      const resumed = typeof headers["last-event-id"] === "string" ? readId(headers["last-event-id"]) : undefined;
      const fromRow = resumed ?? Math.max(0, request.query.from ?? 0);
      return eventReply(deps, task === undefined || job.status === "waiting" ? undefined : task.id, fromRow, AbortSignal.any([signal, deps.draining]));
    },
  }),
  defineRoute({
    ...page,
    access: repository.writer("repo.actions", { archived: "refused" }),
    id: "startWorkflowPage",
    path: `${base}/workflows/{name}/run`,
    summary: "The form that starts a workflow",
    query: { ref: query.text("The branch or tag; the default branch if omitted") },
    handle: (request) => startPage(deps, request, { ref: request.query.ref?.trim() || request.repository.defaultBranch, values: {} }),
  }),
  defineRoute({
    ...changePage,
    id: "startWorkflow",
    path: `${base}/workflows/{name}/dispatches`,
    summary: "Start a workflow with inputs",
    body: inPlace({ ref: text(), inputs: mapOf(text()) }),
    handle: (request) => {
      const { actor, repository: place, params, body } = request;
      const work = async (): Promise<RawReply> => {
        const declared = (await inputsOfWorkflow(deps, place, params.name, body.ref)) ?? [];
        // A box that is not ticked is not sent.
        const unticked = Object.fromEntries(declared.filter(({ type }) => type === "boolean").map(({ name }) => [name, "false"]));
        const inputs = { ...unticked, ...body.inputs };
        const run = await dispatchWorkflow(deps, actor, place, { file: params.name, ref: body.ref, inputs, present: presentDispatch(deps.urls) });
        return seeOther(runPath(place, run.id));
      };
      return submit(work, (problem) => startPage(deps, request, { ref: body.ref, values: body.inputs, problem }));
    },
  }),
  defineRoute({
    ...page,
    isPage: false,
    id: "jobLog",
    path: `${base}/runs/{run}/jobs/{id}/logs`,
    summary: "The log of a job as text",
    answers: raw(["text/plain"]),
    handle: async ({ repository: place, params }) => {
      const { run, job } = await getJob(deps, place, jobNamed(params));
      const { name, pieces } = logFile(deps, run, job);
      return { status: 200, headers: logHeaders(name), body: { pieces } };
    },
  }),
  defineRoute({
    ...page,
    isPage: false,
    id: "workflowBadge",
    path: `${base}/workflows/{name}/badge.svg`,
    summary: "The state of a workflow as a picture",
    query: { branch: query.text("The branch; the default branch if omitted") },
    answers: raw(["image/svg+xml"]),
    handle: async ({ repository: place, params, query: { branch } }) => {
      const { name, result } = await latestOf(deps, place, params.name, branch || place.defaultBranch);
      return { status: 200, headers: { "content-type": "image/svg+xml", "cache-control": "no-cache" }, body: drawBadge(name, result) };
    },
  }),
  defineRoute({
    ...changePage,
    id: "cancelRunPage",
    path: `${base}/runs/{run}/cancel`,
    summary: "Cancel a run",
    handle: async ({ repository: place, params }) => {
      const run = await findRunById(deps, place, readId(params.run));
      await cancel(deps, place, run.id);
      return seeOther(runPath(place, run.id));
    },
  }),
  defineRoute({
    ...changePage,
    id: "approveRunPage",
    path: `${base}/runs/{run}/approve`,
    summary: "Let a run of a fork begin",
    handle: async ({ actor, repository: place, params }) => {
      const run = await findRunById(deps, place, readId(params.run));
      await approve(deps, actor, place, run.id);
      return seeOther(runPath(place, run.id));
    },
  }),
  defineRoute({
    ...changePage,
    id: "rerunPage",
    path: `${base}/runs/{run}/rerun`,
    summary: "Run the jobs of a run again",
    handle: async ({ repository: place, params, body }) => {
      const run = await findRunById(deps, place, readId(params.run));
      await rerun(deps, place, run.id, body.which === "failed" ? "failed" : "all");
      return seeOther(runPath(place, run.id));
    },
  }),
  defineRoute({
    ...changePage,
    id: "rerunJobPage",
    path: `${base}/runs/{run}/jobs/{id}/rerun`,
    summary: "Run a job and those that need it again",
    handle: async ({ repository: place, params }) => {
      const { run, job } = await getJob(deps, place, jobNamed(params));
      await rerun(deps, place, run.id, { jobId: job.id });
      return seeOther(runPath(place, run.id));
    },
  }),
  defineRoute({
    ...changePage,
    id: "deleteArtifactPage",
    path: `${base}/runs/{run}/artifacts/{name}/delete`,
    summary: "Delete an artifact",
    handle: async ({ repository: place, params }) => {
      const run = await findRunById(deps, place, readId(params.run));
      await removeArtifact(deps, await getArtifactByName(deps, run.id, params.name));
      return savedAt(runPath(place, run.id), "deleted");
    },
  }),
  defineRoute({
    ...page,
    id: "cachesPage",
    path: `${base}/caches`,
    summary: "Caches of jobs, the most recently used first",
    handle: async (request) => {
      const { repository: place } = request;
      const { items, total, bytes } = await listCaches(deps, place, request.page);
      const props = { repository: place, caches: items, total, bytes, page: request.page, now: deps.clock.now(), formToken: tokenOf(request) };
      return show(deps, request, () => ({ title: textsFor(runTexts, pageReader(request).languages).caches.title, content: <CachesView {...props} /> }));
    },
  }),
  defineRoute({
    ...changePage,
    id: "deleteCachePage",
    path: `${base}/caches/{id}/delete`,
    summary: "Delete a cache of jobs",
    handle: async ({ repository: place, params }) => {
      await removeCache(deps, place, readId(params.id));
      return savedAt(cachesPath(place), "deleted");
    },
  }),
  defineRoute({
    ...changePage,
    id: "deleteRunPage",
    path: `${base}/runs/{run}/delete`,
    summary: "Delete a run with its logs",
    handle: async ({ repository: place, params }) => {
      const run = await findRunById(deps, place, readId(params.run));
      await remove(deps, place, run.id);
      return savedAt(runsPath(place), "deleted");
    },
  }),
];

const jobNamed = ({ run, id }: { readonly run: string; readonly id: string }) => ({ run: readId(run), job: readId(id) });

const logHeaders = (name: string) => ({
  "content-type": "text/plain; charset=utf-8",
  "content-disposition": contentDisposition("attachment", name),
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
});

const isStartable = ({ triggers, isDisabled }: WorkflowRow): boolean => !isDisabled && triggers?.workflow_dispatch !== undefined;

interface StartRequest extends PageRequest {
  readonly params: { readonly name: string };
}

async function startPage(
  deps: RunPageDeps,
  request: StartRequest,
  typed: { readonly ref: string; readonly values: Readonly<Record<string, string>>; readonly problem?: FormProblem },
): Promise<RawReply> {
  const { repository: place, session } = request;
  const { file, name } = await getWorkflow(deps, place, request.params.name);
  const inputs = await inputsOfWorkflow(deps, place, file, typed.ref);
  const { branches } = await deps.refMenus.offer(place);
  const props = { repository: place, file, inputs, branches, formToken: formTokenOf(requireSession(session)), ...typed };
  return show(deps, request, () => ({ title: textsFor(runTexts, pageReader(request).languages).run.of(name), content: <StartView {...props} /> }));
}

const shownLines = 2_000;
const shownParts = 200;

async function namesOf(deps: RunPageDeps, ids: readonly (number | null)[]): Promise<ReadonlyMap<number, string>> {
  const users = await loadUsers(deps, [...new Set(ids.flatMap((id) => id ?? []))]);
  return new Map([...users].map(([id, { name }]) => [id, name]));
}
