import type { Clock } from "../../../../core/clock.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import type { FileStore } from "../../../../storage/files.ts";
import { countUnswept, sweepUnused } from "../../../../storage/unused-files.ts";
import { deleteAllUnheld, findUsedFiles, listFiles, listHolders } from "../store.ts";

const batch = 500;
const shownHolders = 3;

export interface SweepDeps {
  readonly db: Db;
  readonly files: FileStore;
  readonly clock: Clock;
}

/**
 * Unregisters contents without references, left by deleted repositories, issues and releases. Then deletes files that have had no row for days,
 * including those of interrupted uploads.
 * @returns the number of deleted files
 */
export async function sweepFiles({ db, files, clock }: SweepDeps): Promise<number> {
  while ((await db.tx((tx) => deleteAllUnheld(tx, batch))) === batch);
  return sweepUnused({ db, files, clock }, (names) => findUsedFiles(db, names));
}

/**
 * Checks that every registered content has its file with the right size, and that no old unreferenced files remain. Does not read
 * contents.
 * @returns the number of contents
 */
export async function checkFiles({ db, files }: { readonly db: Reader; readonly files: FileStore }, say: (problem: string) => void): Promise<number> {
  let count = 0;
  for (let page = await listFiles(db, "", batch); page.length > 0; page = await listFiles(db, page.at(-1)?.digest ?? "", batch)) {
    for (const { digest, file, sizeBytes } of page) {
      const found = await files.sizeOf(file);
      if (found === sizeBytes) continue;
      const holders = await listHolders(db, digest, shownHolders);
      const problem = found === undefined ? "is missing" : `has ${found} bytes, but ${sizeBytes} were stored`;
      say(`uploaded file ${file} ${problem}: ${holders.join(", ")}`);
    }
    count += page.length;
  }
  const unused = await countUnswept({ db, files, nowMs: Date.now() }, (names) => findUsedFiles(db, names));
  if (unused > 0) say(`${unused} unreferenced uploaded files should be deleted; the daily sweep deletes them while the server runs`);
  return count;
}
