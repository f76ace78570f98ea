import { randomUUID } from "node:crypto";
import type { Tx } from "../../../../db/db.ts";
import { countFile } from "../../../repositories/repos/service/sizes.ts";
import { keepFile } from "../../../site/blobs/service/keep.ts";
import type { Holder, TakenFile } from "../model.ts";
import { insertAttachment } from "../store.ts";

export interface ImportedFile {
  readonly holder: Omit<Holder, "repoId">;
  readonly taken: TakenFile;
}

/** Inserts imported files in the transaction that creates the repository. They have no uploader. */
export async function importFiles(tx: Tx, repoId: number, files: readonly ImportedFile[]): Promise<void> {
  for (const { holder, taken } of files) {
    await keepFile(tx, taken);
    await insertAttachment(tx, { ...holder, repoId }, null, randomUUID(), taken);
  }
  const sizeBytes = files.reduce((sum, { taken }) => sum + taken.sizeBytes, 0);
  if (sizeBytes > 0) await countFile(tx, repoId, sizeBytes);
}
