import type { Reader, Tx } from "../../db/db.ts";
import type { MigrationPhase, RunningMigration } from "./progress.ts";

export interface NewRunningMigration {
  readonly accountId: number;
  readonly fullName: string;
  readonly address: string;
}

/** @returns the id */
export async function insertRunning(tx: Tx, migration: NewRunningMigration): Promise<number> {
  const { id } = await tx.sql
    .insertInto("running_migrations")
    .values({
      account_id: migration.accountId,
      full_name: migration.fullName,
      address: migration.address,
      phase: "code",
      started_ms: tx.nowMs,
      seen_ms: tx.nowMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Says how far it is. @returns false when it is to end */
export async function noteProgress(tx: Tx, id: number, progress: { readonly phase: MigrationPhase; readonly receivedBytes: number }): Promise<boolean> {
  const row = await tx.sql
    .updateTable("running_migrations")
    .set({ phase: progress.phase, received_bytes: progress.receivedBytes, seen_ms: tx.nowMs })
    .where("id", "=", id)
    .returning("is_cancelled")
    .executeTakeFirst();
  return row?.is_cancelled === 0;
}

export async function deleteRunning(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("running_migrations").where("id", "=", id).execute();
}

/** An account's, in the order in which they began, without those of processes that have ended. */
export async function listRunning(db: Reader, accountId: number, seenAfterMs: number): Promise<readonly RunningMigration[]> {
  const rows = await db.sql
    .selectFrom("running_migrations")
    .select(["id", "full_name", "address", "phase", "received_bytes", "started_ms"])
    .where("account_id", "=", accountId)
    .where("seen_ms", ">", seenAfterMs)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    fullName: row.full_name,
    address: row.address,
    phase: row.phase,
    receivedBytes: row.received_bytes,
    startedMs: row.started_ms,
  }));
}

/** @returns false when the account has none of this id under way */
export async function cancelRunning(tx: Tx, accountId: number, id: number): Promise<boolean> {
  const row = await tx.sql
    .updateTable("running_migrations")
    .set({ is_cancelled: 1 })
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSeenBefore(tx: Tx, beforeMs: number): Promise<void> {
  await tx.sql.deleteFrom("running_migrations").where("seen_ms", "<", beforeMs).execute();
}
