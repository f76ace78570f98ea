import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientRepository, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { isForgeError } from "../../core/errors.ts";
import { findEntry, readCommit, readTree } from "../objects/objects.ts";
import { isNearAncestor, walkCommits } from "../objects/walk.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { pageHistory } from "./history-page.ts";
import { lastCommitOfPath, lastCommits } from "./last-commit.ts";
import { countCommits, divergence, isAncestor, isReachable, listCommitOids, mergeBase } from "./log.ts";
import { readNote } from "./notes.ts";

let kit: TestStores;

beforeAll(async () => {
  kit = await openTestStores();
});

afterAll(async () => {
  await kit.close();
});

/** A line of five, a side branch from the second, merged at the end; and an unrelated history. */
async function forked(
  format: "sha1" | "sha256" = "sha1",
): Promise<{ store: GitStore; client: ClientRepository; line: Oid[]; side: Oid; merge: Oid; alone: Oid }> {
  const store = kit.fresh(format);
  const client = kit.client(format);
  const line = Array.from({ length: 5 }, (_, i) => client.commit({ "a.txt": `${i}\n`, [`d/${i}.txt`]: `${i}\n` }, { message: `line ${i}` }));
  client.git("checkout", "-q", "-f", "-b", "side", line[1] ?? "");
  const side = client.commit({ "s.txt": "s\n" });
  client.git("checkout", "-q", "-f", "main");
  client.git("merge", "-q", "--no-ff", "-m", "merge", "side");
  const merge = client.git("rev-parse", "HEAD");
  client.git("checkout", "-q", "-f", "--orphan", "alone");
  client.git("rm", "-q", "-r", "-f", "--cached", ".");
  const alone = client.commit({ "x.txt": "x" });
  await importObjects(store, client, [merge, alone]);
  return { store, client, line, side, merge, alone };
}

async function entriesAt(store: GitStore, tipOid: Oid, directory: string) {
  const commit = await readCommit(store, tipOid);
  const entry = commit && (await findEntry(store, commit.treeOid, directory));
  return (entry && (await readTree(store, entry.oid))) ?? [];
}

describe("history", () => {
  for (const format of ["sha1", "sha256"] as const) {
    test(`is listed, filtered and counted as git does (${format})`, async () => {
      const { store, client, line, side, merge } = await forked(format);
      const gitLog = (...args: string[]): string[] =>
        client
          .git("log", "--format=%H", ...args)
          .split("\n")
          .filter(Boolean);
      expect(await listCommitOids(store, { tipOids: [merge], limit: 100 })).toEqual(gitLog(merge));
      expect(await listCommitOids(store, { tipOids: [merge], skip: 2, limit: 3 })).toEqual(gitLog(merge).slice(2, 5));
      expect(await listCommitOids(store, { tipOids: [merge], path: "a.txt", limit: 100 })).toEqual(gitLog(merge, "--", "a.txt"));
      expect(await listCommitOids(store, { tipOids: [merge], path: "d", limit: 100 })).toEqual(gitLog(merge, "--", "d"));
      expect(await listCommitOids(store, { tipOids: [merge], notOids: [side], limit: 100 })).toEqual(gitLog(merge, `^${side}`));
      expect(await listCommitOids(store, { tipOids: [merge], firstParent: true, limit: 100 })).toEqual(gitLog("--first-parent", merge));
      expect(await countCommits(store, { tipOids: [merge] })).toBe(7);
      expect(await countCommits(store, { tipOids: [merge], path: "d/3.txt" })).toBe(1);
      expect(await countCommits(store, { tipOids: [merge], path: "nosuch" })).toBe(0);
      expect(await pageHistory(store, { tipOids: [merge], path: "d", skip: 1, limit: 2 })).toEqual({ oids: gitLog(merge, "--", "d").slice(1, 3), total: 5 });
      expect(await pageHistory(store, { tipOids: [merge], path: "nosuch", limit: 2 })).toEqual({ oids: [], total: 0 });
      const third = (await readCommit(store, line[2] ?? ""))?.committer.seconds ?? 0;
      expect(await listCommitOids(store, { tipOids: [line[4] ?? ""], sinceMs: third * 1000, limit: 100 })).toEqual(line.slice(2).reverse());
      expect(await listCommitOids(store, { tipOids: [line[4] ?? ""], untilMs: third * 1000 + 999, limit: 100 })).toEqual(line.slice(0, 3).reverse());
      expect(await countCommits(store, { tipOids: [merge], sinceMs: -1e15 })).toBe(7);
      expect(await countCommits(store, { tipOids: [merge], untilMs: 1000 })).toBe(0);
    });
  }

  test("takes a path literally", async () => {
    const { store, merge } = await forked();
    for (const path of [":(exclude)a.txt", ":/", "--output=/tmp/x", "*", "a.tx?", "../a.txt"]) {
      expect(await countCommits(store, { tipOids: [merge], path }).catch(() => 0)).toBe(0);
    }
    expect(await countCommits(store, { tipOids: [merge], path: "a\n--all" })).toBe(0);
    await expect(countCommits(store, { tipOids: [merge], path: "a\n\u{10feff}" })).rejects.toSatisfy((error) => isForgeError(error, "refused"));
  });

  test("of a path with a line break in its name is listed", async () => {
    const store = kit.fresh();
    const client = kit.client();
    const [first, , tip = ""] = [{ "a\nb/c\nd": "1" }, { other: "2" }, { "a\nb/e": "3" }].map((files) => client.commit(files));
    await importObjects(store, client, [tip]);
    expect(await listCommitOids(store, { tipOids: [tip], path: "a\nb", limit: 9 })).toEqual([tip, first]);
    const found = await lastCommits(store, { tipOid: tip, directory: "a\nb", entries: await entriesAt(store, tip, "a\nb") });
    expect(Object.fromEntries(found.byName)).toEqual({ "c\nd": first, e: tip });
  });

  test("of an empty store is empty", async () => {
    const store = kit.fresh();
    const nowhere = "0123456789012345678901234567890123456789";
    expect(await listCommitOids(store, { tipOids: [nowhere], limit: 5 })).toEqual([]);
    expect(await countCommits(store, { tipOids: [nowhere] })).toBe(0);
    expect(await walkCommits(store, nowhere, { skip: 0, limit: 5 })).toBeUndefined();
  });

  test("returns how two commits are related", async () => {
    const { store, line, side, merge, alone } = await forked();
    const [first = "", second = "", , , last = ""] = line;
    expect(await mergeBase(store, side, last)).toBe(second);
    expect(await mergeBase(store, merge, merge)).toBe(merge);
    expect(await mergeBase(store, merge, alone)).toBeUndefined();
    expect(await isAncestor(store, first, merge)).toBe(true);
    expect(await isAncestor(store, merge, first)).toBe(false);
    expect(await isAncestor(store, side, last)).toBe(false);
    expect(await divergence(store, last, side)).toEqual({ ahead: 1, behind: 3 });
    expect(await divergence(store, last, last)).toEqual({ ahead: 0, behind: 0 });
    expect(await isReachable(store, side, [alone, merge])).toBe(true);
    expect(await isReachable(store, alone, [merge])).toBe(false);
    expect(await isReachable(store, alone, [])).toBe(false);
    expect(await isNearAncestor(store, first, merge)).toBe(true);
    expect(await isNearAncestor(store, alone, merge)).toBe(false);
    expect(await isNearAncestor(store, first, merge, 2)).toBe(false);
  });
});

describe("walking through the cache", () => {
  test("pages like git log, without a process once the commits are cached", async () => {
    const { store, client, merge } = await forked();
    const all = client.git("log", "--format=%H", merge).split("\n");
    const first = await walkCommits(store, merge, { skip: 0, limit: 100 });
    expect(first?.map((commit) => commit.oid)).toEqual(all);
    const before = kit.stores.counters.processes;
    expect((await walkCommits(store, merge, { skip: 2, limit: 3 }))?.map((commit) => commit.oid)).toEqual(all.slice(2, 5));
    expect(await walkCommits(store, merge, { skip: 50, limit: 3 })).toEqual([]);
    expect(kit.stores.counters.processes).toBe(before);
  });

  test("gives up if the page is too deep", async () => {
    const { store, merge } = await forked();
    expect(await walkCommits(store, merge, { skip: 998, limit: 5 })).toBeUndefined();
    expect(await walkCommits(store, merge, { skip: 0, limit: 3, maxReads: 4 })).toHaveLength(3);
    expect(await walkCommits(store, merge, { skip: 2, limit: 2, maxReads: 4 })).toBeUndefined();
  });

  test("orders by commit dates even if they are inconsistent", async () => {
    const store = kit.fresh();
    const client = kit.client();
    client.commit({ a: "1" }, { seconds: 1_700_000_300 });
    client.commit({ a: "2" }, { seconds: 1_700_000_100 });
    client.git("checkout", "-q", "-f", "-b", "side", "main~1");
    client.commit({ b: "2" }, { seconds: 1_700_000_100 });
    client.commit({ b: "3" }, { seconds: 1_600_000_000 });
    client.git("checkout", "-q", "-f", "main");
    client.git("merge", "-q", "--no-ff", "-m", "merge", "side");
    const tip = client.commit({ c: "3" }, { seconds: 1_500_000_000 });
    await importObjects(store, client, [tip]);
    const walked = await walkCommits(store, tip, { skip: 0, limit: 10 });
    expect(walked?.map((commit) => commit.oid)).toEqual(client.git("log", "--format=%H", tip).split("\n"));
  });
});

describe("last commits of a directory", () => {
  test("are those that gave each entry its content", async () => {
    const { store, line, side, merge } = await forked();
    const root = await lastCommits(store, { tipOid: merge, directory: "", entries: await entriesAt(store, merge, "") });
    expect(root.complete).toBe(true);
    expect(Object.fromEntries(root.byName)).toEqual({ "a.txt": line[4], d: line[4], "s.txt": side });
    const inner = await lastCommits(store, { tipOid: merge, directory: "d", entries: await entriesAt(store, merge, "d") });
    expect(inner.byName.get("2.txt")).toBe(line[2]);
    expect(inner.byName.size).toBe(5);
    expect(await lastCommitOfPath(store, merge, "d/2.txt")).toBe(line[2]);
    expect(await lastCommitOfPath(store, merge, "nosuch")).toBeUndefined();
  });

  test("follow merges: both those with own changes and those that discard changes", async () => {
    const store = kit.fresh();
    const client = kit.client();
    const start = client.commit({ "d/both": "1\n2\n3\n4\n5\n", "d/kept": "k", "d/tricky\tname": "t" });
    client.git("checkout", "-q", "-f", "-b", "side");
    client.commit({ "d/both": "1\n2\n3\n4\nfive\n", "d/kept": "changed and thrown away", "d/x": "x" });
    client.git("checkout", "-q", "-f", "main");
    client.commit({ "d/both": "one\n2\n3\n4\n5\n" });
    client.git("reset", "-q", "--hard");
    client.git("merge", "-q", "--no-ff", "--no-commit", "side");
    const merge = client.commit({ "d/kept": "k" }, { message: "merge" });
    await importObjects(store, client, [merge]);
    const found = await lastCommits(store, { tipOid: merge, directory: "d", entries: await entriesAt(store, merge, "d") });
    expect(found.byName.get("both")).toBe(merge);
    expect(found.byName.get("kept")).toBe(start);
    expect(found.byName.get("tricky\tname")).toBe(start);
    expect((await lastCommits(store, { tipOid: merge, directory: "", entries: await entriesAt(store, merge, "") })).byName.get("d")).toBe(merge);
  });

  test("that are far below the tip are found by one walk each", async () => {
    const store = kit.fresh();
    const client = kit.client();
    const first = client.commit({ old: "1", older: "1", hot: "0" });
    const stream = Array.from({ length: 4_000 }, (_, index) => {
      const from = index === 0 ? `from ${first}\n` : "";
      return `commit refs/heads/main\ncommitter c <c@example.com> ${1_700_000_000 + index} +0000\ndata 1\nm\n${from}M 100644 inline hot\ndata 4\n${1000 + index}\n`;
    });
    client.pipe(stream.join(""), "fast-import", "--quiet", "--force");
    const tip = client.git("rev-parse", "main");
    await importObjects(store, client, [tip]);
    const entries = await entriesAt(store, tip, "");
    const before = kit.stores.counters.processes;
    const found = await lastCommits(store, { tipOid: tip, directory: "", entries });
    expect(Object.fromEntries(found.byName)).toEqual({ hot: tip, old: first, older: first });
    // The shared walk, and one walk for each entry that it did not reach.
    expect(kit.stores.counters.processes - before).toBe(3);
  });

  test("report a timeout as incomplete", async () => {
    const { store, merge } = await forked();
    const entries = [...(await entriesAt(store, merge, "")), { mode: "100644", name: "never", oid: "1".repeat(40) } as const];
    const found = await lastCommits(store, { tipOid: merge, directory: "", entries });
    expect(found.complete).toBe(false);
    expect(found.byName.size).toBe(3);
    await expect(lastCommits(store, { tipOid: merge, directory: "", entries, signal: AbortSignal.abort() })).rejects.toSatisfy((error) =>
      isForgeError(error, "unavailable"),
    );
  });
});

test("a note is found at any depth of its tree", async () => {
  const store = kit.fresh();
  const client = kit.client();
  const tip = client.commit({ a: "a" });
  const blob = client.pipe("well done\n", "hash-object", "-w", "--stdin").toString().trim();
  const tree = (entry: string): string => client.pipe(entry, "mktree").toString().trim();
  const flat = tree(`100644 blob ${blob}\t${tip}\n`);
  const folded = tree(`040000 tree ${tree(`040000 tree ${tree(`100644 blob ${blob}\t${tip.slice(4)}\n`)}\t${tip.slice(2, 4)}\n`)}\t${tip.slice(0, 2)}\n`);
  await importObjects(
    store,
    client,
    [flat, folded].map((oid) => client.git("commit-tree", oid, "-m", "notes")),
  );
  for (const [notes, path] of [[flat, tip] as const, [folded, `${tip.slice(0, 2)}/${tip.slice(2, 4)}/${tip.slice(4)}`] as const]) {
    const note = await readNote(store, notes, tip);
    expect([note?.path, note?.data.toString()]).toEqual([path, "well done\n"]);
  }
  expect(await readNote(store, flat, "1".repeat(40))).toBeUndefined();
});

const bundle = "../shared/data/express.bundle";
const isThere = existsSync(bundle);

describe.runIf(isThere)(`a real history${isThere ? "" : " (skipped: its bundle is missing)"}`, () => {
  let store: GitStore;
  let client: ClientRepository;
  let tip: Oid;

  beforeAll(async () => {
    store = kit.fresh();
    client = kit.client();
    client.git("fetch", "-q", `${process.cwd()}/${bundle}`, "+refs/*:refs/remotes/*");
    tip = client.git("for-each-ref", "--format=%(objectname)", "--sort=-committerdate", "--count=1");
    await importObjects(store, client, [tip]);
  });

  test("is walked in git's order", async () => {
    const walked = await walkCommits(store, tip, { skip: 0, limit: 900 });
    expect(walked?.map((commit) => commit.oid)).toEqual(client.git("rev-list", "--max-count=900", tip).split("\n"));
  });

  test("has the last commits that git log reports", async () => {
    for (const directory of ["", "lib", "test", "examples"]) {
      const entries = await entriesAt(store, tip, directory);
      const found = await lastCommits(store, { tipOid: tip, directory, entries });
      expect(found.complete).toBe(true);
      const differing = entries.filter(({ name }) => {
        const path = directory === "" ? name : `${directory}/${name}`;
        return found.byName.get(name) !== client.git("log", "-1", "--format=%H", tip, "--", path);
      });
      expect(differing.map((entry) => entry.name)).toEqual([]);
    }
  });
});
