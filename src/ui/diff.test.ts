import { expect, test } from "vitest";
import { sharesOf } from "./diff.tsx";

test("the bar of a change has a square for each line of a small one, and five in proportion for others", () => {
  const of = (additions: number, deletions: number): string => {
    const { added, removed } = sharesOf({ additions, deletions });
    return "+".repeat(added) + "-".repeat(removed);
  };
  expect([of(0, 0), of(1, 0), of(2, 1), of(0, 5), of(3, 2)]).toEqual(["", "+", "++-", "-----", "+++--"]);
  expect([of(3, 3), of(10, 0), of(0, 10), of(60, 40)]).toEqual(["+++--", "+++++", "-----", "+++--"]);
  // The smaller side is always seen.
  expect([of(1, 1_000), of(1_000, 1)]).toEqual(["+----", "++++-"]);
});
