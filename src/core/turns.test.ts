import { expect, test } from "vitest";
import { mapInTurns } from "./turns.ts";

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
