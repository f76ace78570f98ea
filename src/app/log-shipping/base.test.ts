import { expect, test } from "vitest";
import { forEachOf } from "./base.ts";

test("work for each item ends before an error of any of them is thrown, and no further item is begun", async () => {
  const begun: number[] = [];
  let ended = 0;
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    await new Promise((resolve) => setImmediate(resolve));
    ended += 1;
    if (item === 1) throw new Error("the first fails");
  };
  await expect(forEachOf([1, 2, 3, 4, 5, 6], work, 2)).rejects.toThrow("the first fails");
  expect(begun).toEqual([1, 2]);
  expect(ended).toBe(2);
  await expect(forEachOf([1], work, 8)).rejects.toThrow("the first fails");
  begun.length = 0;
  await forEachOf([2, 3, 4], work, 2);
  expect(begun).toEqual([2, 3, 4]);
});
