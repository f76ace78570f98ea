import type { Db, Tx } from "../db/db.ts";
import type { EventInTransaction, EventType } from "./events.ts";

/**
 * Receives one transaction's events of its types, in recording order. Called at most once per round, so that one statement can serve all
 * events.
 */
export type InTransaction<Type extends EventType> = (tx: Tx, events: readonly EventInTransaction<Type>[]) => Promise<void>;

/**
 * Registers a handler for effects that must exist together with an event. It runs in the event's transaction, just before COMMIT, so
 * effects are never lost or doubled, and visible to the next request. Effects that may come later belong to the dispatcher.
 * A handler that throws rolls back the change, so it may use only the database and fail only if the database does.
 * It may record events itself; handlers receive those in another round.
 * @returns a function that unregisters it
 */
export function inTransaction<Type extends EventType>(db: Db, types: readonly Type[], handler: InTransaction<Type>): () => void {
  const wanted: ReadonlySet<EventType> = new Set(types);
  return db.beforeCommit(
    "events",
    (tx, values) => handler(tx, values as readonly EventInTransaction<Type>[]),
    (value) => wanted.has((value as EventInTransaction).type),
  );
}
