import { type Actor, isUser, type UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, forbidden, invalid, notFound } from "../../../../core/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { LfsLock } from "../model.ts";
import { deleteLock, findLock, insertLock, type LockFilter, listLocks } from "../store/locks.ts";
import type { LfsDeps } from "./deps.ts";

type Deps = Pick<LfsDeps, "db">;

/** An index entry of PostgreSQL holds 2,704 bytes. */
const maxPathBytes = 2_000;
export const maxLocksPerPage = 100;

export interface LockPage {
  readonly locks: readonly LfsLock[];
  /** Where the next page begins; undefined on the last one. */
  readonly nextId: number | undefined;
}

/** A repository's locks, oldest first. One statement. */
export async function pageLocks(deps: Deps, repository: RepositorySubject, filter: LockFilter): Promise<LockPage> {
  const found = await listLocks(deps.db, repository.id, { ...filter, limit: filter.limit + 1 });
  return { locks: found.slice(0, filter.limit), nextId: found[filter.limit]?.id };
}

/** A lock is somebody's, and a deploy key is nobody's. */
function requireSomebody(actor: Actor): UserActor {
  if (!isUser(actor)) throw forbidden("a lock belongs to a user, and this key is no user's");
  return actor;
}

/**
 * Locks a path. @returns the lock, and whether it was there before, perhaps somebody else's
 * @throws ForgeError `invalid` for what is no path
 */
export async function lockPath(
  deps: Deps,
  caller: Actor,
  repository: RepositorySubject,
  path: string,
): Promise<{ readonly lock: LfsLock; readonly isTaken: boolean }> {
  const actor = requireSomebody(caller);
  if (path === "" || Buffer.byteLength(path) > maxPathBytes || path.includes("\0"))
    throw invalid(`a lock is for the path of a file, of at most ${maxPathBytes} bytes`);
  return deps.db.tx(async (tx) => {
    const id = await insertLock(tx, repository.id, actor.id, path);
    const lock = await findLock(tx, repository.id, { path });
    if (lock === undefined) throw conflict("the lock has gone meanwhile");
    if (id !== undefined) await recordEvent(tx, "lfs_lock.created", eventOf(repository, lock), { repoId: repository.id, actorId: actor.id });
    return { lock, isTaken: id === undefined };
  });
}

/** @throws ForgeError `not_found` for a lock of another repository too; `forbidden` for somebody else's without force */
export async function unlock(deps: Deps, caller: Actor, repository: RepositorySubject, id: number, isForced: boolean): Promise<LfsLock> {
  const actor = requireSomebody(caller);
  return deps.db.tx(async (tx) => {
    const lock = await findLock(tx, repository.id, { id });
    if (lock === undefined) throw notFound("Not Found");
    if (lock.ownerId !== actor.id && !isForced) throw forbidden("the lock is somebody else's: take it away by force");
    await deleteLock(tx, repository.id, id);
    await recordEvent(tx, "lfs_lock.deleted", { ...eventOf(repository, lock), isForced }, { repoId: repository.id, actorId: actor.id });
    return lock;
  });
}

const eventOf = ({ id }: RepositorySubject, lock: LfsLock) => ({ repoId: id, lockId: lock.id, path: lock.path, accountId: lock.ownerId });
