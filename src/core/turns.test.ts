import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { countTurnsOf } from "../../test/kit/turns.ts";
import { mapInPieces, mapInTurns, slicesOf } from "./turns.ts";

test("yields to other work between heavy items, but not between light ones", async () => {
  const items = Array.from({ length: 20 }, (_, at) => at);
  const double = (item: number): number => item * 2;
  const heavy = mapInTurns(items, double, () => 10_000);
  expect(await countTurnsOf(() => heavy)).toBeGreaterThanOrEqual(19);
  expect(await heavy).toEqual(items.map(double));
  expect(await countTurnsOf(() => mapInTurns(items, double, () => 1))).toBe(0);
});

test("maps thousands of items asynchronously in pieces, and yields to the event loop between pieces", async () => {
  const items = Array.from({ length: 5_000 }, (_, at) => at);
  const mapping = mapInPieces(items, async (item) => item * 2);
  expect(await countTurnsOf(() => mapping)).toBeGreaterThanOrEqual(18);
  expect(await mapping).toEqual(items.map((item) => item * 2));
});

test("slices a long list with a turn of the event loop between slices, and leaves a short one whole", async () => {
  const items = Array.from({ length: 5_000 }, (_, at) => at);
  const slicing = Readable.from(slicesOf(items, 1_000)).toArray() as Promise<number[][]>;
  expect(await countTurnsOf(() => slicing)).toBeGreaterThanOrEqual(4);
  expect((await slicing).map(({ length }) => length)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
  expect((await slicing).flat()).toEqual(items);
  expect(await Readable.from(slicesOf(items, 5_000)).toArray()).toEqual([items]);
  expect(await Readable.from(slicesOf([], 5)).toArray()).toEqual([[]]);
});
