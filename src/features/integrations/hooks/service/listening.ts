import type { Reader } from "../../../../db/db.ts";
import type { EventName } from "../event-names.ts";
import { findListening } from "../store/messages.ts";

/** Whether a webhook of a repository has selected an event, for features that record it only then. One statement. */
export const isHeard = async (db: Reader, repoId: number, event: EventName): Promise<boolean> =>
  (await findListening(db, [repoId])).some(({ events }) => events.includes(event));
