import type { Tx } from "../../../../../db/db.ts";
import * as store from "../store/push-entries.ts";

/** Sets the commits of a push in its timeline entry. If the same head was pushed several times, this is the newest push. */
export const updatePushEntry = (tx: Tx, issueId: number, headOid: string, content: string): Promise<void> =>
  store.updatePushEntry(tx, issueId, headOid, content);

/** Deletes the timeline entries of all pushes. */
export const deletePushEntries = (tx: Tx, issueId: number): Promise<void> => store.deletePushEntries(tx, issueId);
