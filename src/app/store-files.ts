import { unavailable } from "../core/errors.ts";
import { keptUnusedMs } from "../storage/unused-files.ts";

/**
 * Files of a store that are never changed: packs and loose objects are named by their content. Other files of packs can be written again under the
 * same name.
 */
export const isFixedInStore = (path: string): boolean => /(^|\/)objects\/(pack\/pack-[0-9a-f]{40,64}\.(pack|idx|rev)|[0-9a-f]{2}\/[0-9a-f]{38,62})$/.test(path);

/** Files that are being written. */
export const isTemporary = (path: string): boolean => /(^|\/)tmp_[^/]*$|\.lock$/.test(path);

/** Indexes over several packs, which may name objects that are newer than a backup. Housekeeping writes them again. */
export const isDerivedInStore = (path: string): boolean => /(^|\/)objects\/(info\/commit-graph(s|$)|pack\/multi-pack-index)/.test(path);

/**
 * The place of a file of a store in a backup. Packs that a collection has set aside are put back: the rows of the backup, which were read before,
 * may need them.
 * @returns undefined for a file that is left out
 */
export function placeInBackup(path: string): string | undefined {
  if (isTemporary(path) || isDerivedInStore(path)) return undefined;
  const [, pack] = /^set-aside\/[^/]+\/(pack\/pack-[0-9a-f]{40,64}\.(?:pack|idx|rev))$/.exec(path) ?? [];
  if (pack !== undefined) return `objects/${pack}`;
  return /^set-aside\/.*\/[^/]+\.mtimes$|^set-aside\/[^/]+\/complete$/.test(path) ? undefined : path;
}

/** A store is copied again if housekeeping replaced packs meanwhile. */
export const maxRounds = 5;

const hourMs = 3_600_000;
/** The clocks of the server and of the backup may differ a little. */
const maxBackupMs = keptUnusedMs - hourMs;

/** @throws ForgeError `unavailable` if files that were deleted during a backup may be missing in it */
export function requireInTime(startedMs: number, nowMs: number): void {
  if (nowMs - startedMs > maxBackupMs)
    throw unavailable(
      `the backup took more than ${maxBackupMs / hourMs} hours, so files that were deleted meanwhile can be missing: run the same command again, which continues with what it has copied`,
    );
}
