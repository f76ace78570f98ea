import type { Tx } from "../../../../../db/db.ts";
import { raiseContentVersion, saveFirstText } from "../../store/content-version.ts";

/** An issue says more when a file has been hung on it: an edit of what was read before is then one of something else. */
export async function noteAttached(tx: Tx, issueId: number): Promise<void> {
  await saveFirstText(tx, issueId);
  await raiseContentVersion(tx, issueId);
}
