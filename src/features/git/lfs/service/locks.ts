import { type Actor, isUser, type UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, forbidden, invalid, notFound } from "../../../../core/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { LfsLock } from "../model.ts";
import { deleteLock, findLock, insertLock, type LockFilter, listLocks } from "../store/locks.ts";
import type { LfsDeps } from "./deps.ts";

type Deps = Pick<LfsDeps, "db">;

/** PostgreSQL limits an index entry to 2,704 bytes. */
const maxPathBytes = 2_000;
export const maxLocksPerPage = 100;

export interface LockPage {
  readonly locks: readonly LfsLock[];
  /** The cursor of the next page; undefined on the last one. */
  readonly nextId: number | undefined;
}

/** A repository's locks, oldest first. One statement. */
export async function pageLocks(deps: Deps, repository: RepositorySubject, filter: LockFilter): Promise<LockPage> {
  const found = await listLocks(deps.db, repository.id, { ...filter, limit: filter.limit + 1 });
  return { locks: found.slice(0, filter.limit), nextId: found[filter.limit]?.id };
}

/** A lock belongs to a user, and a deploy key has none. */
function requireUser(actor: Actor): UserActor {
  if (!isUser(actor)) throw forbidden("a lock belongs to a user, and this is a deploy key");
  return actor;
}

/**
 * Locks a path.
 * @returns the lock, and whether it already existed, possibly another user's
 * @throws ForgeError `invalid` for an invalid path
 */
export async function lockPath(
  deps: Deps,
  caller: Actor,
  repository: RepositorySubject,
  path: string,
): Promise<{ readonly lock: LfsLock; readonly isTaken: boolean }> {
  const actor = requireUser(caller);
  if (path === "" || Buffer.byteLength(path) > maxPathBytes || path.includes("\0"))
    throw invalid(`a lock requires the path of a file, of at most ${maxPathBytes} bytes`);
  return deps.db.tx(async (tx) => {
    const id = await insertLock(tx, repository.id, actor.id, path);
    const lock = await findLock(tx, repository.id, { path });
    if (lock === undefined) throw conflict("the lock was deleted in the meantime");
    if (id !== undefined) await recordEvent(tx, "lfs_lock.created", eventOf(repository, lock), { repoId: repository.id, actorId: actor.id });
    return { lock, isTaken: id === undefined };
  });
}

/** @throws ForgeError `not_found`, also for a lock of another repository; `forbidden` for another user's lock without force */
export async function unlock(deps: Deps, caller: Actor, repository: RepositorySubject, id: number, isForced: boolean): Promise<LfsLock> {
  const actor = requireUser(caller);
  return deps.db.tx(async (tx) => {
    const lock = await findLock(tx, repository.id, { id });
    if (lock === undefined) throw notFound("Not Found");
    if (lock.ownerId !== actor.id && !isForced) throw forbidden("the lock belongs to another user: use force to remove it");
    await deleteLock(tx, repository.id, id);
    await recordEvent(tx, "lfs_lock.deleted", { ...eventOf(repository, lock), isForced }, { repoId: repository.id, actorId: actor.id });
    return lock;
  });
}

const eventOf = ({ id }: RepositorySubject, lock: LfsLock) => ({ repoId: id, lockId: lock.id, path: lock.path, accountId: lock.ownerId });
