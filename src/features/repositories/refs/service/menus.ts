import { LRUCache } from "lru-cache";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import { branchPrefix, shortName, tagPrefix } from "../model.ts";
import { countPublicRefs, listNewestNames } from "../store/refs.ts";

export interface OfferedRefs {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

export interface RefCount {
  readonly count: number;
  /** There may be more. */
  readonly isLimit: boolean;
}

export interface RefCounts {
  readonly branches: RefCount;
  readonly tags: RefCount;
}

type Versioned = Pick<RepositorySubject, "codeStoreId" | "refsVersion" | "defaultBranch">;

/**
 * The refs in the menus of pages, as of the look-up of the repository or later. One statement, or none until a ref moves: finding the newest refs
 * reads all of them.
 */
export interface RefMenus {
  /** The default branch, then the newest branches and tags. */
  offer(repository: Versioned): Promise<OfferedRefs>;
  count(repository: Versioned): Promise<RefCounts>;
}

/** Number of branches, and of tags, in a menu. */
const offered = 12;
/** The numbers of branches and tags beyond which they are not counted. */
const countedRefs = 10_000;
/** Repositories whose menus are kept. */
const maxKept = 1_000;
/** A database restored while the server runs may reach the same version number again. */
const maxAgeMs = 60_000;

export function createRefMenus({ db }: { readonly db: Reader }): RefMenus {
  const names = keepByVersion((storeId) => listNewestNames(db, storeId, offered));
  const counts = keepByVersion((storeId) => countPublicRefs(db, storeId, countedRefs));
  return {
    async offer(repository) {
      const newest = await names(repository);
      const below = (prefix: string): string[] => newest.filter((name) => name.startsWith(prefix)).map(shortName);
      const { defaultBranch } = repository;
      return { branches: [defaultBranch, ...below(branchPrefix).filter((name) => name !== defaultBranch)], tags: below(tagPrefix) };
    },
    async count(repository) {
      const { branches, tags } = await counts(repository);
      const counted = (count: number): RefCount => ({ count, isLimit: count === countedRefs });
      return { branches: counted(branches), tags: counted(tags) };
    },
  };
}

/** Keeps values that follow from the refs of a store until their version changes. */
function keepByVersion<T extends object>(read: (storeId: number) => Promise<T>): (repository: Versioned) => Promise<T> {
  const kept = new LRUCache<number, { readonly version: number; readonly value: T }>({ max: maxKept, ttl: maxAgeMs });
  return async ({ codeStoreId, refsVersion }) => {
    const found = kept.get(codeStoreId);
    if (found?.version === refsVersion) return found.value;
    const value = await read(codeStoreId);
    kept.set(codeStoreId, { version: refsVersion, value });
    return value;
  };
}
