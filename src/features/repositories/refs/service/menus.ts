import { LRUCache } from "lru-cache";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import { branchPrefix, shortName, tagPrefix } from "../model.ts";
import { changesSince, type RefChanges } from "../store/ref-moves.ts";
import { countPublicRefs, type NewestRefs, readNewestRefs } from "../store/refs.ts";

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
 * The refs in the menus of pages, as of the look-up of the repository or later. One statement after a ref moved, which reads the moves, and none
 * until then. Finding the newest refs reads all of them: at first, and when one of the newest was deleted or moved to an older commit.
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
  const newest = keepByVersion<NewestRefs>(async (storeId, known) => {
    const changes = known && (await changesSince(db, storeId, known));
    const followed = known && changes && follow(known, changes);
    return followed ?? (await readNewestRefs(db, storeId, offered)) ?? { version: 0, token: 0, refs: [] };
  });
  const counts = keepByVersion((storeId) => countPublicRefs(db, storeId, countedRefs));
  return {
    async offer(repository) {
      const { refs } = await newest(repository);
      const below = (prefix: string): string[] => ofKind(refs, prefix).map(({ name }) => shortName(name));
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

type NewestRef = NewestRefs["refs"][number];

const newestFirst = (one: NewestRef, other: NewestRef): number => other.tipMs - one.tipMs || Number(one.name > other.name) - Number(one.name < other.name);

const ofKind = (refs: readonly NewestRef[], prefix: string): NewestRef[] => refs.filter(({ name }) => name.startsWith(prefix)).toSorted(newestFirst);

/** The newest refs after moves. Undefined if a ref that was not among the newest may be now. */
function follow({ refs }: NewestRefs, { version, token, moved }: RefChanges): NewestRefs | undefined {
  const unmoved = refs.filter(({ name }) => !moved.has(name));
  const arrived = [...moved.values()].filter((ref) => ref !== null);
  const followed: NewestRef[] = [];
  for (const prefix of [branchPrefix, tagPrefix]) {
    const last = ofKind(refs, prefix)[offered - 1];
    const newest = ofKind([...unmoved, ...arrived], prefix).slice(0, offered);
    const newLast = newest[offered - 1];
    // All refs of the kind were among the newest, or all that are now come before the others.
    if (last !== undefined && (newLast === undefined || newestFirst(newLast, last) > 0)) return undefined;
    followed.push(...newest.map(({ name, tipMs }) => ({ name, tipMs })));
  }
  return { version, token, refs: followed };
}

/** Keeps values that follow from the refs of a store until their version changes. @param read gets the kept value, if there is one */
function keepByVersion<T extends object>(read: (storeId: number, known: T | undefined) => Promise<T>): (repository: Versioned) => Promise<T> {
  const kept = new LRUCache<number, { readonly version: number; readonly value: T }>({ max: maxKept, ttl: maxAgeMs });
  return async ({ codeStoreId, refsVersion }) => {
    const found = kept.get(codeStoreId);
    if (found?.version === refsVersion) return found.value;
    const value = await read(codeStoreId, found?.value);
    kept.set(codeStoreId, { version: refsVersion, value });
    return value;
  };
}
