import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { blame, parseBlame } from "./blame.ts";
import { grep } from "./grep.ts";

let kit: TestStores;
let store: GitStore;
let first: Oid;
let second: Oid;
const client = createClient();
const bounds = { maxLines: 5, maxLinesOfFile: 3, timeoutMs: 20_000 };

beforeAll(async () => {
  kit = await openTestStores();
  store = kit.fresh();
  first = client.commit({
    "a b.txt": "One needle\nnothing\nsecond NEEDLE\nneedle 3\nneedle 4\n",
    "odd:name.txt": "-e needle --all\n",
    "binary.bin": Buffer.from("needle\0needle"),
    "long.txt": `${"x".repeat(200_000)}needle\n`,
    ":(glob)*": "needle\n",
  });
  second = client.commit({ "a b.txt": "One needle\nsomething\nsecond NEEDLE\nneedle 3\nneedle 4\n" });
  await importObjects(store, client, [second]);
});
afterAll(async () => {
  client.remove();
  await kit.close();
});

describe("grep", () => {
  test("finds fixed strings regardless of case, up to the limits per file and in total", async () => {
    const { lines, end } = await grep(store, { ...bounds, commitOid: second, text: "needle" });
    expect(end).toBe("enough");
    expect(lines).toHaveLength(5);
    expect(lines.filter(({ path }) => path === "a b.txt")).toEqual([
      { path: "a b.txt", line: 1, text: "One needle" },
      { path: "a b.txt", line: 3, text: "second NEEDLE" },
      { path: "a b.txt", line: 4, text: "needle 3" },
    ]);
    expect(lines.some(({ path }) => path === "binary.bin")).toBe(false);
  });

  test("treats options and patterns as plain text, and truncates long lines", async () => {
    const find = (text: string) => grep(store, { ...bounds, commitOid: second, text });
    expect((await find("-e needle --all")).lines).toEqual([{ path: "odd:name.txt", line: 1, text: "-e needle --all" }]);
    expect(await find("need.e")).toEqual({ lines: [], end: "all" });
    expect((await find("xxneedle")).lines.map(({ path, text }) => [path, text.length])).toEqual([["long.txt", 1_000]]);
    await expect(find("two\nlines")).rejects.toThrow(TypeError);
  });
});

test("repeated and concurrent blames share one process, and another commit starts its own", async () => {
  const fresh = kit.fresh();
  await importObjects(fresh, client, [second]);
  const processesOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = kit.stores.counters.processes;
    await Promise.all([work(), work(), work()]);
    await work();
    return kit.stores.counters.processes - before;
  };
  expect(await processesOf(() => blame(fresh, { commitOid: second, path: "a b.txt" }))).toBe(1);
  expect(await processesOf(() => blame(fresh, { commitOid: first, path: "a b.txt" }))).toBe(1);
});

describe("blame", () => {
  test("returns runs of lines", async () => {
    expect(await blame(store, { commitOid: second, path: "a b.txt" })).toEqual([
      { oid: first, startLine: 1, count: 1, previous: undefined },
      { oid: second, startLine: 2, count: 1, previous: { oid: first, path: "a b.txt" } },
      { oid: first, startLine: 3, count: 3, previous: undefined },
    ]);
    expect(await blame(store, { commitOid: second, path: ":(glob)*" })).toEqual([{ oid: first, startLine: 1, count: 1, previous: undefined }]);
  });

  test("assigns the changes of ignored commits to the commits before them, and keeps both results", async () => {
    const lines = await blame(store, { commitOid: second, path: "a b.txt", ignoredOids: [second] });
    expect(lines.map(({ oid }) => oid)).toEqual([first]);
    expect((await blame(store, { commitOid: second, path: "a b.txt" })).length).toBe(3);
  });

  test("is not confused by lines that resemble git's output", () => {
    expect(parseBlame(`${"a".repeat(40)} 1 1 1\nauthor x\n\t${"b".repeat(40)} 2 2\n`)).toEqual([
      { oid: "a".repeat(40), startLine: 1, count: 1, previous: undefined },
    ]);
    const output = `previous ${"c".repeat(40)} old \u00c3\u00bc.txt\nfilename new.txt\n\tone\n${"b".repeat(40)} 1 2 1\nprevious ${"c".repeat(40)} "q\\t"\n\ttwo\n`;
    expect(parseBlame(`${"a".repeat(40)} 1 1 1\n${output}`).map(({ previous }) => previous)).toEqual([{ oid: "c".repeat(40), path: "old ü.txt" }, undefined]);
  });
});
