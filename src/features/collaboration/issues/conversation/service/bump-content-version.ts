import type { Tx } from "../../../../../db/db.ts";
import { raiseContentVersion, saveFirstText } from "../../store/content-version.ts";

/** Attaching a file bumps the content version, so that a concurrent edit of the old text is rejected. */
export async function noteAttached(tx: Tx, issueId: number): Promise<void> {
  await saveFirstText(tx, issueId);
  await raiseContentVersion(tx, issueId);
}
