import { unavailable } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { findPlaceById } from "../../../repositories/repos/service/find.ts";
import { whileTaken } from "../../../repositories/statuses/service.ts";
import { variablesOf } from "../../secrets/service/variables.ts";
import type { LanguageJob, LanguageResult } from "../language/jobs.ts";
import { type Problem, within } from "../language/problem.ts";
import type { EndedJob, PlanContext } from "../language/workflow.ts";
import { combineResults, type JobRow, type Result, type RunContent, type RunRow } from "../model.ts";
import { endJobs, expandJob, listJobs } from "../store/jobs.ts";
import { findRun, findRunWithContent, updateRun } from "../store/runs.ts";
import { readCalled } from "./called-files.ts";
import { descendantsOf, type Expansion, expansionOf, type Level, levelOf, siblingsOf } from "./calls.ts";
import type { RunsDeps } from "./deps.ts";
import { githubContext } from "./github-context.ts";
import { undeclaredPermissions } from "./job-token.ts";
import { finishCall, finishRun, type RunPlace, releaseJobs, resultOfRun, stopJobs } from "./lifecycle.ts";
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
    const decided = await decide(deps, { run, repository, jobs });
    const changed = await whileTaken(() =>
      tx((handle) => ("problems" in decided ? failRun(handle, place, decided.problems) : applyRound(handle, place, decided))),
    );
    if (!changed) return;
  }
}

/** Jobs that are not expanded and whose needs have all ended. */
function readyJobs(jobs: readonly JobRow[]): readonly JobRow[] {
  const ready = (job: JobRow, siblings: readonly JobRow[]): boolean => siblings.every(({ key, status }) => status === "done" || !job.needs.includes(key));
  return jobs.filter((job) => job.status === "blocked" && !job.isExpanded && ready(job, siblingsOf(jobs, job)));
}

/** Calls whose jobs have all ended. */
const endedCalls = (jobs: readonly JobRow[]): readonly JobRow[] =>
  jobs.filter((job) => job.call !== null && job.status === "running" && jobs.every(({ parentId, status }) => parentId !== job.id || status === "done"));

/** @param jobs of one workflow: those of a run, or of a call */
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
}

/** The next steps of a run, decided before the transaction that applies them. */
interface Decisions {
  readonly skipped: readonly JobRow[];
  readonly expanded: readonly { readonly job: JobRow; readonly expansion: Expansion }[];
  readonly calls: readonly { readonly job: JobRow; readonly result: Result; readonly outputs: Readonly<Record<string, string>> }[];
}

type Mistakes = { readonly problems: readonly Problem[] };

async function decide(deps: RunsDeps, planning: Planning): Promise<Decisions | Mistakes> {
  const { run, jobs } = planning;
  const ready = readyJobs(jobs);
  const calls = endedCalls(jobs);
  if (ready.length === 0 && calls.length === 0) return { skipped: [], expanded: [], calls: [] };
  const contextOf = await contexts(deps, planning);
  const called = readCalled(run.called);
  const skipped: JobRow[] = [];
  const expanded: { job: JobRow; expansion: Expansion }[] = [];
  for (const parentId of new Set(ready.map((job) => job.parentId))) {
    const level = levelOf(run, called, jobs, parentId);
    if (level === undefined) continue;
    const own = ready.filter((job) => job.parentId === parentId);
    const wanted = own.map((job) => ({ key: job.key, needed: endedJobs(siblingsOf(jobs, job), job.needs) }));
    const planned = await evaluate(deps, { kind: "plan", path: level.path, text: level.text, context: contextOf(level), jobs: wanted });
    if ("problems" in planned) return inFile(level, planned);
    for (const plan of planned.value.jobs) {
      const job = own.find(({ key }) => key === plan.key);
      if (job === undefined) continue;
      if (plan.kind === "skip") skipped.push(job);
      else {
        const expansion = expansionOf(plan, level, undeclaredPermissions(deps));
        if ("problems" in expansion) return inFile(level, expansion);
        expanded.push({ job, expansion });
      }
    }
  }
  const ended: { job: JobRow; result: Result; outputs: Readonly<Record<string, string>> }[] = [];
  for (const job of calls) {
    const level = levelOf(run, called, jobs, job.id);
    const children = jobs.filter(({ parentId }) => parentId === job.id);
    if (level === undefined) continue;
    const all = endedJobs(children, [...new Set(children.map(({ key }) => key))]);
    const outputs = await evaluate(deps, { kind: "outputs", path: level.path, text: level.text, context: contextOf(level), jobs: all });
    if ("problems" in outputs) return inFile(level, outputs);
    ended.push({ job, result: combineResults(children), outputs: outputs.value });
  }
  return { skipped, expanded, calls: ended };
}

/** Mistakes in a called file begin with its path. */
const inFile = ({ parent, path }: Level, { problems }: Mistakes): Mistakes => ({
  problems: parent === undefined ? problems : problems.map((problem) => within(path, problem)),
});

async function contexts(deps: RunsDeps, { run, repository }: Planning): Promise<(level: Pick<Level, "inputs">) => PlanContext> {
  const actor = run.actorId === null ? undefined : (await loadUsers(deps, [run.actorId])).get(run.actorId);
  const github = githubContext(deps, repository, run, { actorName: actor?.name ?? "", payload: run.payload });
  const vars = await variablesOf(deps, repository.id, repository.ownerId);
  return ({ inputs }) => ({ github, inputs, vars });
}

/** @throws ForgeError `unavailable` */
async function evaluate<J extends LanguageJob>(deps: RunsDeps, job: J): Promise<LanguageResult<J>> {
  const outcome = await deps.workflowLanguage.run(job);
  if (outcome.kind !== "done") throw unavailable("workflows cannot be planned at the moment", { meta: { reason: outcome.reason } });
  return outcome.value;
}

async function failRun(tx: Tx, place: RunPlace, problems: readonly Problem[]): Promise<boolean> {
  await updateRun(tx, place.run.id, { problems: JSON.stringify(problems) });
  await reportProblems(tx, { ...place.run, problems }, place.fullName);
  await stopJobs(tx, place, await listJobs(tx, place.run.id), "cancelled");
  await finishRun(tx, place, "failure");
  return true;
}

/** @returns whether jobs were skipped, expanded or ended, so that others may have to be decided about */
async function applyRound(tx: Tx, place: RunPlace, { skipped, expanded, calls }: Decisions): Promise<boolean> {
  const { run } = place;
  const present = await findRun(tx, run.repoId, run.id);
  // It was cancelled meanwhile.
  if (present === undefined || present.status === "done" || present.status === "waiting") return false;
  const before = await listJobs(tx, run.id);
  const isOpen = (job: JobRow): boolean => before.some(({ id, status, isExpanded }) => id === job.id && status === "blocked" && !isExpanded);
  let hasChanged = await stopFailedMatrices(tx, place, before);
  for (const job of skipped.filter(isOpen)) {
    hasChanged = true;
    await endJobs(tx, [job.id], "skipped");
    await reportJobs(tx, run, place.fullName, [{ ...job, status: "done", result: "skipped", stoppedMs: tx.nowMs }]);
  }
  for (const { job, expansion } of expanded.filter((one) => isOpen(one.job))) {
    hasChanged = true;
    await expandJob(tx, job, expansion.rules, expansion.jobs);
    const names = expansion.jobs.map(({ name }) => name);
    await reportExpanded(tx, run, place.fullName, job, names);
  }
  for (const { job, result, outputs } of calls.filter((one) => before.some(({ id, status }) => id === one.job.id && status === "running"))) {
    hasChanged = true;
    await finishCall(tx, place, job, result, outputs);
  }
  const jobs = hasChanged ? await listJobs(tx, run.id) : before;
  await releaseJobs(tx, place, jobs);
  if (jobs.every(({ status }) => status === "done")) {
    await finishRun(tx, place, resultOfRun(jobs));
    return false;
  }
  // No job has a runner at the moment.
  if (present.status === "running" && !jobs.some(({ status, call }) => status === "running" && call === null))
    await updateRun(tx, run.id, { status: "queued" });
  return hasChanged;
}

/** Cancels the other jobs of a matrix after one has failed, unless it says otherwise. */
async function stopFailedMatrices(tx: Tx, place: RunPlace, jobs: readonly JobRow[]): Promise<boolean> {
  const failed = jobs.filter(({ result, failsFast, continuesOnError }) => result === "failure" && failsFast && !continuesOnError);
  const stopped = jobs.filter(({ parentId, key, status }) => status !== "done" && failed.some((job) => job.parentId === parentId && job.key === key));
  if (stopped.length === 0) return false;
  const below = descendantsOf(jobs, new Set(stopped.map(({ id }) => id)));
  await stopJobs(tx, place, [...stopped, ...below], "cancelled");
  return true;
}
