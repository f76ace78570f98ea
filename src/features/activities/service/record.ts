import type { Db, Tx } from "../../../db/db.ts";
import type { EventInTransaction } from "../../../events/events.ts";
import { type ActivityEvent, activitiesOf } from "../facts.ts";
import { deleteActivities, insertActivities } from "../store.ts";

/** Writes what feeds tell of the events of a transaction: one statement, none where they tell nothing. */
export async function writeActivities(tx: Tx, events: readonly EventInTransaction<ActivityEvent>[]): Promise<void> {
  const activities = activitiesOf(events);
  if (activities.length > 0) await insertActivities(tx, activities);
}

/** Forgets what was done before a moment. */
export const pruneActivities = (deps: { readonly db: Db }, beforeMs: number): Promise<void> => deps.db.tx((tx) => deleteActivities(tx, beforeMs));
