import { expect, test } from "vitest";
import { moveInList } from "./move-in-list.ts";

test.each([
  ["c", "up", "acbd"],
  ["c", "down", "abdc"],
  ["c", "top", "cabd"],
  ["a", "up", "abcd"],
  ["d", "down", "abcd"],
  ["e", "up", "abcd"],
  ["d", 1, "dabc"],
  ["a", 3, "bcad"],
  ["b", 9, "acdb"],
  ["e", 1, "abcd"],
] as const)("moves %s %s in abcd to %s", (item, to, expected) => {
  expect(moveInList([..."abcd"], item, to).join("")).toBe(expected);
});
