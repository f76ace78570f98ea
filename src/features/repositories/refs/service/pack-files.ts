import type { Clock } from "../../../../core/clock.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import type { FileStore } from "../../../../storage/files.ts";
import { findKeptFiles, forgetReplaced } from "../store/packs.ts";

/** The packs of stores in a bucket. */
export interface PackFilesDeps {
  readonly db: Db;
  /** Undefined without a bucket. */
  readonly packFiles: FileStore | undefined;
  readonly clock: Clock;
}

const dayMs = 86_400_000;
/** Younger files may belong to a transaction that has not committed yet. */
const orphanAgeMs = dayMs;
/** Backups of the database are complete for this long, because the packs of their time are kept. */
const keptReplacedMs = 14 * dayMs;
/** By this age the daily sweep has had two chances. */
const unsweptMs = 2 * dayMs;

/** Deletes packs that no store has had for {@link keptReplacedMs}. @returns their number */
export async function sweepPackFiles({ db, packFiles, clock }: PackFilesDeps): Promise<number> {
  if (packFiles === undefined) return 0;
  const sinceMs = clock.now() - keptReplacedMs;
  const deleted = await packFiles.sweep(clock.now() - orphanAgeMs, (names) => findKeptFiles(db, names, sinceMs));
  await db.tx((tx) => forgetReplaced(tx, sinceMs - unsweptMs));
  return deleted;
}

/** The number of packs in the bucket that no store has and no sweep has deleted. */
export async function countUnusedPackFiles({ db, packFiles }: { readonly db: Reader; readonly packFiles: FileStore | undefined }): Promise<number> {
  if (packFiles === undefined) return 0;
  const nowMs = Date.now();
  return packFiles.sweep(nowMs - unsweptMs, (names) => findKeptFiles(db, names, nowMs - keptReplacedMs - unsweptMs), "count");
}
