import { LRUCache } from "lru-cache";
import { createSingleFlight } from "../../../core/single-flight.ts";
import type { FileDiff } from "./unified-diff.ts";

/** Highlighted diffs. They follow from object ids, so cached entries are never stale. */
export interface ShownDiffs {
  readonly files: readonly FileDiff[];
  /** The diff exceeds the page limits and is truncated. */
  readonly isCut: boolean;
  /** For one file: there are lines after the requested ones. */
  readonly hasNextPart: boolean;
}

/** Caches highlighted diffs, because highlighting costs more than the rest of the page. */
export interface ShownDiffsCache {
  /** Concurrent requests share the work of `make`, whose signal is aborted once all of them have aborted. */
  keep(key: string, signal: AbortSignal | undefined, make: (signal: AbortSignal) => Promise<ShownDiffs>): Promise<ShownDiffs>;
}

/** In UTF-16 code units of lines and markup. */
const maxSize = 24_000_000;

export function createShownDiffsCache(): ShownDiffsCache {
  const kept = new LRUCache<string, ShownDiffs>({ maxSize, maxEntrySize: maxSize / 4, sizeCalculation: sizeOf });
  const flights = createSingleFlight();
  return {
    keep: (key, signal, make) =>
      flights.run(key, signal, async (shared) => {
        const known = kept.get(key);
        if (known !== undefined) return known;
        const made = await make(shared);
        kept.set(key, made);
        return made;
      }),
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
