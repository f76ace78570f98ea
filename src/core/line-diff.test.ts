import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diffLines, followLine, hunkDownTo, type LineChange, lastLines } from "./line-diff.ts";

const lines = (text: string): string[] => (text === "" ? [] : text.split(" "));

/** Applies the changes to a text. */
function apply(older: readonly string[], newer: readonly string[], changes: readonly LineChange[]): string[] {
  const made: string[] = [];
  let old = 0;
  for (const { oldStart, oldCount, newStart, newCount } of changes) {
    made.push(...older.slice(old, oldStart), ...newer.slice(newStart, newStart + newCount));
    old = oldStart + oldCount;
  }
  return [...made, ...older.slice(old)];
}

const sizeOf = (changes: readonly LineChange[]): number => changes.reduce((sum, { oldCount, newCount }) => sum + oldCount + newCount, 0);

describe("a line diff", () => {
  test.each([
    ["", "", 0],
    ["a b c", "a b c", 0],
    ["", "a b", 2],
    ["a b", "", 2],
    ["a b c d", "a x c d", 2],
    ["a b c", "b c d", 2],
    ["a b c a b b a", "c b a b a c", 5],
  ])("from %j to %j has %i lines", (older, newer, size) => {
    const changes = diffLines(lines(older), lines(newer));
    expect(sizeOf(changes)).toBe(size);
    expect(apply(lines(older), lines(newer), changes)).toEqual(lines(newer));
  });

  test("transforms one random text into the other", () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let round = 0; round < 300; round += 1) {
      const texts = [0, 1].map(() => Array.from({ length: random(30) }, () => "abcd"[random(4)] ?? ""));
      const [older = [], newer = []] = texts;
      const changes = diffLines(older, newer);
      expect(apply(older, newer, changes)).toEqual(newer);
      for (const [index, line] of older.entries()) {
        const followed = followLine(changes, index + 1);
        if (followed !== undefined) expect(newer[followed - 1]).toBe(line);
      }
    }
  });

  test("the diff of two entirely different texts is one change, in bounded time", () => {
    const texts = ["a", "b"].map((name) => Array.from({ length: 50_000 }, (_, index) => `${name}${index}`));
    expect(diffLines(texts[0] ?? [], texts[1] ?? [])).toEqual([{ oldStart: 0, oldCount: 50_000, newStart: 0, newCount: 50_000 }]);
  });

  test("maps a line to its new position", () => {
    const changes = diffLines(lines("a b c d e"), lines("x a b d E"));
    expect([1, 2, 3, 4, 5].map((line) => followLine(changes, line))).toEqual([2, 3, undefined, 4, undefined]);
  });
});

describe("a hunk down to a line", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hearth-hunk-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const older = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  const newer = older.flatMap((line, index) => (index === 4 ? ["changed", "added"] : index === 10 ? [] : index === 30 ? [line, "more"] : [line]));

  /** Git's hunks for the two texts, without the section headings. */
  function gitHunks(): string[][] {
    for (const [name, content] of Object.entries({ a: older, b: newer })) writeFileSync(join(folder, name), content.map((line) => `${line}\n`).join(""));
    let text = "";
    try {
      execFileSync("git", ["diff", "--no-index", "a", "b"], { cwd: folder });
    } catch (error) {
      text = (error as { stdout: Buffer }).stdout.toString();
    }
    const hunks: string[][] = [];
    for (const line of text.trimEnd().split("\n").slice(4)) {
      if (line.startsWith("@@")) hunks.push([line.replace(/@@ .*$/, (header) => header.slice(0, header.indexOf("@@", 2) + 2))]);
      else hunks.at(-1)?.push(line);
    }
    return hunks;
  }

  test("equals git's hunk, cut after the line", () => {
    const hunks = gitHunks();
    expect(hunks.length).toBe(2);
    for (const hunk of hunks) {
      const [header = ""] = hunk;
      const [, oldStart, newStart] = /-(\d+),\d+ \+(\d+),\d+/.exec(header) ?? [];
      let old = Number(oldStart) - 1;
      let now = Number(newStart) - 1;
      for (const [index, line] of hunk.entries()) {
        if (index === 0) continue;
        if (!line.startsWith("+")) old += 1;
        if (!line.startsWith("-")) now += 1;
        const shown = hunk.slice(0, index + 1).join("\n");
        if (!line.startsWith("+")) expect(hunkDownTo(older, newer, "old", old)).toBe(shown);
        if (!line.startsWith("-")) expect(hunkDownTo(older, newer, "new", now)).toBe(shown);
      }
    }
  });

  test("of a new or deleted file has an empty range on the other side", () => {
    expect(hunkDownTo([], ["p1", "line2", "3"], "new", 2)).toBe("@@ -0,0 +1,3 @@\n+p1\n+line2");
    expect(hunkDownTo(["p1", "line2"], [], "old", 1)).toBe("@@ -1,2 +0,0 @@\n-p1");
  });

  test("is cut to its last lines", () => {
    expect(lastLines("@@ -1,5 +1,6 @@\n a\n-b\n+B\n+C\n d", 2)).toBe("@@ -3,3 +3,4 @@\n+C\n d");
    expect(lastLines("@@ -0,0 +1,3 @@\n+a\n+b\n+c", 2)).toBe("@@ -0,0 +2,2 @@\n+b\n+c");
    expect(lastLines("@@ -0,0 +1,3 @@\n+a", 2)).toBe("@@ -0,0 +1,3 @@\n+a");
    expect(lastLines("", 2)).toBe("");
  });

  test("shows a line far from all changes with the lines before it, and is empty for a missing line", () => {
    expect(hunkDownTo(older, newer, "new", 22)).toBe("@@ -19,4 +19,4 @@\n line 19\n line 20\n line 21\n line 22");
    expect(hunkDownTo(older, newer, "new", 99)).toBe("");
  });
});
