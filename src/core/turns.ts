import { setImmediate } from "node:timers/promises";

/** Yields to the event loop after this weight: about a millisecond if one unit is the work for a small object. */
const turnWeight = 5_000;

/**
 * Counts work, and yields to the event loop whenever enough has been done since the last time.
 * @returns a function that takes the weight of the work since the last call, in small objects
 */
export function countTurns(): (weight: number) => Promise<void> {
  let done = 0;
  return async (weight) => {
    done += weight;
    if (done < turnWeight) return;
    done = 0;
    await setImmediate();
  };
}

/**
 * Maps items in order, and yields to the event loop between heavy ones.
 * @param weightOf work for an item, in small objects
 */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R, weightOf: (item: T) => number): Promise<R[]> {
  const mapped: R[] = [];
  const turn = countTurns();
  for (const item of items) {
    mapped.push(map(item));
    await turn(weightOf(item));
  }
  return mapped;
}

/**
 * Slices of a list, with a turn of the event loop before each further one.
 *
 *     for await (const slice of slicesOf(refs, 1_000)) for (const ref of slice) check(ref);
 */
export async function* slicesOf<T>(items: readonly T[], size: number): AsyncGenerator<readonly T[], void, undefined> {
  if (items.length <= size) return yield items;
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await setImmediate();
    yield items.slice(start, start + size);
  }
}

/** As {@link slicesOf}, for items that are produced one by one. */
export async function* batchesOf<T>(items: Iterable<T>, size: number): AsyncGenerator<readonly T[], void, undefined> {
  let batch: T[] = [];
  for (const item of items) {
    if (batch.length === size) {
      yield batch;
      batch = [];
      await setImmediate();
    }
    batch.push(item);
  }
  yield batch;
}

/** Items whose promises are made together: without I/O they are all settled in one turn of the event loop. */
const pieceSize = 250;

/** Maps items asynchronously, up to 250 at a time, with a turn of the event loop between. @returns the results in the order of the items */
export async function mapInPieces<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const mapped: R[] = [];
  for await (const piece of slicesOf(items, pieceSize)) mapped.push(...(await Promise.all(piece.map(map))));
  return mapped;
}
