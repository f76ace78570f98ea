import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { nearMergeBases } from "../history/merge-bases.ts";
import { newBlob, newCommit } from "../objects/format.ts";
import { readCommit } from "../objects/objects.ts";
import { writeObjects } from "../objects/write.ts";
import type { GitStore } from "../stores.ts";
import type { Commit, GitObject, Oid, Signature } from "../types.ts";
import { rebase } from "./rebase.ts";
import { editTree, type TreeChange } from "./tree-edit.ts";
import { openWorkbench } from "./workbench.ts";

let kit: TestStores;
beforeAll(async () => {
  kit = await openTestStores();
});
afterAll(() => kit.close());

type Files = Readonly<Record<string, string | undefined>>;
let second = 1_700_000_000;
function who(): Signature {
  second += 60;
  return { name: "Ada", email: "ada@example.com", seconds: second, offsetMinutes: 0 };
}

/** Creates a commit that changes files of its first parent. */
async function commitOn(store: GitStore, parentOids: readonly Oid[], files: Files, message = "change"): Promise<Oid> {
  const [first] = parentOids;
  const parent = first === undefined ? undefined : await readCommit(store, first);
  const objects: GitObject[] = [];
  const changes: TreeChange[] = Object.entries(files).map(([path, content]): TreeChange => {
    if (content === undefined) return { kind: "remove", path };
    const blob = newBlob(store.format, Buffer.from(content));
    objects.push(blob);
    return { kind: "put", path, mode: "100644", oid: blob.oid };
  });
  // Removals first, so that a file can replace a directory.
  changes.sort((a, b) => Number(a.kind === "put") - Number(b.kind === "put"));
  const tree = await editTree(store, parent?.treeOid, changes);
  const commit = newCommit(store.format, { treeOid: tree.treeOid, parentOids, author: who(), committer: who(), message });
  await writeObjects(store, [...objects, ...tree.objects, commit]);
  return commit.oid;
}

/** Merges with stock git. */
function mergeByStockGit(store: GitStore, ours: Oid, theirs: Oid): { readonly isClean: boolean; readonly treeOid: string; readonly paths: readonly string[] } {
  try {
    const args = ["-C", store.path, "merge-tree", "--write-tree", "--no-messages", "--name-only", ours, theirs];
    return { isClean: true, treeOid: execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim(), paths: [] };
  } catch (error) {
    const [treeOid = "", ...paths] = String((error as { stdout: string }).stdout)
      .trim()
      .split("\n");
    return { isClean: false, treeOid, paths };
  }
}

const lines = (seed: string): string => Array.from({ length: 8 }, (_, at) => `${seed} line ${at}\n`).join("");
const processes = (): number => kit.stores.counters.processes;

async function mergeOf(store: GitStore, ours: Oid, theirs: Oid) {
  await using bench = openWorkbench(store);
  const merged = await bench.mergeCommits(ours, theirs);
  if (merged.kind === "clean") await writeObjects(store, bench.objects());
  return merged;
}

describe("a merge", () => {
  test("of files changed on one side only starts no process and yields git's tree", async () => {
    const store = kit.fresh();
    const base = await commitOn(store, [], { "a/one": lines("one"), "a/two": lines("two"), "b/c/three": lines("three"), "x/y/z": "unchanged" });
    const ours = await commitOn(store, [base], { "a/one": "ours\n", "new/ours": "1\n" });
    const theirs = await commitOn(store, [base], { "a/two": undefined, "b/c/three": "theirs\n", "new/theirs": "2\n" });
    const before = processes();
    const merged = await mergeOf(store, ours, theirs);
    expect(processes() - before).toBe(0);
    expect(merged).toEqual({ kind: "clean", treeOid: mergeByStockGit(store, ours, theirs).treeOid });
  });

  test("of a file changed in different places on both sides uses git's result and objects", async () => {
    const store = kit.fresh();
    const base = await commitOn(store, [], { "deep/er/file": lines("file"), other: "x" });
    const ours = await commitOn(store, [base], { "deep/er/file": `top\n${lines("file")}` });
    const theirs = await commitOn(store, [base], { "deep/er/file": `${lines("file")}bottom\n` });
    await using bench = openWorkbench(store);
    const before = processes();
    const merged = await bench.mergeCommits(ours, theirs);
    expect(processes() - before).toBe(1);
    expect(bench.objects().map(({ type }) => type)).toEqual(["blob", "tree", "tree", "tree"]);
    await writeObjects(store, bench.objects());
    expect(merged).toEqual({ kind: "clean", treeOid: mergeByStockGit(store, ours, theirs).treeOid });
  });

  test("that conflicts names the paths and creates no objects", async () => {
    const store = kit.fresh();
    const base = await commitOn(store, [], { "a b/ü": lines("file"), gone: lines("gone") });
    const ours = await commitOn(store, [base], { "a b/ü": "ours\n", gone: undefined });
    const theirs = await commitOn(store, [base], { "a b/ü": "theirs\n", gone: "kept\n" });
    await using bench = openWorkbench(store);
    expect(await bench.mergeCommits(ours, theirs)).toEqual({ kind: "conflict", paths: ["a b/ü", "gone"] });
    expect(bench.objects()).toEqual([]);
    const marked = await bench.markConflicts(ours, theirs);
    const text = `<<<<<<< ${ours}\nours\n=======\ntheirs\n>>>>>>> ${theirs}\n`;
    expect(marked?.files.map(({ path, found }) => [path, found?.data.toString()])).toEqual([
      ["a b/ü", text],
      ["gone", "kept\n"],
    ]);
    expect(bench.objects().at(-1)?.oid).toBe(marked?.treeOid);
    expect(await bench.markConflicts(ours, base)).toBeUndefined();
  });

  test("of unrelated histories is reported as such", async () => {
    const store = kit.fresh();
    const [ours, theirs] = [await commitOn(store, [], { a: "1" }), await commitOn(store, [], { b: "2" })];
    expect(await mergeOf(store, ours, theirs)).toEqual({ kind: "unrelated" });
  });

  test("of criss-cross histories merges the several bases first, as git does", async () => {
    const store = kit.fresh();
    const root = await commitOn(store, [], { a: lines("a"), b: lines("b") });
    const one = await commitOn(store, [root], { a: `one\n${lines("a")}` });
    const two = await commitOn(store, [root], { b: `two\n${lines("b")}` });
    const left = await commitOn(store, [one, two], { b: `two\n${lines("b")}`, left: "l" });
    const right = await commitOn(store, [two, one], { a: `one\n${lines("a")}`, right: "r" });
    expect(new Set(await nearMergeBases(store, left, right))).toEqual(new Set([one, two]));
    expect(await mergeOf(store, left, right)).toEqual({ kind: "clean", treeOid: mergeByStockGit(store, left, right).treeOid });
  });

  test("follows renames on either side, as git does", async () => {
    const store = kit.fresh();
    const base = await commitOn(store, [], { "dir/a": lines("a"), "dir/b": lines("b"), stay: "s" });
    const renamed = await commitOn(store, [base], { "dir/a": undefined, "dir/b": undefined, "moved/a": lines("a"), "moved/b": lines("b") });
    const edited = await commitOn(store, [base], { "dir/a": `${lines("a")}more\n`, "dir/new": "n" });
    for (const [ours, theirs] of [
      [renamed, edited],
      [edited, renamed],
    ] as const) {
      const stock = mergeByStockGit(store, ours, theirs);
      const merged = await mergeOf(store, ours, theirs);
      expect(merged).toEqual(stock.isClean ? { kind: "clean", treeOid: stock.treeOid } : { kind: "conflict", paths: stock.paths });
    }
  });

  const paths = ["a", "b", "d/a", "d/b", "d/e/a", "d/e/b", "f/a", "f/b"];
  const change = fc.record({ at: fc.nat(paths.length - 1), to: fc.nat(paths.length - 1), kind: fc.constantFrom("edit", "remove", "move", "add", "append") });
  const changes = fc.array(change, { minLength: 1, maxLength: 4 });
  type Change = { readonly at: number; readonly to: number; readonly kind: string };

  /** The files to commit after applying the changes. */
  function apply(files: ReadonlyMap<string, string>, list: readonly Change[], side: string): Files {
    const now = new Map(files);
    for (const { at, to, kind } of list) {
      const [path = "", target = ""] = [paths[at], paths[to]];
      const content = now.get(path);
      if (kind === "add") now.set(path, content ?? lines(`added ${to}`));
      else if (content === undefined) continue;
      else if (kind === "edit") now.set(path, `${side} ${to}\n${content}`);
      else if (kind === "append") now.set(path, `${content}${side} ${to}\n`);
      else if (kind === "remove") now.delete(path);
      else if (!now.has(target)) {
        now.delete(path);
        now.set(target, content);
      }
    }
    return Object.fromEntries(
      [...new Set([...files.keys(), ...now.keys()])].filter((path) => files.get(path) !== now.get(path)).map((path) => [path, now.get(path)]),
    );
  }

  test("of random changes on both sides equals git's, in trees and conflicts", async () => {
    const store = kit.fresh();
    const initial = new Map(paths.slice(0, 6).map((path) => [path, lines(path)]));
    const base = await commitOn(store, [], Object.fromEntries(initial));
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(changes, changes, async (mine, yours) => {
        const ours = await commitOn(store, [base], apply(initial, mine, "ours"));
        const theirs = await commitOn(store, [base], apply(initial, yours, "theirs"));
        const stock = mergeByStockGit(store, ours, theirs);
        const before = processes();
        const merged = await mergeOf(store, ours, theirs);
        if (processes() === before) plain += 1;
        expect(merged).toEqual(stock.isClean ? { kind: "clean", treeOid: stock.treeOid } : { kind: "conflict", paths: stock.paths });
      }),
      { numRuns: 60 },
    );
    // The path without git must have been taken often enough to be tested.
    expect(plain).toBeGreaterThan(12);
  });
});

describe("merge bases without git", () => {
  test("equal git's in random histories", async () => {
    const store = kit.fresh();
    const tree = (await readCommit(store, await commitOn(store, [], { a: "1" })))?.treeOid ?? "";
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.boolean(), fc.nat(3)), { minLength: 3, maxLength: 14 }), async (shape) => {
        const oids: Oid[] = [];
        const commits: GitObject[] = [];
        for (const [at, [one, other, isMerge, skew]] of shape.entries()) {
          const parents = at === 0 || (one === 3 && at < 3) ? [] : [oids[Math.max(0, at - 1 - one)], ...(isMerge ? [oids[Math.max(0, at - 1 - other)]] : [])];
          const author = { ...who(), seconds: second + at * 60 - skew * 90 };
          const parentOids = [...new Set(parents.filter((oid) => oid !== undefined))];
          commits.push(newCommit("sha1", { treeOid: tree, parentOids, author, committer: author, message: `${at} ${second}` }));
          oids.push(commits.at(-1)?.oid ?? "");
        }
        await writeObjects(store, commits);
        const [one = "", other = ""] = [oids.at(-1), oids.at(-2)];
        const stock = (() => {
          try {
            return execFileSync("git", ["-C", store.path, "merge-base", "--all", one, other], { encoding: "utf8" }).trim().split("\n");
          } catch {
            return [];
          }
        })();
        const near = await nearMergeBases(store, one, other);
        // If there are several, one may be an ancestor of another: git decides then.
        if (near !== undefined && near.length <= 1) expect(near).toEqual(stock);
        else expect(near).toEqual(expect.arrayContaining(stock));
      }),
      { numRuns: 50 },
    );
  });

  test("are not searched beyond the limit", async () => {
    const store = kit.fresh();
    let tip = await commitOn(store, [], { a: "0" });
    const base = tip;
    for (let at = 0; at < 12; at += 1) tip = await commitOn(store, [tip], { a: String(at) });
    const side = await commitOn(store, [base], { b: "1" });
    expect(await nearMergeBases(store, tip, side, 5)).toBeUndefined();
    expect(await nearMergeBases(store, tip, side)).toEqual([base]);
  });
});

describe("a rebase", () => {
  const historyOf = async (store: GitStore, oids: readonly Oid[]): Promise<Commit[]> =>
    (await Promise.all(oids.map((oid) => readCommit(store, oid)))) as Commit[];

  test("keeps authors, drops commits that are already present, and keeps commits that were empty", async () => {
    const store = kit.fresh();
    const base = await commitOn(store, [], { a: lines("a"), b: lines("b") });
    const onto = await commitOn(store, [base], { b: `${lines("b")}same\n`, c: "onto\n" });
    const first = await commitOn(store, [base], { a: `first\n${lines("a")}` }, "first\n\nwith a body\n");
    const there = await commitOn(store, [first], { b: `${lines("b")}same\n` }, "already there");
    const empty = await commitOn(store, [there], {}, "empty");
    const last = await commitOn(store, [empty], { a: `first\n${lines("a")}last\n` }, "last");
    const committer = who();
    await using bench = openWorkbench(store);
    const rebased = await rebase(bench, { commits: await historyOf(store, [first, there, empty, last]), ontoOid: onto, committer });
    if (rebased.kind !== "clean") throw new Error("it applies");
    await writeObjects(store, bench.objects());
    const log = execFileSync("git", ["-C", store.path, "log", "--format=%s|%an|%ct", `${base}..${rebased.tipOid}`], { encoding: "utf8" })
      .trim()
      .split("\n");
    expect(log.slice(0, 3)).toEqual(["last", "empty", "first"].map((subject) => `${subject}|Ada|${committer.seconds}`));
    expect(log[3]).toContain("change|Ada|");
    expect(execFileSync("git", ["-C", store.path, "show", `${rebased.tipOid}:a`], { encoding: "utf8" })).toBe(`first\n${lines("a")}last\n`);
    expect(execFileSync("git", ["-C", store.path, "fsck", "--strict", "--connectivity-only", rebased.tipOid], { encoding: "utf8" })).not.toContain("missing");
  });

  test("reuses commits that need no change, and names the first one that does not apply", async () => {
    const store = kit.fresh();
    const base = await commitOn(store, [], { a: lines("a") });
    const one = await commitOn(store, [base], { a: `one\n${lines("a")}` });
    const two = await commitOn(store, [one], { b: "two\n" });
    await using bench = openWorkbench(store);
    const commits = await historyOf(store, [one, two]);
    expect(await rebase(bench, { commits, ontoOid: base, committer: who() })).toEqual({ kind: "clean", tipOid: two });
    expect(bench.objects()).toEqual([]);
    const other = await commitOn(store, [base], { a: `other\n${lines("a")}` });
    expect(await rebase(bench, { commits, ontoOid: other, committer: who() })).toEqual({ kind: "conflict", commitOid: one, paths: ["a"] });
  });
});
