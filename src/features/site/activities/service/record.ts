import type { Db, Tx } from "../../../../db/db.ts";
import type { EventInTransaction } from "../../../../events/events.ts";
import { type ActivityEvent, activitiesOf, removalsOf } from "../activity-payloads.ts";
import { deleteActivities, insertActivities, removeActivities } from "../store.ts";

/** Writes the activities for a transaction's events: one statement, none without activities, and one more for deletions. */
export async function writeActivities(tx: Tx, events: readonly EventInTransaction<ActivityEvent>[]): Promise<void> {
  const activities = activitiesOf(events);
  if (activities.length > 0) await insertActivities(tx, activities);
  const removals = removalsOf(events);
  if (removals.length > 0) await removeActivities(tx, removals);
}

/** Deletes activities from before a time. */
export const pruneActivities = (deps: { readonly db: Db }, beforeMs: number): Promise<void> => deps.db.tx((tx) => deleteActivities(tx, beforeMs));
