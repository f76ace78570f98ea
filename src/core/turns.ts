import { setImmediate } from "node:timers/promises";

/** Yields to the event loop after this weight: about a millisecond if one unit is the work for a small object. */
const turnWeight = 5_000;

/**
 * Maps items in order, and yields to the event loop between heavy ones.
 * @param weightOf work for an item, in small objects
 */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R, weightOf: (item: T) => number): Promise<R[]> {
  const mapped: R[] = [];
  let weight = 0;
  for (const item of items) {
    mapped.push(map(item));
    weight += weightOf(item);
    if (weight < turnWeight) continue;
    weight = 0;
    await setImmediate();
  }
  return mapped;
}
