import { LRUCache } from "lru-cache";
import type { FileChanges } from "../history/diff-parse.ts";
import type { Commit, ObjectInfo, Oid, Tag, TreeEntry } from "../types.ts";

/** Objects as they are used: parsed where they have a structure. Never changed by who reads them. */
export interface CachedObjects {
  commit: Commit;
  tree: readonly TreeEntry[];
  tag: Tag;
  blob: Buffer;
  info: ObjectInfo;
  /** What a commit changed, against its first parent; renames taken apart or found. */
  changes: FileChanges;
  changesWithRenames: FileChanges;
  /** What changed between two commits, renames found; the id is that of both and what counts, `<from>..<to> <whitespace>`. */
  pairChanges: FileChanges;
  /** What files of one commit are called in another one; the id is that of both, `<from>..<to>`. */
  renames: ReadonlyMap<string, string>;
  /** SPDX ids of the licenses whose texts a blob holds. */
  licenses: readonly string[];
}

export type CachedKind = keyof CachedObjects;

/**
 * What was read, by store and id. An id's content never changes, so nothing is ever stale; the store is part of the key,
 * so that an object of one repository is never found through another.
 */
export interface ObjectCache {
  get<K extends CachedKind>(storeKey: string, kind: K, oid: Oid): CachedObjects[K] | undefined;
  /** @param sizeBytes about what it takes in memory */
  set<K extends CachedKind>(storeKey: string, kind: K, oid: Oid, value: CachedObjects[K], sizeBytes: number): void;
  readonly sizeBytes: number;
}

/** Key, map entry and list links of one cached thing. */
const overheadBytes = 250;

export function createObjectCache(maxBytes: number): ObjectCache {
  const cache = new LRUCache<string, CachedObjects[CachedKind]>({
    maxSize: maxBytes,
    // One big tree does not throw out all the small ones.
    maxEntrySize: Math.max(1, maxBytes >> 3),
  });
  const keyOf = (storeKey: string, kind: CachedKind, oid: Oid): string => `${storeKey}:${kind}:${oid}`;
  return {
    get<K extends CachedKind>(storeKey: string, kind: K, oid: Oid) {
      return cache.get(keyOf(storeKey, kind, oid)) as CachedObjects[K] | undefined;
    },
    set(storeKey, kind, oid, value, sizeBytes) {
      cache.set(keyOf(storeKey, kind, oid), value, { size: sizeBytes + overheadBytes });
    },
    get sizeBytes() {
      return cache.calculatedSize;
    },
  };
}
