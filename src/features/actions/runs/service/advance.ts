import { unavailable } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { findPlaceById } from "../../../repositories/repos/service/find.ts";
import { whileTaken } from "../../../repositories/statuses/service.ts";
import { variablesOf } from "../../secrets/service/variables.ts";
import type { Problem } from "../language/problem.ts";
import type { EndedJob, JobPlan, PlanContext } from "../language/workflow.ts";
import { combineResults, type JobRow, type RunContent, type RunRow } from "../model.ts";
import { endJobs, expandJob, listJobs } from "../store/jobs.ts";
import { findRun, findRunWithContent, updateRun } from "../store/runs.ts";
import type { RunsDeps } from "./deps.ts";
import { githubContext } from "./github-context.ts";
import { finishRun, type RunPlace, releaseJobs, resultOfRun, stopJobs } from "./lifecycle.ts";
import { reportExpanded, reportJobs, reportProblems } from "./statuses.ts";

/** Each round decides about jobs whose needs have ended. Skipped jobs can decide about others. */
const maxRounds = 300;

/** Expands, skips and releases the jobs of a run, and ends it after the last one. */
export async function advanceRun(deps: RunsDeps, { payload: { runId }, tx }: JobRun<{ readonly runId: number }>): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    const run = await findRunWithContent(deps.db, runId);
    if (run === undefined || run.status === "done" || run.status === "waiting") return;
    const repository = await findPlaceById(deps, run.repoId);
    if (repository === undefined) return;
    const jobs = await listJobs(deps.db, runId);
    const place: RunPlace = { run, fullName: repository.fullName };
    const ready = readyJobs(jobs);
    const plans = ready.length === 0 ? [] : await plan(deps, { run, repository, jobs, ready });
    const changed = await whileTaken(() =>
      tx((handle) => ("problems" in plans ? failRun(handle, place, plans.problems) : applyRound(handle, place, plans as readonly JobPlan[]))),
    );
    if (!changed) return;
  }
}

/** Jobs that are not expanded and whose needs have all ended. */
function readyJobs(jobs: readonly JobRow[]): readonly JobRow[] {
  const open = new Set(jobs.filter(({ status }) => status !== "done").map(({ key }) => key));
  return jobs.filter(({ status, isExpanded, needs }) => status === "blocked" && !isExpanded && needs.every((key) => !open.has(key)));
}

export function endedJobs(jobs: readonly JobRow[], keys: readonly string[]): readonly EndedJob[] {
  return keys.map((key) => {
    const same = jobs.filter((job) => job.key === key);
    return { key, result: combineResults(same), outputs: Object.assign({}, ...same.map(({ outputs }) => outputs)) as Readonly<Record<string, string>> };
  });
}

interface Planning {
  readonly run: RunRow & RunContent;
  readonly repository: NonNullable<Awaited<ReturnType<typeof findPlaceById>>>;
  readonly jobs: readonly JobRow[];
  readonly ready: readonly JobRow[];
}

async function plan(deps: RunsDeps, { run, repository, jobs, ready }: Planning): Promise<readonly JobPlan[] | { readonly problems: readonly Problem[] }> {
  const actor = run.actorId === null ? undefined : (await loadUsers(deps, [run.actorId])).get(run.actorId);
  const context: PlanContext = {
    github: githubContext(deps, repository, run, { actorName: actor?.name ?? "", payload: run.payload }),
    inputs: JSON.parse(run.inputs) as Readonly<Record<string, unknown>>,
    vars: await variablesOf(deps, repository.id, repository.ownerId),
  };
  const outcome = await deps.workflowLanguage.run({
    kind: "plan",
    path: run.workflowPath,
    text: run.content,
    context,
    jobs: ready.map(({ key, needs }) => ({ key, needed: endedJobs(jobs, needs) })),
  });
  if (outcome.kind !== "done") throw unavailable("workflows cannot be planned at the moment", { meta: { reason: outcome.reason } });
  return "problems" in outcome.value ? outcome.value : outcome.value.value.jobs;
}

async function failRun(tx: Tx, place: RunPlace, problems: readonly Problem[]): Promise<boolean> {
  await updateRun(tx, place.run.id, { problems: JSON.stringify(problems) });
  await reportProblems(tx, { ...place.run, problems }, place.fullName);
  await stopJobs(tx, place, await listJobs(tx, place.run.id), "cancelled");
  await finishRun(tx, place, "failure");
  return true;
}

/** @returns whether jobs were skipped or expanded, so that others may have to be decided about */
async function applyRound(tx: Tx, place: RunPlace, plans: readonly JobPlan[]): Promise<boolean> {
  const { run } = place;
  const present = await findRun(tx, run.repoId, run.id);
  // It was cancelled meanwhile.
  if (present === undefined || present.status === "done" || present.status === "waiting") return false;
  const before = await listJobs(tx, run.id);
  let hasChanged = await stopFailedMatrices(tx, place, before);
  for (const planned of plans) {
    const job = before.find(({ key, status, isExpanded }) => key === planned.key && status === "blocked" && !isExpanded);
    if (job === undefined) continue;
    hasChanged = true;
    if (planned.kind === "skip") {
      await endJobs(tx, [job.id], "skipped");
      await reportJobs(tx, run, place.fullName, [{ ...job, status: "done", result: "skipped", stoppedMs: tx.nowMs }]);
    } else {
      await expandJob(tx, job, planned);
      const names = planned.instances.map(({ name }) => name);
      await reportExpanded(tx, run, place.fullName, job, names);
    }
  }
  const jobs = hasChanged ? await listJobs(tx, run.id) : before;
  await releaseJobs(tx, place, jobs);
  if (jobs.every(({ status }) => status === "done")) {
    await finishRun(tx, place, resultOfRun(jobs));
    return false;
  }
  if (hasChanged) tx.announce("actions", { runId: run.id });
  return hasChanged;
}

/** Cancels the other jobs of a matrix after one has failed, unless it says otherwise. */
async function stopFailedMatrices(tx: Tx, place: RunPlace, jobs: readonly JobRow[]): Promise<boolean> {
  const failed = new Set(
    jobs.filter(({ result, failsFast, continuesOnError }) => result === "failure" && failsFast && !continuesOnError).map(({ key }) => key),
  );
  const stopped = jobs.filter(({ key, status }) => failed.has(key) && status !== "done");
  if (stopped.length === 0) return false;
  await stopJobs(tx, place, stopped, "cancelled");
  return true;
}
