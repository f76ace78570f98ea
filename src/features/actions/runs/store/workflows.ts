import { sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { Triggers } from "../language/workflow.ts";
import type { WorkflowRow } from "../model.ts";

export async function listWorkflows(db: Reader, repoId: number): Promise<readonly WorkflowRow[]> {
  const rows = await db.sql.selectFrom("action_workflows").selectAll().where("repo_id", "=", repoId).orderBy("file").execute();
  return rows.map((row) => ({
    id: row.id,
    repoId: row.repo_id,
    file: row.file,
    path: row.path,
    name: row.name,
    oid: row.oid,
    triggers: row.triggers === null ? null : (JSON.parse(row.triggers) as Triggers),
    isDisabled: row.is_disabled === 1,
    nextRunMs: row.next_run_ms,
    schedulerId: row.scheduler_id,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  }));
}

export interface PresentWorkflow {
  readonly file: string;
  readonly path: string;
  readonly name: string;
  readonly oid: string;
  readonly triggers: Triggers | null;
  /** The next time of its schedule. */
  readonly nextRunMs: number | null;
  readonly schedulerId: number | null;
}

/**
 * Replaces the list of the workflows on the default branch. Disabled ones that are gone are kept, so that they are disabled if they return.
 * @param atMs time of the commit
 */
export async function replaceWorkflows(tx: Tx, repoId: number, present: readonly PresentWorkflow[], atMs: number): Promise<void> {
  const files = present.map(({ file }) => file);
  let gone = tx.sql.deleteFrom("action_workflows").where("repo_id", "=", repoId).where("is_disabled", "=", 0);
  let missing = tx.sql.updateTable("action_workflows").set({ oid: null, next_run_ms: null }).where("repo_id", "=", repoId).where("is_disabled", "=", 1);
  if (files.length > 0) {
    gone = gone.where("file", "not in", files);
    missing = missing.where("file", "not in", files);
  }
  await gone.execute();
  await missing.execute();
  for (const { file, path, name, oid, triggers, nextRunMs, schedulerId } of present) {
    const values = {
      path,
      name,
      oid,
      triggers: triggers === null ? null : JSON.stringify(triggers),
      next_run_ms: nextRunMs,
      scheduler_id: schedulerId,
      updated_ms: atMs,
    };
    await tx.sql
      .insertInto("action_workflows")
      .values({ ...values, repo_id: repoId, file, created_ms: atMs })
      // An import knows disabled workflows without their times.
      .onConflict((conflict) =>
        conflict.columns(["repo_id", "file"]).doUpdateSet({
          ...values,
          created_ms: sql<number>`case when action_workflows.created_ms = 0 then excluded.created_ms else action_workflows.created_ms end`,
        }),
      )
      .execute();
  }
}

export async function setDisabled(tx: Tx, repoId: number, file: string, isDisabled: boolean): Promise<void> {
  await tx.sql
    .updateTable("action_workflows")
    .set({ is_disabled: isDisabled ? 1 : 0 })
    .where("repo_id", "=", repoId)
    .where("file", "=", file)
    .execute();
}

const selectDeclared = compiled((db, given: Slots<{ repoIds: readonly number[] }>) =>
  db.sql
    .selectFrom("action_workflows")
    .select(["repo_id", "triggers"])
    .where((eb) => anyOf(db, eb.ref("repo_id"), given.repoIds))
    .where("oid", "is not", null)
    .where("triggers", "is not", null)
    .where("is_disabled", "=", 0),
);

/** The triggers of the enabled workflows on the default branches of repositories. One statement; none without repositories. */
export async function listDeclared(db: Reader, repoIds: readonly number[]): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const declared = new Map<number, Set<string>>();
  if (repoIds.length === 0) return declared;
  for (const { repo_id, triggers } of await selectDeclared(db, { repoIds })) {
    const names = declared.get(repo_id) ?? new Set();
    for (const name of Object.keys(JSON.parse(triggers ?? "{}") as Triggers)) names.add(name);
    declared.set(repo_id, names);
  }
  return declared;
}

/** A workflow that starts at a time. */
export interface ScheduledWorkflow {
  readonly id: number;
  readonly repoId: number;
  readonly file: string;
  readonly crons: readonly string[];
  readonly nextMs: number;
  /** The user who pushed the schedule; null: the account was deleted. */
  readonly schedulerId: number | null;
  readonly isDisabled: boolean;
}

/** The workflows whose time has come, the earliest first. One statement. */
export async function listDue(db: Reader, nowMs: number, limit: number): Promise<readonly ScheduledWorkflow[]> {
  const rows = await db.sql
    .selectFrom("action_workflows")
    .select(["id", "repo_id", "file", "triggers", "next_run_ms", "scheduler_id", "is_disabled"])
    .where("next_run_ms", "is not", null)
    .where("next_run_ms", "<=", nowMs)
    .orderBy("next_run_ms")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    repoId: row.repo_id,
    file: row.file,
    crons: (JSON.parse(row.triggers ?? "{}") as Triggers).schedule?.crons ?? [],
    nextMs: row.next_run_ms ?? 0,
    schedulerId: row.scheduler_id,
    isDisabled: row.is_disabled === 1,
  }));
}

/** Takes a time of a workflow. @returns false if another process has taken it */
export async function takeTime(tx: Tx, { id, nextMs }: ScheduledWorkflow, laterMs: number | null): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("action_workflows")
    .set({ next_run_ms: laterMs })
    .where("id", "=", id)
    .where("next_run_ms", "=", nextMs)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
