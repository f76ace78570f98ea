import type { GitStore } from "../stores.ts";
import type { CachedKind, CachedObjects } from "./object-cache.ts";

/** A result that follows from object ids. */
export interface DerivedResult<K extends CachedKind> {
  readonly kind: K;
  /** Everything that the result depends on. */
  readonly id: string;
  readonly signal: AbortSignal | undefined;
  /** Its signal is aborted once every caller has aborted. */
  readonly make: (signal: AbortSignal) => Promise<CachedObjects[K]>;
  /** Approximate size in memory; undefined for a result that is not kept. */
  readonly sizeOf: (result: CachedObjects[K]) => number | undefined;
}

/** Takes a result from the memory cache, or computes it once for all concurrent callers. @throws as `make`, and as {@link SingleFlight} */
export function deriveOnce<K extends CachedKind>(store: GitStore, { kind, id, signal, make, sizeOf }: DerivedResult<K>): Promise<CachedObjects[K]> {
  const { cache, flights } = store.shared;
  return flights.run(`${kind} ${store.key} ${id}`, signal, async (shared) => {
    const known = cache.get(store.key, kind, id);
    if (known !== undefined) return known;
    const result = await make(shared);
    const sizeBytes = sizeOf(result);
    if (sizeBytes !== undefined) cache.set(store.key, kind, id, result, 2 * id.length + sizeBytes);
    return result;
  });
}
