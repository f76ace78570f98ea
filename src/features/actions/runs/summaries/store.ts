import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";

/** The size of all summaries of a task, without that of one step. */
export async function sumOtherBytes(db: Reader, taskId: number, step: number): Promise<number> {
  const { total } = await db.sql
    .selectFrom("action_summaries")
    .select((eb) => eb.fn.sum<number | null>("size_bytes").as("total"))
    .where("task_id", "=", taskId)
    .where("step", "<>", step)
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
}

export async function putSummary(
  tx: Tx,
  taskId: number,
  step: number,
  { content, sizeBytes }: { readonly content: string; readonly sizeBytes: number },
): Promise<void> {
  await tx.sql
    .insertInto("action_summaries")
    .values({ task_id: taskId, step, content, size_bytes: sizeBytes, updated_ms: tx.nowMs })
    .onConflict((conflict) => conflict.columns(["task_id", "step"]).doUpdateSet({ content, size_bytes: sizeBytes, updated_ms: tx.nowMs }))
    .execute();
}

export async function deleteSummary(tx: Tx, taskId: number, step: number): Promise<void> {
  await tx.sql.deleteFrom("action_summaries").where("task_id", "=", taskId).where("step", "=", step).execute();
}

/** The sizes of the summaries of tasks, by task. */
export async function sumBytes(db: Reader, taskIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db.sql
    .selectFrom("action_summaries")
    .select((eb) => ["task_id", eb.fn.sum<number>("size_bytes").as("total")])
    .where((eb) => anyOf(db, eb.ref("task_id"), taskIds))
    .groupBy("task_id")
    .execute();
  return new Map(rows.map(({ task_id, total }) => [task_id, Number(total)]));
}

/** The summaries of tasks, by task, in the order of the steps. */
export async function listSummaries(db: Reader, taskIds: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await db.sql
    .selectFrom("action_summaries")
    .select(["task_id", "content"])
    .where((eb) => anyOf(db, eb.ref("task_id"), taskIds))
    .orderBy("task_id")
    .orderBy("step")
    .execute();
  return new Map([...Map.groupBy(rows, ({ task_id }) => task_id)].map(([id, own]) => [id, own.map(({ content }) => content)]));
}

/** The tasks of the oldest summaries, for their deletion. */
export async function listOldSummaries(db: Reader, beforeMs: number, limit: number): Promise<readonly number[]> {
  const rows = await db.sql.selectFrom("action_summaries").select("task_id").where("updated_ms", "<", beforeMs).orderBy("updated_ms").limit(limit).execute();
  return [...new Set(rows.map(({ task_id }) => task_id))];
}

export async function deleteSummaries(tx: Tx, taskIds: readonly number[]): Promise<void> {
  await tx.sql
    .deleteFrom("action_summaries")
    .where((eb) => anyOf(tx, eb.ref("task_id"), taskIds))
    .execute();
}
