import { type Insertable, sql, type Updateable } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { ActionJobsTable } from "../../../../db/tables/actions.ts";
import type { JobInstance, JobPlan } from "../language/workflow.ts";
import type { JobRow, JobStatus, Result } from "../model.ts";
import { type Covered, isCovered } from "./runs.ts";

const columns = [
  "id",
  "run_id",
  "repo_id",
  "key",
  "position",
  "name",
  "needs",
  "labels",
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

const isExpanded = sql<number>`case when payload is null then 0 else 1 end`.as("is_expanded");

type Row = Pick<ActionJobsTable, Exclude<(typeof columns)[number], "id" | "attempt">> & {
  readonly id: number;
  readonly attempt: number;
  readonly is_expanded: number;
};

const toJob = (row: Row): JobRow => ({
  id: row.id,
  runId: row.run_id,
  repoId: row.repo_id,
  key: row.key,
  position: row.position,
  name: row.name,
  needs: JSON.parse(row.needs) as readonly string[],
  isExpanded: row.is_expanded === 1,
  labels: JSON.parse(row.labels) as readonly string[],
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

/** Jobs, oldest first; those of a run are in the order of the workflow. Two statements. */
export async function pageJobs(db: Reader, { repoId, covered, runId, status, result }: JobFilter, page: Page): Promise<Paged<JobRow>> {
  let query = db.sql.selectFrom("action_jobs");
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
  readonly key: string;
  readonly name: string;
  readonly needs: readonly string[];
}

const emptyJob = {
  position: 0,
  payload: null,
  labels: "[]",
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
      jobs.map(({ runId, repoId, key, name, needs }) => ({
        ...emptyJob,
        run_id: runId,
        repo_id: repoId,
        key,
        name: name.slice(0, 255),
        needs: JSON.stringify(needs),
        created_ms: tx.nowMs,
      })),
    )
    .execute();
}

type RunPlanned = Extract<JobPlan, { readonly kind: "run" }>;

const planned = (plan: RunPlanned, instance: JobInstance, position: number) => ({
  position,
  name: instance.name,
  payload: instance.payload,
  labels: JSON.stringify(instance.labels),
  step_names: JSON.stringify(instance.stepNames),
  first_label: instance.labels[0] ?? "",
  permissions: plan.permissions === undefined ? null : JSON.stringify(plan.permissions),
  timeout_ms: Math.round(instance.timeoutMinutes * 60_000),
  continues_on_error: instance.continuesOnError ? 1 : 0,
  fails_fast: plan.failsFast ? 1 : 0,
  max_parallel: plan.maxParallel,
});

/** The row of a job becomes the first of its matrix, and the others are added. At most two statements. */
export async function expandJob(tx: Tx, job: JobRow, plan: RunPlanned): Promise<void> {
  const [first, ...others] = plan.instances;
  if (first === undefined) throw new Error("a planned job has an instance");
  await tx.sql
    .updateTable("action_jobs")
    .set(planned(plan, first, 0))
    .where("id", "=", job.id)
    .execute();
  if (others.length === 0) return;
  const rows: Insertable<ActionJobsTable>[] = others.map((instance, at) => ({
    ...emptyJob,
    ...planned(plan, instance, at + 1),
    run_id: job.runId,
    repo_id: job.repoId,
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

/**
 * Puts jobs into the queue. A repository's next job comes after one of each other repository that waits, however many it has.
 * Two statements, and one per job.
 */
export async function queueJobs(tx: Tx, repoId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { head, own } = await tx.sql
    .selectNoFrom((eb) => [
      eb
        .selectFrom("action_jobs")
        .select((inner) => inner.fn.min("queue_rank").as("rank"))
        .where("status", "=", sql.lit("waiting"))
        .as("head"),
      eb
        .selectFrom("action_jobs")
        .select((inner) => inner.fn.max("queue_rank").as("rank"))
        .where("repo_id", "=", repoId)
        .where("status", "=", sql.lit("waiting"))
        .as("own"),
    ])
    .executeTakeFirstOrThrow();
  let rank = Math.max(Number(head ?? 0), Number(own ?? 0));
  for (const id of ids) {
    rank += 1;
    await tx.sql.updateTable("action_jobs").set({ status: "waiting", queue_rank: rank }).where("id", "=", id).where("status", "=", "blocked").execute();
  }
}

export interface WaitingJob {
  readonly id: number;
  readonly repoId: number;
  readonly ownerId: number;
  readonly labels: readonly string[];
  readonly queueRank: number;
}

/** The first jobs of the queue that some of the labels may match. One statement. */
export async function listWaiting(
  db: Reader,
  {
    labels,
    repoIds,
    ownerIds,
    isGlobal,
    after,
    limit,
  }: {
    readonly labels: readonly string[];
    readonly repoIds: readonly number[];
    readonly ownerIds: readonly number[];
    readonly isGlobal: boolean;
    /** Continues after this place. */
    readonly after: { readonly rank: number; readonly id: number };
    readonly limit: number;
  },
): Promise<readonly WaitingJob[]> {
  if (labels.length === 0) return [];
  let query = db.sql
    .selectFrom("action_jobs as j")
    .innerJoin("repositories as r", "r.id", "j.repo_id")
    .select(["j.id", "j.repo_id", "r.owner_id", "j.labels", "j.queue_rank"])
    .where("j.status", "=", sql.lit("waiting"))
    .where("j.first_label", "in", labels)
    .where((eb) => eb.or([eb("j.queue_rank", ">", after.rank), eb.and([eb("j.queue_rank", "=", after.rank), eb("j.id", ">", after.id)])]));
  if (!isGlobal) {
    query = query.where((eb) =>
      eb.or([...(repoIds.length === 0 ? [] : [eb("j.repo_id", "in", repoIds)]), ...(ownerIds.length === 0 ? [] : [eb("r.owner_id", "in", ownerIds)])]),
    );
  }
  const rows = await query.orderBy("j.queue_rank").orderBy("j.id").limit(limit).execute();
  return rows.map(({ id, repo_id, owner_id, labels: given, queue_rank }) => ({
    id,
    repoId: repo_id,
    ownerId: owner_id,
    labels: JSON.parse(given) as readonly string[],
    queueRank: queue_rank,
  }));
}

export interface ClaimedJob {
  readonly runId: number;
  readonly repoId: number;
  readonly attempt: number;
  readonly timeoutMs: number;
  readonly permissions: Readonly<Record<string, string>> | null;
}

/** Takes a job out of the queue. @returns undefined if another runner has it */
export async function claimJob(tx: Tx, id: number): Promise<ClaimedJob | undefined> {
  const row = await tx.sql
    .updateTable("action_jobs")
    .set((eb) => ({ status: "running" as const, attempt: eb("attempt", "+", 1), started_ms: tx.nowMs, stopped_ms: null, result: null }))
    .where("id", "=", id)
    .where("status", "=", "waiting")
    .returning(["run_id", "repo_id", "attempt", "timeout_ms", "permissions"])
    .executeTakeFirst();
  return (
    row && {
      runId: row.run_id,
      repoId: row.repo_id,
      attempt: row.attempt,
      timeoutMs: row.timeout_ms,
      permissions: row.permissions === null ? null : (JSON.parse(row.permissions) as Readonly<Record<string, string>>),
    }
  );
}

/** The job as a runner executes it, and the permissions that the job declares. */
export async function findPayload(
  db: Reader,
  id: number,
): Promise<{ readonly payload: string; readonly permissions: Readonly<Record<string, string>> | null } | undefined> {
  const row = await db.sql.selectFrom("action_jobs").select(["payload", "permissions"]).where("id", "=", id).executeTakeFirst();
  if (row?.payload == null) return undefined;
  return { payload: row.payload, permissions: row.permissions === null ? null : (JSON.parse(row.permissions) as Readonly<Record<string, string>>) };
}

/** Prepares jobs for another attempt. Those that were not expanded before are planned again. */
export async function resetJobs(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.sql
    .updateTable("action_jobs")
    .set({ status: "blocked", result: null, outputs: "{}", task_id: null, started_ms: null, stopped_ms: null })
    .where("id", "in", ids)
    .execute();
}
