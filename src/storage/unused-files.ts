import type { Clock } from "../core/clock.ts";
import type { Db, Reader } from "../db/db.ts";
import { findUnused, forgetUnused, insertUnused } from "../db/unused-files.ts";
import type { FileStore, UsedNames } from "./files.ts";

const dayMs = 86_400_000;
/**
 * Everything that a row has referenced stays in the storage for at least this long after its last reference is gone, so that a backup of the rows is
 * completed by files that are copied later (docs/decisions/0087-files-outlive-a-backup.md).
 */
export const keptUnusedMs = 3 * dayMs;
/** Younger files may belong to an upload whose row is not written yet. */
const orphanAgeMs = dayMs;
/** By this age the daily sweep has had two chances. */
const unsweptMs = 2 * dayMs;

export interface UnusedFilesDeps {
  readonly db: Db;
  readonly files: FileStore;
  readonly clock: Clock;
}

/**
 * Deletes files that no row references. A file is recorded when it is first found, and deleted {@link keptUnusedMs} later.
 * @param used returns which of some names rows reference
 * @returns the number of deleted files
 */
export async function sweepUnused({ db, files, clock }: UnusedFilesDeps, used: UsedNames): Promise<number> {
  const nowMs = clock.now();
  const deleted = await files.sweep(nowMs - orphanAgeMs, async (names) => {
    const inUse = await used(names);
    const unused = names.filter((name) => !inUse.has(name));
    return new Set([...inUse, ...(unused.length === 0 ? [] : await record(db, unused, nowMs))]);
  });
  await db.tx((tx) => forgetUnused(tx, nowMs - keptUnusedMs - unsweptMs));
  return deleted;
}

/** The number of unused files that the sweeps should have deleted. */
export const countUnswept = ({ db, files, nowMs }: { readonly db: Reader; readonly files: FileStore; readonly nowMs: number }, used: UsedNames) =>
  files.sweep(
    nowMs - unsweptMs,
    async (names) => {
      const found = await findUnused(db, names);
      const inUse = await used(names);
      return new Set(names.filter((name) => inUse.has(name) || (found.get(name) ?? nowMs) > nowMs - keptUnusedMs - unsweptMs));
    },
    "count",
  );

/** @returns those of some unused files that are kept */
async function record(db: Db, names: readonly string[], nowMs: number): Promise<readonly string[]> {
  const found = await findUnused(db, names);
  const added = names.filter((name) => !found.has(name));
  if (added.length > 0) await db.tx((tx) => insertUnused(tx, added, nowMs));
  return names.filter((name) => (found.get(name) ?? nowMs) > nowMs - keptUnusedMs);
}
