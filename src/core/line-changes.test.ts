import { expect, test } from "vitest";
import { lineChanges } from "./line-changes.ts";

const changesOf = (before: string, after: string): string[] =>
  lineChanges(before, after).map(({ kind, text }) => `${{ kept: " ", added: "+", removed: "-" }[kind]}${text}`);

test("lines are kept, added and removed with the fewest changes", () => {
  expect(changesOf("a\nb\nc\nd", "a\nc\nx\nd")).toEqual([" a", "-b", " c", "+x", " d"]);
  expect(changesOf("", "a")).toEqual(["-", "+a"]);
  expect(changesOf("same\r\ntext", "same\ntext")).toEqual([" same", " text"]);
  expect(changesOf("a\nb", "b\na")).toHaveLength(3);
});

test("texts with too many changed lines are reported as one change", () => {
  const lines = (mark: string): string => Array.from({ length: 1_200 }, (_, at) => `${mark}${at}`).join("\n");
  const changes = lineChanges(`head\n${lines("a")}`, `head\n${lines("b")}`);
  expect([changes.length, changes[0]?.kind, changes[1]?.kind, changes.at(-1)?.kind]).toEqual([2_401, "kept", "removed", "added"]);
});
