import type { Clock } from "../../../../core/clock.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import type { FileStore } from "../../../../storage/files.ts";
import { deleteAllUnheld, findUsedFiles, listFiles, listHolders } from "../store.ts";

/** A file that was taken in and whose row is not yet written is younger. */
const orphanAgeMs = 86_400_000;
/** What the daily sweep has had the time for twice. */
const unsweptMs = 2 * orphanAgeMs;
const batch = 500;
const shownHolders = 3;

export interface SweepDeps {
  readonly db: Db;
  readonly files: FileStore;
  readonly clock: Clock;
}

/**
 * Forgets contents that nothing is made of: of what went with its repository, issue or release. Then takes files that no row names: theirs, and those of uploads
 * of which nothing came.
 * @returns how many files went
 */
export async function sweepFiles({ db, files, clock }: SweepDeps): Promise<number> {
  while ((await db.tx((tx) => deleteAllUnheld(tx, batch))) === batch);
  return files.sweep(clock.now() - orphanAgeMs, (names) => findUsedFiles(db, names));
}

/**
 * Looks in both directions: whether every content has its file, as large as it was, and whether files stay that no content names. What is inside is not read.
 * @returns how many contents there are
 */
export async function checkFiles({ db, files }: { readonly db: Reader; readonly files: FileStore }, say: (problem: string) => void): Promise<number> {
  let count = 0;
  for (let page = await listFiles(db, "", batch); page.length > 0; page = await listFiles(db, page.at(-1)?.digest ?? "", batch)) {
    for (const { digest, file, sizeBytes } of page) {
      const found = await files.sizeOf(file);
      if (found === sizeBytes) continue;
      const holders = await listHolders(db, digest, shownHolders);
      const problem = found === undefined ? "is missing" : `has ${found} bytes, and was taken in with ${sizeBytes}`;
      say(`uploaded file ${file} ${problem}: ${holders.join(", ")}`);
    }
    count += page.length;
  }
  const unused = await files.sweep(Date.now() - unsweptMs, (names) => findUsedFiles(db, names), "count");
  if (unused > 0) say(`${unused} uploaded files that nothing names are older than two days; the daily sweep takes them while the server runs`);
  return count;
}
