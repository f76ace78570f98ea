import { setImmediate } from "node:timers/promises";

/** Weight after which other work gets a turn: about a millisecond where one unit is the work of a small object. */
const turnWeight = 5_000;

/**
 * Maps items in their order, and gives the event loop a turn between them when they are heavy.
 * @param weightOf work of an item, in small objects
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
