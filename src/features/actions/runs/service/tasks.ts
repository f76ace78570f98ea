import { invalid, notFound, unavailable } from "../../../../core/errors.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { enqueue } from "../../../../jobs/job.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { findPlaceById } from "../../../repositories/repos/service/find.ts";
import { whileTaken } from "../../../repositories/statuses/service.ts";
import type { RunnerView } from "../../runners/model.ts";
import { endEphemeral, holdRunner, mayGetTask, noteActive } from "../../runners/service/runners.ts";
import { variablesOf } from "../../secrets/service/variables.ts";
import { runtimeToken } from "../artifacts/service/runtime-token.ts";
import { identityRequestToken, mayIdentify } from "../identity/service/request-token.ts";
import { issuerOf } from "../identity/service/tokens.ts";
import type { EndedJob } from "../language/workflow.ts";
import type { JobRow, Result, RunRow, Step, TaskRow } from "../model.ts";
import { findJob, listJobs, updateJob } from "../store/jobs.ts";
import { claimJob, findPayload } from "../store/queue.ts";
import { findRun, findRunWithContent, updateRun } from "../store/runs.ts";
import { findTask, findUnreported, hasRunningTasks, hasTask, insertTask, listOverdue, updateTask } from "../store/tasks.ts";
import { endedJobs } from "./advance.ts";
import { announceStart } from "./announce.ts";
import { callsAbove, siblingsOf } from "./calls.ts";
import type { RunsDeps } from "./deps.ts";
import { githubContext } from "./github-context.ts";
import { grantedUnits, jobToken, jobTokenHash, undeclaredPermissions } from "./job-token.ts";
import { advance, endTask, finishJob, type RunPlace, releaseJobs } from "./lifecycle.ts";
import { reportChecks } from "./statuses.ts";
import { sweepEveryMs, sweepJob, sweepKey } from "./sweep-job.ts";
import { sealSecrets, secretsOfTask } from "./task-secrets.ts";
import { rememberRun } from "./triggers.ts";

/** A runner that is silent for this long has lost its task. */
export const leaseMs = 60_000;
/** A runner that has not reported on a task after this time may not have received it. */
const lostResponseMs = 10_000;
const maxSteps = 1_000;
const maxOutputs = 1_000;
const maxOutputKey = 255;
const maxOutputBytes = 1024 * 1024;

/** Everything that a runner needs for a job. */
export interface TaskForRunner {
  readonly id: number;
  readonly payload: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly needs: readonly EndedJob[];
}

/** The id of the task; `taken`: another runner has the job; `refused`: the runner was disabled or removed while it waited. */
export type Claim = number | "taken" | "refused";

/** Takes a job for a runner, in one transaction. */
export async function claimTask(deps: RunsDeps, runner: RunnerView, jobId: number): Promise<Claim> {
  return whileTaken(() =>
    deps.db.tx(async (tx) => {
      if (!(await mayGetTask(tx, runner.id))) return "refused";
      if (runner.isEphemeral) {
        await holdRunner(tx, runner.id);
        if (await hasTask(tx, runner.id)) return "refused";
      }
      const job = await claimJob(tx, jobId);
      if (job === undefined) return "taken";
      const run = await findRun(tx, job.repoId, job.runId);
      const place = await findPlaceById({ db: tx }, job.repoId);
      if (run === undefined || place === undefined) return "taken";
      const taskId = await insertTask(tx, {
        jobId,
        runId: job.runId,
        repoId: job.repoId,
        runnerId: runner.id,
        runnerName: runner.name,
        attempt: job.attempt,
        rights: JSON.stringify(grantedUnits(job.permissions ?? undeclaredPermissions(deps), run.isFromFork)),
        // Secrets do not reach code of a fork.
        sealedSecrets: run.isFromFork ? undefined : await sealSecrets({ db: tx, sealer: deps.sealer }, run.id, place),
        leaseUntilMs: tx.nowMs + leaseMs,
        deadlineMs: tx.nowMs + job.timeoutMs + leaseMs,
      });
      await updateTask(tx, taskId, { token_hash: jobTokenHash(deps.sealer, taskId) });
      await updateJob(tx, jobId, { task_id: taskId });
      if (run.status === "queued") await updateRun(tx, run.id, { status: "running", ...(run.startedMs === null && { started_ms: tx.nowMs }) });
      if (run.startedMs === null) await rememberRun(tx, run, "in_progress");
      await announceStart(tx, run, jobId);
      await enqueue(tx, sweepJob, null, { dedupeKey: sweepKey, runAtMs: tx.nowMs + leaseMs });
      return taskId;
    }),
  );
}

/** A task whose response was lost is handed to its runner again. One statement. */
export async function findLostTask(deps: Pick<RunsDeps, "db" | "clock">, runner: RunnerView): Promise<number | undefined> {
  const task = await findUnreported(deps.db, runner.id, deps.clock.now() - lostResponseMs);
  return task?.id;
}

/** Loads what a runner needs. @throws ForgeError `not_found` */
export async function loadTask(deps: RunsDeps, taskId: number): Promise<TaskForRunner> {
  const task = await findTask(deps.db, taskId);
  const run = task && (await findRunWithContent(deps.db, task.runId));
  const repository = task && (await findPlaceById(deps, task.repoId));
  const content = task && (await findPayload(deps.db, task.jobId));
  if (run === undefined || repository === undefined || content === undefined || task === undefined) throw notFound();
  const jobs = await listJobs(deps.db, run.id);
  const job = jobs.find(({ id }) => id === task.jobId);
  if (job === undefined) throw notFound();
  const actor = run.actorId === null ? undefined : (await loadUsers(deps, [run.actorId])).get(run.actorId);
  const token = jobToken(deps.sealer, taskId);
  const runtime = await runtimeToken(deps.sealer, task);
  const vars = await variablesOf(deps, repository.id, repository.ownerId);
  const inputs = JSON.parse(run.inputs) as Readonly<Record<string, unknown>>;
  const github = githubContext(deps, repository, run, { actorName: actor?.name ?? "", payload: run.payload });
  const secrets = await secretsOfCalls(deps, callsAbove(jobs, job), { secrets: Object.fromEntries(await secretsOfTask(deps, task)), github, vars, inputs });
  return {
    id: taskId,
    payload: content.payload,
    context: {
      ...github,
      job: job.key,
      token,
      gitea_default_actions_url: deps.urls.origin,
      gitea_runtime_token: runtime,
      ...(mayIdentify(content.permissions, run) && {
        // Clients append the audience.
        actions_id_token_request_url: `${issuerOf(deps.urls)}/token?task=${taskId}`,
        actions_id_token_request_token: await identityRequestToken(deps.sealer, task),
      }),
    },
    secrets: { ...secrets, GITHUB_TOKEN: token, GITEA_TOKEN: token },
    vars,
    needs: endedJobs(siblingsOf(jobs, job), job.needs),
  };
}

interface SecretContexts {
  readonly secrets: Readonly<Record<string, string>>;
  readonly github: Readonly<Record<string, unknown>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The secrets that reach the jobs of a call: each call passes all or some on. @param calls the outermost first */
async function secretsOfCalls(deps: RunsDeps, calls: readonly JobRow[], around: SecretContexts): Promise<Readonly<Record<string, string>>> {
  const [outer, ...inner] = calls;
  if (outer?.call == null) return around.secrets;
  const { secrets, contexts, inputs } = outer.call;
  if (secrets === "inherit") return secretsOfCalls(deps, inner, { ...around, inputs });
  const outcome = await deps.workflowLanguage.run({ kind: "values", values: secrets, contexts: { ...contexts, ...around } });
  if (outcome.kind !== "done") throw unavailable("secrets cannot be evaluated at the moment", { meta: { reason: outcome.reason } });
  const passed = "value" in outcome.value ? outcome.value.value : {};
  return secretsOfCalls(deps, inner, { ...around, inputs, secrets: passed });
}

/** A report of a runner on its task. */
export interface TaskReport {
  readonly taskId: number;
  /** Null: it runs. */
  readonly result: Result | null;
  readonly startedMs: number | null;
  readonly stoppedMs: number | null;
  readonly steps: readonly Step[];
  readonly outputs: Readonly<Record<string, string>>;
}

export interface ReportAnswer {
  /** Cancelled: the runner stops. */
  readonly result: Result | null;
  readonly knownOutputs: readonly string[];
}

/** The task of a runner. @throws ForgeError `not_found`, also for the task of another runner */
export async function taskOf(db: Pick<Db, "sql" | "dialect">, runner: RunnerView, taskId: number): Promise<TaskRow> {
  const task = await findTask(db, taskId);
  if (task === undefined || task.runnerId !== runner.id) throw notFound("this runner has no such task");
  return task;
}

/** Records a report, which renews the lease. The first result of a task stays. @throws ForgeError `not_found`, `invalid` */
export async function reportTask(deps: RunsDeps, runner: RunnerView, report: TaskReport): Promise<ReportAnswer> {
  if (report.steps.length > maxSteps) throw invalid(`a task has at most ${maxSteps} steps`);
  return whileTaken(() =>
    deps.db.tx(async (tx) => {
      const task = await taskOf(tx, runner, report.taskId);
      await noteActive(tx, runner.id, tx.nowMs);
      // A run was cancelled: its ephemeral runners end with their last report.
      if (task.status === "done" && report.result !== null && runner.isEphemeral) await endEphemeral(tx, runner.id);
      if (task.status === "done") return { result: task.result, knownOutputs: Object.keys(report.outputs) };
      const place = await placeOf(tx, task);
      const job = place && (await findJob(tx, task.repoId, task.jobId));
      // The fence: another task has the job.
      if (place === undefined || job === undefined || job.taskId !== task.id) {
        await endTask(tx, task.id, "cancelled");
        return { result: "cancelled", knownOutputs: [] };
      }
      await updateTask(tx, task.id, {
        steps: JSON.stringify(report.steps),
        is_reported: 1,
        lease_until_ms: tx.nowMs + leaseMs,
        started_ms: report.startedMs ?? task.startedMs ?? tx.nowMs,
      });
      const outputs = { ...job.outputs, ...checkOutputs(report.outputs) };
      if (report.result === null) {
        if (!task.isReported) await reportChecks(tx, place.run, place.fullName, [job]);
        if (Object.keys(report.outputs).length > 0) await updateJob(tx, job.id, { outputs: JSON.stringify(outputs) });
      } else {
        await endTask(tx, task.id, report.result);
        await finishJob(tx, place, job, report.result, outputs);
        if (runner.isEphemeral) await endEphemeral(tx, runner.id);
      }
      return { result: report.result, knownOutputs: Object.keys(outputs) };
    }),
  );
}

/** Outputs that are too large are left out, as on Gitea. */
function checkOutputs(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  let size = 0;
  const kept = Object.entries(given).filter(([key, value]) => {
    size += key.length + value.length;
    return key.length <= maxOutputKey && size <= maxOutputBytes;
  });
  return Object.fromEntries(kept.slice(0, maxOutputs).map(([key, value]) => [key, value.replaceAll("\0", "")]));
}

async function placeOf(tx: Tx, task: Pick<TaskRow, "repoId" | "runId">): Promise<RunPlace | undefined> {
  const run: RunRow | undefined = await findRun(tx, task.repoId, task.runId);
  const repository = run && (await findPlaceById({ db: tx }, task.repoId));
  return run && repository && { run, fullName: repository.fullName };
}

const sweptAtOnce = 100;

/** Sweeps, and again as long as tasks run. */
export async function runSweep(deps: Pick<RunsDeps, "db" | "clock" | "log">): Promise<void> {
  await sweepTasks(deps);
  if (!(await hasRunningTasks(deps.db))) return;
  await deps.db.tx((tx) => enqueue(tx, sweepJob, null, { dedupeKey: sweepKey, runAtMs: tx.nowMs + sweepEveryMs }));
}

/**
 * Takes tasks from silent runners, and from those that exceed the time of the job. A job that its runner has never reported on waits for
 * another runner; any other one has failed, because its steps may not run twice.
 */
export async function sweepTasks(deps: Pick<RunsDeps, "db" | "clock" | "log">): Promise<number> {
  const overdue = await listOverdue(deps.db, deps.clock.now(), sweptAtOnce);
  for (const { id } of overdue) {
    try {
      await whileTaken(() => deps.db.tx((tx) => loseTask(tx, id)));
    } catch (error) {
      // One task must not stop the others.
      deps.log.error({ err: error, meta: { taskId: id } }, "a task of a silent runner could not be ended");
    }
  }
  return overdue.length;
}

async function loseTask(tx: Tx, id: number): Promise<void> {
  const task = await findTask(tx, id);
  if (task === undefined || task.status === "done" || (task.leaseUntilMs > tx.nowMs && task.deadlineMs > tx.nowMs)) return;
  const place = await placeOf(tx, task);
  const job: JobRow | undefined = place && (await findJob(tx, task.repoId, task.jobId));
  if (place === undefined || job === undefined || job.taskId !== task.id) return endTask(tx, id, "cancelled");
  if (!task.isReported) {
    await endTask(tx, id, "cancelled");
    await updateJob(tx, job.id, { status: "blocked", task_id: null });
    await releaseJobs(tx, place, [{ ...job, status: "blocked" }]);
    return;
  }
  await endTask(tx, id, "failure");
  if (task.runnerId !== null) await endEphemeral(tx, task.runnerId);
  await finishJob(tx, place, job, "failure");
  await advance(tx, task.runId);
}
