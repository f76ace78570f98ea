import { expect, test } from "vitest";
import { mapInPieces, mapInTurns } from "./turns.ts";

test("yields to other work between heavy items, but not between light ones", async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const items = Array.from({ length: 20 }, (_, at) => at);
  expect(
    await mapInTurns(
      items,
      (item) => item * 2,
      () => 10_000,
    ),
  ).toEqual(items.map((item) => item * 2));
  expect(turns).toBeGreaterThanOrEqual(19);
  const before = turns;
  await mapInTurns(
    items,
    (item) => item,
    () => 1,
  );
  expect(turns).toBe(before);
  clearImmediate(next);
});

test("maps thousands of items asynchronously in pieces, and yields to the event loop between pieces", async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const items = Array.from({ length: 5_000 }, (_, at) => at);
  expect(await mapInPieces(items, async (item) => item * 2)).toEqual(items.map((item) => item * 2));
  expect(turns).toBeGreaterThanOrEqual(18);
  clearImmediate(next);
});
