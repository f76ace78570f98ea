import { shortName } from "../refs/model.ts";
import type { RuleRefusal } from "../refs/moves.ts";
import type { CheckedMove, MoveInputs, Mover, Purpose } from "./check-move.ts";

/** A Git LFS lock: a user works on a file that cannot be merged, and prevents changes by others. */
export interface FileLock {
  readonly ownerId: number;
  readonly ownerName: string;
}

/** By path. */
export type Locks = ReadonlyMap<string, FileLock>;

/**
 * Checks a ref update against files locked by others. A merge is not checked, because its commits were checked when they were pushed.
 * @returns the message of the refusal; undefined if the update is permitted
 */
export function checkLocks(locks: Locks, mover: Mover, purpose: Purpose, move: CheckedMove, inputs: MoveInputs): RuleRefusal | undefined {
  if (purpose !== "write" || mover.kind === "server" || move.newOid === null || !move.name.startsWith("refs/heads/")) return undefined;
  const isForeign = ({ ownerId }: FileLock): boolean => mover.kind !== "user" || ownerId !== mover.id;
  if (![...locks.values()].some(isForeign)) return undefined;
  if (inputs.committedPaths === undefined)
    return { message: `the locked files on branch ${shortName(move.name)} changed concurrently: try again`, reason: "busy" };
  for (const path of inputs.committedPaths) {
    const lock = locks.get(path);
    if (lock !== undefined && isForeign(lock)) return { message: `${path} is locked by ${lock.ownerName}`, reason: "file_locked" };
  }
  return undefined;
}
