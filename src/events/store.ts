import { sql } from "kysely";
import { anyOf } from "../db/any-of.ts";
import type { Reader, Tx } from "../db/db.ts";
import type { EventsTable } from "../db/tables/server.ts";
import { dispatchedTypes, type EventType, type RecordedEvent } from "./events.ts";

type EventRow = Omit<EventsTable, "id" | "is_dispatched"> & { id: number };

/** Events not yet handled by every listener, by id. Types that only a newer version has are left to its processes. */
export async function loadUndispatched(db: Reader, range: { afterId: number; createdBeforeMs: number; limit: number }): Promise<RecordedEvent[]> {
  const rows = await db.sql
    .selectFrom("events")
    .select(["id", "type", "payload", "repo_id", "actor_id", "created_ms"])
    // A literal, so that the partial index is used whatever the parameters are.
    .where("is_dispatched", "=", sql.lit(0))
    .where("id", ">", range.afterId)
    .where((eb) => anyOf(db, eb.ref("type"), dispatchedTypes))
    .where("created_ms", "<=", range.createdBeforeMs)
    .orderBy("id")
    .limit(range.limit)
    .execute();
  return rows.map(toEvent);
}

export async function markDispatched(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.sql
    .updateTable("events")
    .set({ is_dispatched: 1 })
    .where((eb) => anyOf(tx, eb.ref("id"), ids))
    .execute();
}

/** Deletes up to `limit` dispatched events older than the given time. @returns the number of deleted events */
export async function deleteDispatchedBefore(tx: Tx, createdBeforeMs: number, limit: number): Promise<number> {
  const oldest = tx.sql.selectFrom("events").select(["id", "created_ms", "is_dispatched"]).orderBy("id").limit(limit).as("oldest");
  const { numDeletedRows } = await tx.sql
    .deleteFrom("events")
    .where((eb) =>
      eb("id", "in", eb.selectFrom(oldest).select("oldest.id").where("oldest.is_dispatched", "=", 1).where("oldest.created_ms", "<", createdBeforeMs)),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

const toEvent = (row: EventRow): RecordedEvent => ({
  id: row.id,
  // Types that this version does not know have no listeners.
  type: row.type as EventType,
  payload: JSON.parse(row.payload),
  repoId: row.repo_id,
  actorId: row.actor_id,
  createdMs: row.created_ms,
});
