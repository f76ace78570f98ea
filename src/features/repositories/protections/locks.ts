import { shortName } from "../refs/model.ts";
import type { CheckedMove, MoveInputs, Mover, Purpose } from "./check-move.ts";

/** Somebody works on a file that cannot be merged, and keeps others off it. */
export interface FileLock {
  readonly ownerId: number;
  readonly ownerName: string;
}

/** By path. */
export type Locks = ReadonlyMap<string, FileLock>;

/**
 * What speaks against a move because of files that others have locked, as a sentence for whoever asked for it.
 * What a merge brings was judged when it was pushed.
 */
export function checkLocks(locks: Locks, mover: Mover, purpose: Purpose, move: CheckedMove, facts: MoveInputs): string | undefined {
  if (purpose !== "write" || mover.kind === "server" || move.newOid === null || !move.name.startsWith("refs/heads/")) return undefined;
  const isForeign = ({ ownerId }: FileLock): boolean => mover.kind !== "user" || ownerId !== mover.id;
  if (![...locks.values()].some(isForeign)) return undefined;
  if (facts.committedPaths === undefined) return `the locks of files on branch ${shortName(move.name)} have changed meanwhile: try again`;
  for (const path of facts.committedPaths) {
    const lock = locks.get(path);
    if (lock !== undefined && isForeign(lock)) return `${path} is locked by ${lock.ownerName}`;
  }
  return undefined;
}
