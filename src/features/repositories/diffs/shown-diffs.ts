import { LRUCache } from "lru-cache";
import type { FileDiff } from "./unified-diff.ts";

/** Differences as pages show them, coloured: they follow from ids of objects, so what is kept is never stale. */
export interface ShownDiffs {
  readonly files: readonly FileDiff[];
  /** There is more of what was asked for than a page holds. */
  readonly isCut: boolean;
  /** Of one file: there are lines behind those that were asked for. */
  readonly hasNextPart: boolean;
}

/** Keeps differences that were shown a moment ago: colours cost more than all the rest of their page. */
export interface ShownDiffsCache {
  keep(key: string, make: () => Promise<ShownDiffs>): Promise<ShownDiffs>;
}

/** In UTF-16 units of the lines and their colours. */
const maxSize = 24_000_000;

export function createShownDiffsCache(): ShownDiffsCache {
  const kept = new LRUCache<string, ShownDiffs>({ maxSize, maxEntrySize: maxSize / 4, sizeCalculation: sizeOf });
  return {
    async keep(key, make) {
      const known = kept.get(key);
      if (known !== undefined) return known;
      const made = await make();
      kept.set(key, made);
      return made;
    },
  };
}

function sizeOf({ files }: ShownDiffs): number {
  let size = 1;
  for (const { path, hunks } of files) {
    size += 200 + path.length;
    for (const { lines } of hunks) for (const { text, html } of lines) size += 50 + text.length + (html?.length ?? 0);
  }
  return size;
}
