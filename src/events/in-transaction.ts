import type { Db, Tx } from "../db/db.ts";
import type { EventInTransaction, EventType } from "./events.ts";

/** Gets the events of one transaction that are of its types, in the order in which they were recorded. At most once a round: a statement for all of them. */
export type InTransaction<Type extends EventType> = (tx: Tx, events: readonly EventInTransaction<Type>[]) => Promise<void>;

/**
 * Registers what must be there with an event: it is written in the event's own transaction, just before COMMIT, so it is never lost, never
 * doubled, and there in the next request. What may come later belongs to the dispatcher.
 * A handler that throws undoes the change, so it looks at nothing but the database and fails only where the database does.
 * It may record events itself; handlers get those in a round of their own.
 * @returns the end of it
 */
export function inTransaction<Type extends EventType>(db: Db, types: readonly Type[], handler: InTransaction<Type>): () => void {
  const wanted: ReadonlySet<EventType> = new Set(types);
  return db.beforeCommit(
    "events",
    (tx, values) => handler(tx, values as readonly EventInTransaction<Type>[]),
    (value) => wanted.has((value as EventInTransaction).type),
  );
}
