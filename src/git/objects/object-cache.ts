import { LRUCache } from "lru-cache";
import type { FileChanges } from "../history/diff-parse.ts";
import type { BlamedLines, BrowsedPage, Commit, CountedDirectory, CountedPage, GrepResult, ObjectInfo, Oid, PackedOids, Tag, TreeEntry } from "../types.ts";

/** Cached objects, parsed if they have a structure. Callers must not modify them. */
export interface CachedObjects {
  commit: Commit;
  tree: readonly TreeEntry[];
  tag: Tag;
  blob: Buffer;
  info: ObjectInfo;
  /** Changes of a commit against its first parent, with or without rename detection. */
  changes: FileChanges;
  changesWithRenames: FileChanges;
  /** Changes between two commits, with renames; the id combines both and the whitespace option: `<from>..<to> <whitespace>`. */
  pairChanges: FileChanges;
  /** New names of renamed files between two commits; the id combines both: `<from>..<to>`. */
  renames: ReadonlyMap<string, string>;
  /** A page of a filtered history, with or without the number of commits on all pages; the id is the whole query. */
  countedPage: CountedPage;
  browsedPage: BrowsedPage;
  /** All commits that changed a path; the id is `<tip> <path>`. */
  pathHistory: PackedOids;
  /** The last commit of each entry of a large directory; the id is `<tip> <path>`. */
  lastCommits: ReadonlyMap<string, Oid>;
  /** A page of a whole history; the id is the tip and the range. */
  commitOids: readonly Oid[];
  /** The commits of the lines of a file; the id is `<commit> <path>`. */
  blame: readonly BlamedLines[];
  /** Lines that contain a string; the id is `<commit> <string>`. */
  foundLines: GrepResult;
  /** SPDX ids of the licenses whose texts a blob contains. */
  licenses: readonly string[];
  /** The languages of the files of a directory; the id is its tree. */
  countedDirectory: CountedDirectory;
}

export type CachedKind = keyof CachedObjects;

/**
 * Read objects by store and id. The content of an id never changes, so entries never go stale. The store is part of the key, so that an
 * object of one repository is never found through another.
 */
export interface ObjectCache {
  get<K extends CachedKind>(storeKey: string, kind: K, oid: Oid): CachedObjects[K] | undefined;
  /** @param sizeBytes approximate size in memory */
  set<K extends CachedKind>(storeKey: string, kind: K, oid: Oid, value: CachedObjects[K], sizeBytes: number): void;
  readonly sizeBytes: number;
}

/** Objects can be removed from a store. Less than the time for which removed objects can be restored. */
const cachedMs = 6 * 60 * 60 * 1000;

/** Key, map entry and list links of one cached value. */
const overheadBytes = 250;

export function createObjectCache(maxBytes: number): ObjectCache {
  const cache = new LRUCache<string, CachedObjects[CachedKind]>({
    maxSize: maxBytes,
    // A single big tree must not evict all the small ones.
    maxEntrySize: Math.max(1, maxBytes >> 3),
    ttl: cachedMs,
    ttlResolution: 60_000,
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
