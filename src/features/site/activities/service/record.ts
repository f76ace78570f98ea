import type { Db, Tx } from "../../../../db/db.ts";
import type { EventInTransaction } from "../../../../events/events.ts";
import { type ActivityEvent, activitiesOf, removalsOf } from "../activity-payloads.ts";
import { deleteActivities, insertActivities, removeActivities } from "../store.ts";

/** Writes what feeds tell of the events of a transaction: one statement, none where they tell nothing; one more for what is taken back. */
export async function writeActivities(tx: Tx, events: readonly EventInTransaction<ActivityEvent>[]): Promise<void> {
  const activities = activitiesOf(events);
  if (activities.length > 0) await insertActivities(tx, activities);
  const removals = removalsOf(events);
  if (removals.length > 0) await removeActivities(tx, removals);
}

/** Forgets what was done before a moment. */
export const pruneActivities = (deps: { readonly db: Db }, beforeMs: number): Promise<void> => deps.db.tx((tx) => deleteActivities(tx, beforeMs));
