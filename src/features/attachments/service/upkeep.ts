import type { Clock } from "../../../core/clock.ts";
import type { Reader } from "../../../db/db.ts";
import type { FileStore } from "../../../storage/files.ts";
import { findUsedFiles, pageByIds } from "../store.ts";

/** A file that was taken in and whose row is not yet written is younger. */
const orphanAgeMs = 86_400_000;
const batch = 500;

export interface UpkeepDeps {
  readonly db: Reader;
  readonly attachments: FileStore;
}

/** Those of the store's files that an attachment has. */
export const attachmentFilesInUse = (db: Reader, files: readonly string[]): Promise<ReadonlySet<string>> => findUsedFiles(db, files);

/** Takes files off the disk that no row names: of what was deleted, and of uploads of which nothing came. @returns how many went */
export const sweepAttachments = ({ db, attachments, clock }: UpkeepDeps & { readonly clock: Clock }): Promise<number> =>
  attachments.sweep(clock.now() - orphanAgeMs, (files) => attachmentFilesInUse(db, files));

/** Looks whether every attachment has its file, whole. @returns how many there are */
export async function checkAttachments({ db, attachments }: UpkeepDeps, say: (uuid: string, problem: string) => void): Promise<number> {
  let count = 0;
  for (let afterId = 0; ; ) {
    const rows = await pageByIds(db, afterId, batch);
    for (const { uuid, file, sizeBytes } of rows) {
      const kept = await attachments.sizeOf(file);
      if (kept === undefined) say(uuid, "its file is missing");
      else if (kept !== sizeBytes) say(uuid, `its file has ${kept} bytes, and was taken in with ${sizeBytes}`);
    }
    count += rows.length;
    if (rows.length < batch) return count;
    afterId = rows.at(-1)?.id ?? afterId;
  }
}
