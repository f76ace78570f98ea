import { expect, test } from "vitest";
import { layOutGraph, maxLanes } from "./graph-lanes.ts";

/** `c:ab` is a commit c with the parents a and b. */
const history = (text: string) =>
  text.split(" ").map((word) => {
    const [oid = "", parents = ""] = word.split(":");
    return { oid, parentOids: [...parents], parentCount: parents.length };
  });
const lanesOf = (text: string): string =>
  layOutGraph(history(text))
    .map(({ oid, lane }) => `${oid}${lane}`)
    .join(" ");

test("a linear history stays in one lane and colour", () => {
  const rows = layOutGraph(history("c:b b:a a"));
  expect(rows.map(({ lane, colour }) => [lane, colour])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(rows.map(({ lines }) => lines)).toEqual([
    [{ from: undefined, to: 0, colour: 0 }],
    [
      { from: 0, to: undefined, colour: 0 },
      { from: undefined, to: 0, colour: 0 },
    ],
    [{ from: 0, to: undefined, colour: 0 }],
  ]);
});

test("a merged branch has its own lane until it meets the main line, and the lane is reused", () => {
  expect(lanesOf("m:cd d:b c:b b:a a")).toBe("m0 d1 c0 b0 a0");
  expect(lanesOf("n:mo o:m m:cd d:b c:b b")).toBe("n0 o1 m0 d1 c0 b0");
  const [, , , meeting] = layOutGraph(history("m:cd d:b c:b b:a a"));
  expect(meeting?.lines.map(({ from, to, colour }) => [from, to, colour])).toEqual([
    [0, undefined, 0],
    [1, undefined, 1],
    [undefined, 0, 0],
  ]);
});

test("lays out branches, roots, octopus merges, and parents beyond the page", () => {
  expect(lanesOf("x:b y:b b:a a")).toBe("x0 y1 b0 a0");
  expect(lanesOf("a z")).toBe("a0 z0");
  expect(lanesOf("o:abc a b c")).toBe("o0 a0 b1 c2");
  expect(layOutGraph(history("t:f u:f"))[1]?.lines).toEqual([
    { from: 0, to: 0, colour: 0 },
    { from: undefined, to: 1, colour: 1 },
  ]);
});

test("every line that leaves a row enters the next row in the same lane", () => {
  const rows = layOutGraph(history("h:gf g:ed f:d e:c d:c c:ba b:a a"));
  const below = rows.map(({ lines }) => new Set(lines.flatMap(({ to }) => to ?? [])));
  const above = rows.map(({ lines }) => new Set(lines.flatMap(({ from }) => from ?? [])));
  for (const [at, lanes] of below.slice(0, -1).entries()) expect(above[at + 1]).toEqual(lanes);
});

test("a merge of 10,000 parents has at most one line per lane, and counts the hidden parents", () => {
  const parentOids = Array.from({ length: 10_000 }, (_, at) => `p${at}`);
  const merges = ["m", "n"].map((oid) => ({ oid, parentOids, parentCount: parentOids.length }));
  const commits = [...merges, ...parentOids.map((oid) => ({ oid, parentOids: [], parentCount: 0 }))];
  const rows = layOutGraph(commits);
  for (const { lane, lines } of rows.slice(0, 100)) {
    expect(lane).toBeLessThan(maxLanes);
    expect(lines.length).toBeLessThanOrEqual(2 * maxLanes);
  }
  expect(rows.slice(0, 2).map(({ hiddenParents }) => hiddenParents)).toEqual([10_000 - maxLanes, 10_000 - maxLanes]);
  expect(rows.slice(2).every(({ hiddenParents }) => hiddenParents === 0)).toBe(true);
});

test("a duplicate parent has one line", () => {
  expect(layOutGraph(history("m:aa a"))[0]?.lines).toHaveLength(1);
});
