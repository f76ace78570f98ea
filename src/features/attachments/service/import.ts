import { randomUUID } from "node:crypto";
import type { Tx } from "../../../db/db.ts";
import { countFile } from "../../repos/service/sizes.ts";
import { insertAttachment } from "../store.ts";
import type { TakenFile } from "../view.ts";

/** Files of releases that a new repository brings from elsewhere, in the transaction that makes it; who uploaded them is nobody here. */
export async function importReleaseFiles(tx: Tx, repoId: number, files: readonly { readonly releaseId: number; readonly taken: TakenFile }[]): Promise<void> {
  for (const { releaseId, taken } of files) await insertAttachment(tx, { repoId, issueId: null, commentId: null, releaseId }, null, randomUUID(), taken);
  const sizeBytes = files.reduce((sum, { taken }) => sum + taken.sizeBytes, 0);
  if (sizeBytes > 0) await countFile(tx, repoId, sizeBytes);
}
