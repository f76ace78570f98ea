import { sql, type Updateable } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { ActionTasksTable } from "../../../../db/tables/actions.ts";
import type { LogLine, Result, Step, TaskRow } from "../model.ts";

const columns = [
  "id",
  "job_id",
  "run_id",
  "repo_id",
  "runner_id",
  "runner_name",
  "attempt",
  "status",
  "result",
  "is_reported",
  "lease_until_ms",
  "deadline_ms",
  "steps",
  "log_rows",
  "log_bytes",
  "is_log_closed",
  "created_ms",
  "started_ms",
  "stopped_ms",
] as const;

type Row = { readonly [Name in (typeof columns)[number]]: ActionTasksTable[Name] extends { readonly __select__: infer S } ? S : ActionTasksTable[Name] };

const toTask = (row: Row): TaskRow => ({
  id: row.id,
  jobId: row.job_id,
  runId: row.run_id,
  repoId: row.repo_id,
  runnerId: row.runner_id,
  runnerName: row.runner_name,
  attempt: row.attempt,
  status: row.status,
  result: row.result,
  isReported: row.is_reported === 1,
  leaseUntilMs: row.lease_until_ms,
  deadlineMs: row.deadline_ms,
  steps: JSON.parse(row.steps) as readonly Step[],
  logRows: row.log_rows,
  logBytes: row.log_bytes,
  isLogClosed: row.is_log_closed === 1,
  createdMs: row.created_ms,
  startedMs: row.started_ms,
  stoppedMs: row.stopped_ms,
});

export interface NewTask {
  readonly jobId: number;
  readonly runId: number;
  readonly repoId: number;
  readonly runnerId: number;
  readonly runnerName: string;
  readonly attempt: number;
  readonly rights: string;
  /** Undefined: none. */
  readonly sealedSecrets: string | undefined;
  readonly leaseUntilMs: number;
  readonly deadlineMs: number;
}

export async function insertTask(tx: Tx, task: NewTask): Promise<number> {
  const { id } = await tx.sql
    .insertInto("action_tasks")
    .values({
      job_id: task.jobId,
      run_id: task.runId,
      repo_id: task.repoId,
      runner_id: task.runnerId,
      runner_name: task.runnerName,
      attempt: task.attempt,
      status: "running",
      result: null,
      token_hash: null,
      rights: task.rights,
      sealed_secrets: task.sealedSecrets ?? null,
      lease_until_ms: task.leaseUntilMs,
      deadline_ms: task.deadlineMs,
      created_ms: tx.nowMs,
      started_ms: null,
      stopped_ms: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateTask(tx: Tx, id: number, changes: Updateable<ActionTasksTable>): Promise<void> {
  await tx.sql.updateTable("action_tasks").set(changes).where("id", "=", id).execute();
}

const findById = compiled((db: Reader, given: Slots<{ id: number }>) => db.sql.selectFrom("action_tasks").select(columns).where("id", "=", given.id));

export async function findTask(db: Reader, id: number): Promise<TaskRow | undefined> {
  const [row] = await findById(db, { id });
  return row && toTask(row as Row);
}

export async function listTasks(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, TaskRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.sql.selectFrom("action_tasks").select(columns).where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, toTask(row as Row)]));
}

export interface LogState {
  readonly id: number;
  readonly logRows: number;
  /** No further lines follow. */
  readonly isComplete: boolean;
}

/** The lengths of logs. */
export async function listLogStates(db: Reader, ids: readonly number[], nowMs: number): Promise<readonly LogState[]> {
  if (ids.length === 0) return [];
  const rows = await db.sql.selectFrom("action_tasks").select(["id", "log_rows", "status", "is_log_closed", "stopped_ms"]).where("id", "in", ids).execute();
  return rows.map((row) => ({
    id: row.id,
    logRows: row.log_rows,
    isComplete: row.status === "done" && (row.is_log_closed === 1 || (row.stopped_ms ?? 0) + lateMs <= nowMs),
  }));
}

/** A runner can send the end of a log after the end of its task. */
const lateMs = 10_000;

/** The tasks of a repository, newest first. Two statements. */
export async function pageTasks(db: Reader, repoId: number, page: Page): Promise<Paged<TaskRow>> {
  const query = db.sql.selectFrom("action_tasks").where("repo_id", "=", repoId);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query.select(columns).orderBy("id", "desc").limit(page.limit).offset(page.offset).execute();
  return { items: rows.map((row) => toTask(row as Row)), total: Number(total) };
}

/** Tasks whose lease or time is over. */
export async function listOverdue(db: Reader, nowMs: number, limit: number): Promise<readonly TaskRow[]> {
  const rows = await db.sql
    .selectFrom("action_tasks")
    .select(columns)
    .where("status", "=", sql.lit("running"))
    .where((eb) => eb.or([eb("lease_until_ms", "<=", nowMs), eb("deadline_ms", "<=", nowMs)]))
    .orderBy("lease_until_ms")
    .limit(limit)
    .execute();
  return rows.map((row) => toTask(row as Row));
}

export async function hasRunningTasks(db: Reader): Promise<boolean> {
  const row = await db.sql.selectFrom("action_tasks").select("id").where("status", "=", sql.lit("running")).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** A task that was handed to the runner some time ago and that it has never reported on: the response may have been lost. */
export async function findUnreported(db: Reader, runnerId: number, beforeMs: number): Promise<TaskRow | undefined> {
  const row = await db.sql
    .selectFrom("action_tasks")
    .select(columns)
    .where("runner_id", "=", runnerId)
    .where("status", "=", "running")
    .where("is_reported", "=", 0)
    .where("created_ms", "<", beforeMs)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row && toTask(row as Row);
}

/** Whether a runner executes a task or has executed one. A task that it never reported on, and lost, does not count. One statement. */
export async function hasTask(db: Reader, runnerId: number): Promise<boolean> {
  const row = await db.sql
    .selectFrom("action_tasks")
    .select("id")
    .where("runner_id", "=", runnerId)
    .where((eb) => eb.or([eb("status", "=", "running"), eb("is_reported", "=", 1)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The secrets of a task, sealed; undefined if it has none or does not need them any more. One statement. */
export async function findSealedSecrets(db: Reader, id: number): Promise<string | undefined> {
  const row = await db.sql.selectFrom("action_tasks").select("sealed_secrets").where("id", "=", id).executeTakeFirst();
  return row?.sealed_secrets ?? undefined;
}

/** Ends a task. Its secrets are kept as long as its log may become longer. */
export async function finishTask(tx: Tx, id: number, result: Result): Promise<void> {
  await tx.sql
    .updateTable("action_tasks")
    .set((eb) => ({
      status: "done" as const,
      result,
      token_hash: null,
      stopped_ms: tx.nowMs,
      sealed_secrets: eb.case().when("is_log_closed", "=", 1).then(null).else(eb.ref("sealed_secrets")).end(),
    }))
    .where("id", "=", id)
    .execute();
}

/** Closes the logs of tasks that ended before a time, and deletes their secrets. */
export async function forgetSecrets(tx: Tx, beforeMs: number): Promise<void> {
  await tx.sql
    .updateTable("action_tasks")
    .set({ sealed_secrets: null, is_log_closed: 1 })
    .where("stopped_ms", "<", beforeMs)
    .where("sealed_secrets", "is not", null)
    .execute();
}

const findByToken = compiled((db: Reader, given: Slots<{ hash: string }>) =>
  db.sql.selectFrom("action_tasks").select(["id", "repo_id", "rights"]).where("token_hash", "=", given.hash).where("status", "=", "running"),
);

export async function findTokenTask(db: Reader, hash: string): Promise<{ readonly id: number; readonly repoId: number; readonly rights: string } | undefined> {
  const [row] = await findByToken(db, { hash });
  return row && { id: row.id, repoId: row.repo_id, rights: row.rights };
}

export async function insertLogPart(tx: Tx, taskId: number, firstRow: number, lines: readonly LogLine[]): Promise<void> {
  await tx.sql
    .insertInto("action_log_parts")
    .values({ task_id: taskId, first_row: firstRow, row_count: lines.length, content: JSON.stringify(lines) })
    .execute();
}

export interface LogPart {
  readonly firstRow: number;
  readonly lines: readonly LogLine[];
}

/** The parts of a log that have lines from a row on. */
export async function listLogParts(db: Reader, taskId: number, fromRow: number, limit: number): Promise<readonly LogPart[]> {
  const rows = await db.sql
    .selectFrom("action_log_parts")
    .select(["first_row", "content"])
    .where("task_id", "=", taskId)
    .where((eb) => eb(eb("first_row", "+", eb.ref("row_count")), ">", fromRow))
    .orderBy("first_row")
    .limit(limit)
    .execute();
  return rows.map(({ first_row, content }) => ({ firstRow: first_row, lines: JSON.parse(content) as readonly LogLine[] }));
}
