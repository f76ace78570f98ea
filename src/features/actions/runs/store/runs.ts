import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql, type Updateable } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { ActionRunsTable } from "../../../../db/tables/actions.ts";
import type { Tables } from "../../../../db/tables.ts";
import type { Result, RunContent, RunRow, RunStatus } from "../model.ts";

const columns = [
  "id",
  "repo_id",
  "number",
  "workflow_file",
  "workflow_path",
  "workflow_name",
  "required_id",
  "workflow_oid",
  "title",
  "trigger",
  "ref",
  "oid",
  "base_ref",
  "head_ref",
  "actor_id",
  "is_from_fork",
  "needs_approval",
  "concurrency_group",
  "cancels_in_progress",
  "depth",
  "status",
  "result",
  "problems",
  "attempt",
  "created_ms",
  "started_ms",
  "stopped_ms",
  "updated_ms",
] as const;

type Row = Pick<ActionRunsTable, Exclude<(typeof columns)[number], "id" | "attempt" | "depth" | "cancels_in_progress" | "required_id" | "workflow_oid">> & {
  readonly required_id: number | null;
  readonly workflow_oid: string | null;
  readonly id: number;
  readonly cancels_in_progress: number;
  readonly attempt: number;
  readonly depth: number;
};

const toRun = (row: Row): RunRow => ({
  id: row.id,
  repoId: row.repo_id,
  number: row.number,
  workflowFile: row.workflow_file,
  workflowPath: row.workflow_path,
  workflowName: row.workflow_name,
  requiredId: row.required_id,
  workflowOid: row.workflow_oid,
  title: row.title,
  trigger: row.trigger,
  ref: row.ref,
  oid: row.oid,
  baseRef: row.base_ref,
  headRef: row.head_ref,
  actorId: row.actor_id,
  isFromFork: row.is_from_fork === 1,
  needsApproval: row.needs_approval === 1,
  concurrencyGroup: row.concurrency_group,
  cancelsInProgress: row.cancels_in_progress === 1,
  depth: row.depth,
  status: row.status,
  result: row.result,
  problems: JSON.parse(row.problems) as RunRow["problems"],
  attempt: row.attempt,
  createdMs: row.created_ms,
  startedMs: row.started_ms,
  stoppedMs: row.stopped_ms,
  updatedMs: row.updated_ms,
});

export interface NewRun {
  readonly repoId: number;
  readonly eventId: number | null;
  readonly cause: string | null;
  readonly depth: number;
  readonly workflowFile: string;
  readonly workflowPath: string;
  readonly workflowName: string;
  readonly requiredId: number | null;
  readonly workflowOid: string | null;
  readonly content: string;
  readonly called: string;
  readonly title: string;
  readonly trigger: string;
  readonly payload: string;
  readonly inputs: string;
  readonly ref: string;
  readonly oid: string;
  readonly baseRef: string;
  readonly headRef: string;
  readonly actorId: number | null;
  readonly isFromFork: boolean;
  readonly needsApproval: boolean;
  readonly concurrencyGroup: string | null;
  readonly cancelsInProgress: boolean;
  readonly problems: RunRow["problems"];
}

/** Inserts a run with the next number of its repository. @returns undefined if the event or cause has started it already. Two statements. */
export async function insertRun(tx: Tx, run: NewRun): Promise<RunRow | undefined> {
  const { last, deleted } = await tx.sql
    .selectFrom("repositories as r")
    .select("r.deleted_run_number as deleted")
    .select((eb) =>
      eb
        .selectFrom("action_runs as a")
        .select(({ fn }) => fn.max("a.number").as("last"))
        .whereRef("a.repo_id", "=", "r.id")
        .as("last"),
    )
    .where("r.id", "=", run.repoId)
    .executeTakeFirstOrThrow();
  const row = await tx.sql
    .insertInto("action_runs")
    .values({
      repo_id: run.repoId,
      number: Math.max(Number(last ?? 0), deleted) + 1,
      event_id: run.eventId,
      cause: run.cause,
      depth: run.depth,
      workflow_file: run.workflowFile,
      workflow_path: run.workflowPath,
      workflow_name: run.workflowName,
      required_id: run.requiredId,
      workflow_oid: run.workflowOid,
      content: run.content,
      called: run.called,
      title: run.title,
      trigger: run.trigger,
      payload: run.payload,
      inputs: run.inputs,
      ref: run.ref,
      oid: run.oid,
      base_ref: run.baseRef,
      head_ref: run.headRef,
      actor_id: run.actorId,
      is_from_fork: run.isFromFork ? 1 : 0,
      needs_approval: run.needsApproval ? 1 : 0,
      approver_id: null,
      concurrency_group: run.concurrencyGroup,
      cancels_in_progress: run.cancelsInProgress ? 1 : 0,
      status: run.needsApproval ? "waiting" : "queued",
      result: null,
      problems: JSON.stringify(run.problems),
      created_ms: tx.nowMs,
      started_ms: null,
      stopped_ms: null,
      updated_ms: tx.nowMs,
    })
    // Of the event or of the cause. A concurrent run with the same number fails instead, because transactions are serializable.
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst();
  return row && toRun(row as Row);
}

export async function findRun(db: Reader, repoId: number, id: number): Promise<RunRow | undefined> {
  const row = await db.sql.selectFrom("action_runs").select(columns).where("id", "=", id).where("repo_id", "=", repoId).executeTakeFirst();
  return row && toRun(row as Row);
}

/** Whether a user has approved a run of a commit. */
export async function isApproved(db: Reader, repoId: number, oid: string): Promise<boolean> {
  const row = await db.sql
    .selectFrom("action_runs")
    .select("id")
    .where("repo_id", "=", repoId)
    .where("oid", "=", oid)
    .where("approver_id", "is not", null)
    .where("needs_approval", "=", 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** @param repoId undefined: of all repositories */
export async function loadRuns(db: Reader, repoId: number | undefined, ids: readonly number[]): Promise<ReadonlyMap<number, RunRow>> {
  if (ids.length === 0) return new Map();
  let query = db.sql
    .selectFrom("action_runs")
    .select(columns)
    .where("id", "in", [...new Set(ids)]);
  if (repoId !== undefined) query = query.where("repo_id", "=", repoId);
  const rows = await query.execute();
  return new Map(rows.map((row) => [row.id, toRun(row as Row)]));
}

export async function findRunByNumber(db: Reader, repoId: number, number: number): Promise<RunRow | undefined> {
  const row = await db.sql.selectFrom("action_runs").select(columns).where("number", "=", number).where("repo_id", "=", repoId).executeTakeFirst();
  return row && toRun(row as Row);
}

export async function findRunWithContent(db: Reader, id: number): Promise<(RunRow & RunContent) | undefined> {
  const row = await db.sql
    .selectFrom("action_runs")
    .select([...columns, "content", "called", "payload", "inputs"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row && { ...toRun(row as Row), content: row.content, called: row.called, payload: row.payload, inputs: row.inputs };
}

/** The runs of a concurrency group that have not ended, oldest first. */
export async function listOpenInGroup(db: Reader, repoId: number, group: string): Promise<readonly RunRow[]> {
  const rows = await db.sql
    .selectFrom("action_runs")
    .select(columns)
    .where("repo_id", "=", repoId)
    .where("concurrency_group", "=", group)
    .where("status", "<>", sql.lit("done"))
    .orderBy("id")
    .execute();
  return rows.map((row) => toRun(row as Row));
}

export async function updateRun(tx: Tx, id: number, changes: Updateable<ActionRunsTable>): Promise<void> {
  await tx.sql
    .updateTable("action_runs")
    .set({ ...changes, updated_ms: tx.nowMs })
    .where("id", "=", id)
    .execute();
}

export async function deleteRun(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("action_runs").where("id", "=", id).execute();
}

/** The repositories that a list covers: those of an owner that meet a condition on `r`. */
export interface Covered {
  readonly ownerId: number;
  readonly readable: RawBuilder<SqlBool>;
}

/** The rows of covered repositories. */
export const isCovered = ({ ownerId, readable }: Covered): RawBuilder<SqlBool> =>
  sql`repo_id in (select r.id from repositories r where r.owner_id = ${ownerId} and ${readable})`;

export interface RunFilter {
  /** Undefined: all that are covered. */
  readonly repoId?: number | undefined;
  readonly covered?: Covered | undefined;
  readonly workflowFile?: string | undefined;
  readonly trigger?: string | undefined;
  /** Short name of a branch. */
  readonly branch?: string | undefined;
  readonly actorId?: number | undefined;
  readonly oid?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly result?: Result | undefined;
  /** Only runs whose workflow file could be read. */
  readonly isReadable?: true;
}

/** A run of a file that could not be read has no jobs; mistakes that are found later belong to a run with jobs. */
const isReadable = sql<SqlBool>`(problems = '[]' or exists (select 1 from action_jobs j where j.run_id = action_runs.id))`;

const matching = (filter: RunFilter) => (eb: ExpressionBuilder<Tables, "action_runs">) =>
  eb.and([
    ...(filter.repoId === undefined ? [] : [eb("repo_id", "=", filter.repoId)]),
    ...(filter.covered === undefined ? [] : [isCovered(filter.covered)]),
    ...(filter.workflowFile === undefined ? [] : [eb("workflow_file", "=", filter.workflowFile)]),
    ...(filter.trigger === undefined ? [] : [eb("trigger", "=", filter.trigger)]),
    ...(filter.branch === undefined ? [] : [eb("ref", "=", `refs/heads/${filter.branch}`)]),
    ...(filter.actorId === undefined ? [] : [eb("actor_id", "=", filter.actorId)]),
    ...(filter.oid === undefined ? [] : [eb("oid", "=", filter.oid)]),
    ...(filter.status === undefined ? [] : [eb("status", "=", filter.status)]),
    ...(filter.result === undefined ? [] : [eb("result", "=", filter.result)]),
    ...(filter.isReadable === undefined ? [] : [isReadable]),
  ]);

/** The runs of a repository, newest first. Two statements. */
export async function pageRuns(db: Reader, filter: RunFilter, page: Page): Promise<Paged<RunRow>> {
  const query = db.sql.selectFrom("action_runs").where(matching(filter));
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query.select(columns).orderBy("id", "desc").limit(page.limit).offset(page.offset).execute();
  return { items: rows.map((row) => toRun(row as Row)), total: Number(total) };
}

/** The newest run of a workflow on a branch that has ended, for its badge. */
export async function findLatest(db: Reader, filter: RunFilter): Promise<RunRow | undefined> {
  const row = await db.sql.selectFrom("action_runs").select(columns).where(matching(filter)).orderBy("id", "desc").limit(1).executeTakeFirst();
  return row && toRun(row as Row);
}
