import { type Insertable, sql, type Updateable } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { ActionJobsTable } from "../../../../db/tables/actions.ts";
import type { Concurrency, JobInstance, JobPlan, Permissions } from "../language/workflow.ts";
import type { Call, JobRow, JobStatus, Result } from "../model.ts";
import { type Covered, isCovered } from "./runs.ts";

const columns = [
  "id",
  "run_id",
  "repo_id",
  "parent_id",
  "key",
  "position",
  "name",
  "needs",
  "call",
  "concurrency_group",
  "cancels_in_progress",
  "labels",
  "environment",
  "step_names",
  "continues_on_error",
  "fails_fast",
  "max_parallel",
  "status",
  "result",
  "outputs",
  "attempt",
  "task_id",
  "created_ms",
  "started_ms",
  "stopped_ms",
] as const;

const isExpanded = sql<number>`case when payload is null and call is null then 0 else 1 end`.as("is_expanded");

type Row = Pick<ActionJobsTable, Exclude<(typeof columns)[number], "id" | "attempt" | "cancels_in_progress" | "environment">> & {
  readonly environment: string;
  readonly id: number;
  readonly cancels_in_progress: number;
  readonly attempt: number;
  readonly is_expanded: number;
};

const toJob = (row: Row): JobRow => ({
  id: row.id,
  runId: row.run_id,
  repoId: row.repo_id,
  parentId: row.parent_id,
  key: row.key,
  position: row.position,
  name: row.name,
  needs: JSON.parse(row.needs) as readonly string[],
  isExpanded: row.is_expanded === 1,
  call: row.call === null ? null : (JSON.parse(row.call) as Call),
  concurrencyGroup: row.concurrency_group,
  cancelsInProgress: row.cancels_in_progress === 1,
  labels: JSON.parse(row.labels) as readonly string[],
  environment: row.environment,
  stepNames: JSON.parse(row.step_names) as readonly string[],
  continuesOnError: row.continues_on_error === 1,
  failsFast: row.fails_fast === 1,
  maxParallel: row.max_parallel,
  status: row.status,
  result: row.result,
  outputs: JSON.parse(row.outputs) as Readonly<Record<string, string>>,
  attempt: row.attempt,
  taskId: row.task_id,
  createdMs: row.created_ms,
  startedMs: row.started_ms,
  stoppedMs: row.stopped_ms,
});

/** The jobs of a run in the order of the workflow. */
export async function listJobs(db: Reader, runId: number): Promise<readonly JobRow[]> {
  const rows = await db.sql
    .selectFrom("action_jobs")
    .select([...columns, isExpanded])
    .where("run_id", "=", runId)
    .orderBy("id")
    .execute();
  return rows.map((row) => toJob(row as Row));
}

export async function findJob(db: Reader, repoId: number, id: number): Promise<JobRow | undefined> {
  const row = await db.sql
    .selectFrom("action_jobs")
    .select([...columns, isExpanded])
    .where("id", "=", id)
    .where("repo_id", "=", repoId)
    .executeTakeFirst();
  return row && toJob(row as Row);
}

export async function loadJobs(db: Reader, repoId: number, ids: readonly number[]): Promise<ReadonlyMap<number, JobRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.sql
    .selectFrom("action_jobs")
    .select([...columns, isExpanded])
    .where("repo_id", "=", repoId)
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, toJob(row as Row)]));
}

export interface JobFilter {
  /** Undefined: all that are covered. */
  readonly repoId?: number | undefined;
  readonly covered?: Covered | undefined;
  readonly runId?: number;
  readonly status?: readonly JobStatus[] | undefined;
  readonly result?: Result | undefined;
}

/** Jobs of runners, oldest first; those of a run are in the order of the workflow. Two statements. */
export async function pageJobs(db: Reader, { repoId, covered, runId, status, result }: JobFilter, page: Page): Promise<Paged<JobRow>> {
  let query = db.sql.selectFrom("action_jobs").where("call", "is", null);
  if (repoId !== undefined) query = query.where("repo_id", "=", repoId);
  if (covered !== undefined) query = query.where(isCovered(covered));
  if (runId !== undefined) query = query.where("run_id", "=", runId);
  if (status !== undefined) query = query.where("status", "in", status);
  if (result !== undefined) query = query.where("result", "=", result);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query
    .select([...columns, isExpanded])
    .orderBy("id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { items: rows.map((row) => toJob(row as Row)), total: Number(total) };
}

/** A job before its needs have ended. */
export interface UnexpandedJob {
  readonly runId: number;
  readonly repoId: number;
  readonly parentId: number | null;
  readonly key: string;
  readonly name: string;
  readonly needs: readonly string[];
}

const emptyJob = {
  position: 0,
  payload: null,
  call: null,
  concurrency_group: null,
  labels: "[]",
  environment: "",
  step_names: "[]",
  first_label: "",
  permissions: null,
  timeout_ms: 0,
  continues_on_error: 0,
  fails_fast: 1,
  max_parallel: null,
  status: "blocked" as const,
  result: null,
  outputs: "{}",
  queue_rank: 0,
  task_id: null,
  started_ms: null,
  stopped_ms: null,
};

export async function insertJobs(tx: Tx, jobs: readonly UnexpandedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await tx.sql
    .insertInto("action_jobs")
    .values(
      jobs.map(({ runId, repoId, parentId, key, name, needs }) => ({
        ...emptyJob,
        run_id: runId,
        repo_id: repoId,
        parent_id: parentId,
        key,
        name: name.slice(0, 255),
        needs: JSON.stringify(needs),
        created_ms: tx.nowMs,
      })),
    )
    .execute();
}

/** A job of a matrix, for a runner or as a call of a workflow. */
export interface ExpandedJob {
  readonly name: string;
  readonly concurrency: Concurrency | undefined;
  readonly work: JobInstance | Call;
}

type Rules = Pick<Extract<JobPlan, { readonly kind: "run" }>, "failsFast" | "maxParallel"> & { readonly permissions: Permissions | undefined };

const workOf = (work: JobInstance | Call) =>
  "payload" in work
    ? {
        payload: work.payload,
        labels: JSON.stringify(work.labels),
        step_names: JSON.stringify(work.stepNames),
        environment: work.environment,
        first_label: work.labels[0] ?? "",
        timeout_ms: Math.round(work.timeoutMinutes * 60_000),
        continues_on_error: work.continuesOnError ? 1 : 0,
      }
    : { call: JSON.stringify(work) };

const planned = (rules: Rules, { name, concurrency, work }: ExpandedJob, position: number) => ({
  position,
  name: name.slice(0, 255),
  concurrency_group: concurrency?.group ?? null,
  cancels_in_progress: concurrency?.cancelsInProgress === true ? 1 : 0,
  permissions: rules.permissions === undefined ? null : JSON.stringify(rules.permissions),
  fails_fast: rules.failsFast ? 1 : 0,
  max_parallel: rules.maxParallel,
  ...workOf(work),
});

/** The row of a job becomes the first of its matrix, and the others are added. At most two statements. */
export async function expandJob(tx: Tx, job: JobRow, rules: Rules, [first, ...others]: readonly ExpandedJob[]): Promise<void> {
  if (first === undefined) throw new Error("a planned job has an instance");
  await tx.sql
    .updateTable("action_jobs")
    .set(planned(rules, first, 0))
    .where("id", "=", job.id)
    .execute();
  if (others.length === 0) return;
  const rows: Insertable<ActionJobsTable>[] = others.map((one, at) => ({
    ...emptyJob,
    ...planned(rules, one, at + 1),
    run_id: job.runId,
    repo_id: job.repoId,
    parent_id: job.parentId,
    key: job.key,
    needs: JSON.stringify(job.needs),
    created_ms: tx.nowMs,
  }));
  // Parameters of a statement are limited.
  for (let at = 0; at < rows.length; at += 50)
    await tx.sql
      .insertInto("action_jobs")
      .values(rows.slice(at, at + 50))
      .execute();
}

export async function updateJob(tx: Tx, id: number, changes: Updateable<ActionJobsTable>): Promise<void> {
  await tx.sql.updateTable("action_jobs").set(changes).where("id", "=", id).execute();
}

/** Ends jobs that no runner has. */
export async function endJobs(tx: Tx, ids: readonly number[], result: Result): Promise<void> {
  if (ids.length === 0) return;
  await tx.sql
    .updateTable("action_jobs")
    .set({ status: "done", result, stopped_ms: tx.nowMs })
    .where("id", "in", ids)
    .where("status", "in", ["blocked", "waiting", "running"])
    .execute();
}

const fresh = { status: "blocked", result: null, outputs: "{}", task_id: null, started_ms: null, stopped_ms: null } as const;

/** Prepares jobs for another attempt. */
export async function resetJobs(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.sql.updateTable("action_jobs").set(fresh).where("id", "in", ids).execute();
}

/** Prepares jobs for another decision about them: their condition, matrix and outputs may be others. */
export async function unexpandJobs(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.sql
    .updateTable("action_jobs")
    .set({ ...fresh, payload: null, call: null, concurrency_group: null, position: 0 })
    .where("id", "in", ids)
    .execute();
}

/** Deletes jobs of a matrix, and jobs of called workflows, which belong to a former attempt. */
export async function deleteJobs(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.sql.deleteFrom("action_jobs").where("id", "in", ids).execute();
}

/** Continues calls of workflows, some of whose jobs run again. */
export async function reopenCalls(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.sql.updateTable("action_jobs").set({ status: "running", result: null, outputs: "{}", stopped_ms: null }).where("id", "in", ids).execute();
}

/** Jobs that failed before do not stop those of their matrix that run again. */
export async function endFailFast(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.sql.updateTable("action_jobs").set({ fails_fast: 0 }).where("id", "in", ids).execute();
}

/** The jobs of a repository with some of the concurrency groups that have not ended, oldest first. One statement; none without groups. */
export async function listOpenInGroups(db: Reader, repoId: number, groups: readonly string[]): Promise<readonly JobRow[]> {
  if (groups.length === 0) return [];
  const rows = await db.sql
    .selectFrom("action_jobs")
    .select([...columns, isExpanded])
    .where("repo_id", "=", repoId)
    .where("concurrency_group", "in", groups)
    .where("status", "<>", sql.lit("done"))
    .orderBy("id")
    .execute();
  return rows.map((row) => toJob(row as Row));
}
