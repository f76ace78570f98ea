import { expect, test } from "vitest";
import type { ChangedFile } from "../../../git/history/diff-parse.ts";
import { gapsOf, isLong, openGaps, pieceStarts, pieceWith } from "./file-piece.ts";
import { parseUnifiedDiff } from "./unified-diff.ts";

const changed = (additions: number): ChangedFile => ({ path: "f", additions, deletions: 0 }) as ChangedFile;

test("a page holds at most 100 files and a limited number of lines, not counting long changes", () => {
  expect(pieceStarts([])).toEqual([0]);
  expect(pieceStarts(Array.from({ length: 250 }, () => changed(1)))).toEqual([0, 100, 200]);
  expect(pieceStarts([1400, 1400, 1400, 100_000, 1400].map(changed))).toEqual([0, 2]);
  expect(isLong(changed(1501))).toBe(true);
});

test("finds the page of a changed file by its old or new name", () => {
  const files = Array.from({ length: 250 }, (_, at) => ({ ...changed(1), path: `f${at}`, ...(at === 120 && { oldPath: "once" }) }));
  const wanted = ["f99", "f100", "once", "f249", "elsewhere", undefined];
  expect(wanted.map((path) => pieceWith(files, pieceStarts(files), path))).toEqual([1, 2, 2, 3, undefined, undefined]);
});

const numbered = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
const [diff] = parseUnifiedDiff(`diff --git a/f b/f
index 1..2 100644
--- a/f
+++ b/f
@@ -7,7 +7,8 @@ heading
 line 7
 line 8
 line 9
-line 10
+ten
+more
 line 11
 line 12
 line 13
@@ -29,6 +30,5 @@
 line 29
 line 30
 line 31
-line 32
 line 33
 line 34
`);
const now = [...numbered.slice(0, 9), "ten", "more", ...numbered.slice(10, 31), ...numbered.slice(32)];

test("gaps are the lines between hunks, and opening a gap joins its hunks", () => {
  if (diff === undefined) throw new Error("no file in the difference");
  expect([...gapsOf(diff)]).toEqual([
    [0, { from: 1, to: 6, shift: 0 }],
    [1, { from: 15, to: 29, shift: -1 }],
  ]);
  expect(openGaps(diff, new Set()).hunks.map(({ gapAbove, lines }) => [gapAbove, lines.length])).toEqual([
    [0, 9],
    [1, 6],
  ]);
  const { hunks } = openGaps(diff, new Set([1]), now);
  expect(hunks.map(({ gapAbove }) => gapAbove)).toEqual([0]);
  expect(hunks[0]?.lines).toHaveLength(9 + 15 + 6);
  for (const line of hunks[0]?.lines ?? []) {
    if (line.kind !== "removed") expect(line.text).toBe(now[line.after - 1]);
    if (line.kind !== "added") expect(line.text).toBe(numbered[line.before - 1]);
  }
  const below = { ...diff, hunks: diff.hunks.slice(0, 1) };
  expect(openGaps(below, new Set()).gapBelow).toBe(1);
  expect(openGaps(below, new Set([1]), now).hunks[0]?.lines.at(-1)).toMatchObject({ before: 39, after: 40 });
});
