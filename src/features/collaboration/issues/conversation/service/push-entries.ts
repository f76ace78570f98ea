import type { Tx } from "../../../../../db/db.ts";
import * as store from "../store/push-entries.ts";

/** Sets the commits of a push in its timeline entry. Of several pushes of the same head this is the newest. */
export const updatePushEntry = (tx: Tx, issueId: number, headOid: string, content: string): Promise<void> =>
  store.updatePushEntry(tx, issueId, headOid, content);

/** Deletes the timeline entries of all pushes. */
export const deletePushEntries = (tx: Tx, issueId: number): Promise<void> => store.deletePushEntries(tx, issueId);
