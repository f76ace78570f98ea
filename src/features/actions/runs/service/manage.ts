import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, malformed, notFound } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { noteDeletedRun } from "../../../repositories/repos/service/counters.ts";
import { countFile } from "../../../repositories/repos/service/sizes.ts";
import { readableActions } from "../../../repositories/repos/service/visible.ts";
import { whileTaken } from "../../../repositories/statuses/service.ts";
import { sumArtifactBytes } from "../artifacts/store.ts";
import type { JobRow, Result, RunRow, TaskRow, WorkflowRow } from "../model.ts";
import { deleteJobs, endFailFast, findJob, type JobFilter, listJobs, loadJobs, pageJobs, reopenCalls, resetJobs, unexpandJobs } from "../store/jobs.ts";
import { type Covered, deleteRun, findLatest, findRun, findRunByNumber, loadRuns, pageRuns, type RunFilter, updateRun } from "../store/runs.ts";
import { listTasks, pageTasks } from "../store/tasks.ts";
import { listWorkflows } from "../store/workflows.ts";
import { againOf, type Which } from "./again.ts";
import { announceRun } from "./announce.ts";
import { advance, cancelRun, enterGroup, releaseJobs } from "./lifecycle.ts";
import { canRun } from "./start.ts";
import { reportRequired } from "./statuses.ts";

interface Deps {
  readonly db: Db;
}

/** Whether a caller may cancel, approve, run again and delete runs. */
export const mayManage = (repository: RepositorySubject): boolean => !repository.isArchived && atLeast(repository.right.unit("repo.actions"), "write");

export const listRuns = (deps: { readonly db: Reader }, filter: RunFilter, page: Page): Promise<Paged<RunRow>> => pageRuns(deps.db, filter, page);

/**
 * The run of the address of a page.
 * @compat Gitea 1.26 names runs by id; addresses of earlier versions have the number, which is used if no run has the id (runs/runs.test.ts)
 * @param named an id, a number, or `latest`
 * @throws ForgeError `not_found`
 */
export async function resolveRun(deps: { readonly db: Reader }, { id: repoId }: RepositorySubject, named: string): Promise<RunRow> {
  const run =
    named === "latest"
      ? await findLatest(deps.db, { repoId })
      : ((await findRun(deps.db, repoId, readId(named))) ?? (await findRunByNumber(deps.db, repoId, readId(named))));
  if (run === undefined) throw notFound();
  return run;
}

/** The jobs of a run, and their present tasks by the id of the job. Two statements. */
export async function jobsOfRun(
  deps: { readonly db: Reader },
  runId: number,
): Promise<{ readonly jobs: readonly JobRow[]; readonly tasks: ReadonlyMap<number, TaskRow> }> {
  const jobs = await listJobs(deps.db, runId);
  const found = await listTasks(
    deps.db,
    jobs.flatMap(({ taskId }) => taskId ?? []),
  );
  return { jobs, tasks: new Map([...found.values()].map((task) => [task.jobId, task])) };
}

export interface FoundJob {
  readonly run: RunRow;
  readonly job: JobRow;
  readonly task: TaskRow | undefined;
}

/**
 * The job of an address, whose run is named by its id or its number.
 * @throws ForgeError `not_found`
 */
export async function getJob(
  deps: { readonly db: Reader },
  repository: RepositorySubject,
  { run: named, job: id }: { readonly run: number; readonly job: number },
): Promise<FoundJob> {
  const job = await findJob(deps.db, repository.id, id);
  const run = job && (await findRun(deps.db, repository.id, job.runId));
  if (run === undefined || job === undefined || (run.id !== named && run.number !== named) || job.call !== null) throw notFound();
  const task = job.taskId === null ? undefined : (await listTasks(deps.db, [job.taskId])).get(job.taskId);
  return { run, job, task };
}

const inRun = <T>(
  deps: Deps,
  repository: RepositorySubject,
  runId: number,
  work: (tx: Parameters<Parameters<Db["tx"]>[0]>[0], run: RunRow) => Promise<T>,
): Promise<T> =>
  whileTaken(() =>
    deps.db.tx(async (tx) => {
      const run = await findRun(tx, repository.id, runId);
      if (run === undefined) throw notFound();
      return work(tx, run);
    }),
  );

/** Cancels a run that has not ended. */
export const cancel = (deps: Deps, repository: RepositorySubject, runId: number): Promise<void> =>
  inRun(deps, repository, runId, (tx, run) => cancelRun(tx, { run, fullName: repository.fullName }));

/** Lets a run of a fork begin. It approves this commit only: later ones wait again. */
export const approve = (deps: Deps, actor: UserActor, repository: RepositorySubject, runId: number): Promise<void> =>
  inRun(deps, repository, runId, async (tx, run) => {
    if (!run.needsApproval || run.status !== "waiting") return;
    await updateRun(tx, run.id, { needs_approval: 0, approver_id: actor.id, status: "queued" });
    const place = { run: { ...run, status: "queued" as const, needsApproval: false }, fullName: repository.fullName };
    if (await enterGroup(tx, place)) return;
    await releaseJobs(tx, place, await listJobs(tx, run.id));
    await advance(tx, run.id);
  });

/** Runs the jobs again: all, the failed ones and those that need them, or one and those that need it. @throws ForgeError `malformed` if the run has not ended */
export const rerun = (deps: Deps, repository: RepositorySubject, runId: number, which: Which): Promise<void> =>
  inRun(deps, repository, runId, async (tx, run) => {
    if (run.status !== "done") throw malformed("this workflow run is not done");
    if (!canRun(repository)) throw forbidden("actions are switched off in this repository, or it is archived");
    const workflow = (await listWorkflows(tx, repository.id)).find(({ file }) => file === run.workflowFile);
    if (workflow?.isDisabled === true) throw malformed(`workflow ${run.workflowFile} is disabled: enable it first`, { reason: "workflow_disabled" });
    const again = againOf(await listJobs(tx, run.id), which);
    if (again === undefined || run.problems.length > 0) return;
    await deleteJobs(tx, again.deleted);
    await endFailFast(tx, again.passedOver);
    await resetJobs(tx, again.reset);
    await unexpandJobs(tx, again.unexpanded);
    await reopenCalls(tx, again.reopened);
    await updateRun(tx, run.id, { status: "queued", result: null, attempt: run.attempt + 1, started_ms: null, stopped_ms: null });
    await announceRun(tx, run, "requested");
    await reportRequired(tx, { ...run, status: "queued", result: null }, repository.fullName);
    const place = { run: { ...run, status: "queued" as const, result: null }, fullName: repository.fullName };
    if (await enterGroup(tx, place)) return;
    await releaseJobs(tx, place, await listJobs(tx, run.id));
    await advance(tx, run.id);
  });

/** Deletes a run with its jobs and logs. @throws ForgeError `malformed` if it has not ended */
export const remove = (deps: Deps, repository: RepositorySubject, runId: number): Promise<void> =>
  inRun(deps, repository, runId, async (tx, run) => {
    if (run.status !== "done") throw malformed("this workflow run is not done");
    await countFile(tx, run.repoId, -(await sumArtifactBytes(tx, run.id)));
    await noteDeletedRun(tx, run.repoId, run.number);
    await deleteRun(tx, run.id);
  });

/** A workflow of a repository, also a disabled one that the default branch no longer has. One statement. */
export const findWorkflow = async (deps: { readonly db: Reader }, repoId: number, file: string): Promise<WorkflowRow | undefined> =>
  (await listWorkflows(deps.db, repoId)).find((one) => one.file === file);

/** The workflows of the default branch, by file and name, for the filter of the list. */
export const workflowsOf = async (deps: { readonly db: Reader }, repository: RepositorySubject): Promise<readonly (readonly [file: string, name: string])[]> =>
  (await listWorkflows(deps.db, repository.id)).map(({ file, name }) => [file, name] as const);

/** @throws ForgeError `not_found` */
export async function findRunById(deps: { readonly db: Reader }, repository: RepositorySubject, id: number): Promise<RunRow> {
  const run = await findRun(deps.db, repository.id, id);
  if (run === undefined) throw notFound();
  return run;
}

/** @throws ForgeError `not_found` */
export async function requireJob(deps: { readonly db: Reader }, repository: RepositorySubject, id: number): Promise<JobRow> {
  const job = await findJob(deps.db, repository.id, id);
  // No runner executes a call of a workflow.
  if (job === undefined || job.call !== null) throw notFound();
  return job;
}

export const listJobPage = (deps: { readonly db: Reader }, filter: JobFilter, page: Page): Promise<Paged<JobRow>> => pageJobs(deps.db, filter, page);
export const jobsInRuns = listJobPage;

/** The runs of jobs, by id. One statement. @param repository undefined: of all */
export const runsById = (
  deps: { readonly db: Reader },
  repository: RepositorySubject | undefined,
  jobs: readonly JobRow[],
): Promise<ReadonlyMap<number, RunRow>> =>
  loadRuns(
    deps.db,
    repository?.id,
    jobs.map(({ runId }) => runId),
  );

/** The present tasks of jobs, by id. One statement. */
export const tasksOf = (deps: { readonly db: Reader }, jobs: readonly JobRow[]): Promise<ReadonlyMap<number, TaskRow>> =>
  listTasks(
    deps.db,
    jobs.flatMap(({ taskId }) => taskId ?? []),
  );

/** The attempts of jobs with their jobs and runs, newest first. At most four statements. */
export async function listTaskPage(
  deps: { readonly db: Reader },
  repoId: number,
  page: Page,
): Promise<Paged<{ readonly task: TaskRow; readonly job: JobRow; readonly run: RunRow }>> {
  const { items, total } = await pageTasks(deps.db, repoId, page);
  const jobs = await loadJobs(
    deps.db,
    repoId,
    items.map(({ jobId }) => jobId),
  );
  const runs = await loadRuns(
    deps.db,
    repoId,
    items.map(({ runId }) => runId),
  );
  const found = items.flatMap((task) => {
    const job = jobs.get(task.jobId);
    const run = runs.get(task.runId);
    return job === undefined || run === undefined ? [] : [{ task, job, run }];
  });
  return { items: found, total };
}

const results: ReadonlySet<string> = new Set(["success", "failure", "cancelled", "skipped"]);
const runStatuses: ReadonlyMap<string, RunRow["status"]> = new Map([
  ["pending", "waiting"],
  ["action_required", "waiting"],
  ["waiting", "waiting"],
  ["queued", "queued"],
  ["requested", "queued"],
  ["in_progress", "running"],
  ["running", "running"],
  ["completed", "done"],
]);
const jobStatuses: ReadonlyMap<string, readonly JobRow["status"][]> = new Map([
  ["pending", ["blocked"]],
  ["waiting", ["blocked"]],
  ["queued", ["waiting"]],
  ["in_progress", ["running"]],
  ["running", ["running"]],
  ["completed", ["done"]],
]);

/** The repositories of an owner whose runs the caller may see; undefined for the whole server, which administrators see. */
export function coveredBy(actor: UserActor, owner: SettingsOwner): Covered | undefined {
  return owner.scope === "owner" ? { ownerId: owner.ownerId, readable: readableActions(actor) } : undefined;
}

/** @throws ForgeError `malformed` for an unknown status */
function stateFilterOf(status: string): Pick<RunFilter, "status" | "result"> {
  const known = runStatuses.get(status);
  if (status !== "" && known === undefined && !results.has(status)) throw malformed(`Invalid status ${status}`);
  return { status: known, result: results.has(status) ? (status as Result) : undefined };
}

/** The filters of the page of runs; an empty filter or an unknown state matches all runs. */
export const pageFilterOf = (
  repoId: number,
  { workflow, state, event, branch }: { readonly workflow: string; readonly state: string; readonly event: string; readonly branch: string },
): RunFilter => ({
  repoId,
  workflowFile: workflow || undefined,
  trigger: event || undefined,
  branch: branch || undefined,
  ...stateFilterOf(results.has(state) || runStatuses.has(state) ? state : ""),
});

/** Reads the filters of a request. @compat Files that cannot be read have no run in lists (runs/runs.test.ts). @throws ForgeError `malformed` for an unknown status */
export function runFilterOf(
  repoId: number | undefined,
  given: {
    readonly event?: string | undefined;
    readonly branch?: string | undefined;
    readonly status?: string | undefined;
    readonly head_sha?: string | undefined;
    readonly actorId?: number | undefined;
  },
): RunFilter {
  return {
    repoId,
    trigger: given.event || undefined,
    branch: given.branch || undefined,
    oid: given.head_sha || undefined,
    actorId: given.actorId,
    ...stateFilterOf(given.status ?? ""),
    isReadable: true,
  };
}

/** @throws ForgeError `malformed` for an unknown status */
export function jobFilterOf(status = ""): Pick<JobFilter, "status" | "result"> {
  const known = jobStatuses.get(status);
  if (status !== "" && known === undefined && !results.has(status)) throw malformed(`Invalid status ${status}`);
  return { status: known, result: results.has(status) ? (status as Result) : undefined };
}

/** The name of a workflow and the result of its newest run on a branch that has ended. @throws ForgeError `not_found` */
export async function latestOf(
  deps: { readonly db: Reader },
  repository: RepositorySubject,
  file: string,
  branch: string,
): Promise<{ readonly name: string; readonly result: Result | undefined }> {
  const workflow = (await listWorkflows(deps.db, repository.id)).find((one) => one.file === file);
  if (workflow === undefined) throw notFound();
  const run = await findLatest(deps.db, { repoId: repository.id, workflowFile: file, branch, status: "done" });
  return { name: workflow.name, result: run?.result ?? undefined };
}
