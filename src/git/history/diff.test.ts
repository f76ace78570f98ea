import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientRepository, collect, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { isForgeError } from "../../core/errors.ts";
import { hashObject } from "../objects/hash.ts";
import { readCommit } from "../objects/objects.ts";
import type { GitStore } from "../stores.ts";
import type { Commit, Oid } from "../types.ts";
import { commitChanges, keptTreeChanges, streamDiff, streamPatches, treeChanges } from "./diff.ts";
import type { ChangedFile } from "./diff-parse.ts";

let kit: TestStores;

beforeAll(async () => {
  kit = await openTestStores();
});

afterAll(async () => {
  await kit.close();
});

async function commitOf(store: GitStore, oid: Oid): Promise<Commit> {
  const commit = await readCommit(store, oid);
  if (commit === undefined) throw new Error(`no commit ${oid}`);
  return commit;
}

const brief = (file: ChangedFile): string =>
  `${file.status} ${file.oldPath === undefined ? "" : `${file.oldPath} -> `}${file.path} +${file.additions} -${file.deletions}`;
const lines = (count: number, word = "line"): string => Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join("");

describe("changes of commits", () => {
  for (const format of ["sha1", "sha256"] as const) {
    test(`are listed for many commits in one process, then cached (${format})`, async () => {
      const store = kit.fresh(format);
      const client = kit.client(format);
      const first = client.commit({ "a.txt": lines(10), "dir/b.txt": "b\n", "bin.dat": Buffer.from([0, 1, 2, 0]) });
      const second = client.commit({ "a.txt": `${lines(10)}more\n`, "dir/b.txt": undefined, "bin.dat": Buffer.from([0, 9]) });
      const third = client.commit({ "new name.txt": `${lines(10)}more\n`, "a.txt": undefined });
      const empty = client.commit({});
      client.git("checkout", "-q", "-f", "-b", "side", second);
      const side = client.commit({ "side.txt": "s\n" });
      client.git("checkout", "-q", "-f", "main");
      client.git("merge", "-q", "--no-ff", "-m", "merge", "side");
      const merge = client.git("rev-parse", "HEAD");
      await importObjects(store, client, [merge]);
      const commits = await Promise.all([first, second, third, empty, side, merge].map((oid) => commitOf(store, oid)));

      const before = kit.stores.counters.processes;
      const changes = await commitChanges(store, commits);
      expect(kit.stores.counters.processes).toBe(before + 1);
      const shown = (oid: Oid): string[] | undefined => changes.get(oid)?.files.map(brief);
      expect(shown(first)).toEqual(["added a.txt +10 -0", "added bin.dat +0 -0", "added dir/b.txt +1 -0"]);
      expect(shown(second)).toEqual(["modified a.txt +1 -0", "modified bin.dat +0 -0", "removed dir/b.txt +0 -1"]);
      expect(shown(third)).toEqual(["removed a.txt +0 -11", "added new name.txt +11 -0"]);
      expect(changes.get(empty)).toEqual({ files: [], additions: 0, deletions: 0, fileCount: 0, truncated: false });
      expect(shown(merge)).toEqual(["added side.txt +1 -0"]);
      expect(changes.get(second)).toMatchObject({ additions: 1, deletions: 1, fileCount: 3 });
      expect(changes.get(second)?.files[1]).toMatchObject({ binary: true, oldMode: "100644", newMode: "100644" });
      expect(changes.get(first)?.files[2]).toMatchObject({ oldMode: undefined, oldOid: undefined, newOid: hashObject(format, "blob", Buffer.from("b\n")) });

      expect(await commitChanges(store, commits)).toEqual(changes);
      expect(kit.stores.counters.processes).toBe(before + 1);
      const renamed = await commitChanges(store, commits, { renames: true });
      expect(renamed.get(third)?.files.map(brief)).toEqual(["renamed a.txt -> new name.txt +0 -0"]);
    });
  }

  test("are computed once for 300 concurrent callers", async () => {
    const store = kit.fresh();
    const client = kit.client();
    const first = client.commit({ a: "1", b: "1" });
    const second = client.commit({ a: "2" });
    await importObjects(store, client, [second]);
    const commits = [await commitOf(store, first), await commitOf(store, second)];
    const before = kit.stores.counters.processes;
    const herd = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: 300 }, () => work(new AbortController().signal)));
    const ofCommits = await herd((signal) => commitChanges(store, commits, { renames: true, signal }));
    const ofPairs = await herd((signal) => keptTreeChanges(store, first, second, { maxFiles: 10, signal }));
    expect(kit.stores.counters.processes).toBe(before + 2);
    expect(ofCommits[299]?.get(second)?.files.map(({ path }) => path)).toEqual(["a"]);
    expect(ofPairs[299]?.files.map(({ path }) => path)).toEqual(["a"]);
  });

  test("are listed at most twice for all pages of a long list", async () => {
    const store = kit.fresh();
    const client = kit.client();
    const first = client.commit({ a: "1" });
    const second = client.commit(Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`f${at}`, `${at}`])));
    await importObjects(store, client, [second]);
    const before = kit.stores.counters.processes;
    const listed: number[] = [];
    for (let maxFiles = 50; maxFiles <= 450; maxFiles += 50) listed.push((await keptTreeChanges(store, first, second, { maxFiles })).files.length);
    expect(listed).toEqual([200, 200, 200, 200, 450, 450, 450, 450, 450]);
    expect(kit.stores.counters.processes).toBe(before + 2);
  });

  test("keep every name: spaces, tabs, line breaks, quotes, invalid UTF-8", async () => {
    const store = kit.fresh();
    const client = kit.client();
    const blob = client.pipe("x\n", "hash-object", "-w", "--stdin").toString().trim();
    const names = ['a "quoted"', "line\nbreak", "tab\there", "-dash", "ünï", "0123456789abcdef0123456789abcdef01234567"];
    const entries = [...names.map((name) => Buffer.from(name)), Buffer.from([0x62, 0xff, 0x63])];
    const records = entries.map((name) => Buffer.concat([Buffer.from(`100644 blob ${blob}\t`), name, Buffer.from([0])]));
    const tree = client.pipe(Buffer.concat(records), "mktree", "-z").toString().trim();
    const tip = client.git("commit-tree", tree, "-m", "names");
    await importObjects(store, client, [tip]);
    const [changes] = (await commitChanges(store, [await commitOf(store, tip)])).values();
    const paths = changes?.files.map((file) => file.path) ?? [];
    expect(paths).toEqual(expect.arrayContaining(names));
    expect(paths).toContain("b\u{10feff}c");
    expect(changes).toMatchObject({ fileCount: 7, additions: 7 });
  });

  test("skip the first files but keep the sums of all", async () => {
    const client = kit.client();
    const first = client.commit({ a: "a\n", b: "b \n", c: "c\n", d: "d\n", e: "e \n" });
    const second = client.commit({ a: "1\n", b: "b\n", c: undefined, d: "2\n2\n", e: "e\n" });
    const store = kit.fresh();
    await importObjects(store, client, [first, second]);
    const part = async (skipFiles: number, maxFiles: number, whitespace: "show-all" | "ignore-all") => {
      const { files, fileCount, additions, deletions } = await treeChanges(store, first, second, { skipFiles, maxFiles, whitespace });
      return [files.map(brief), fileCount, additions, deletions];
    };
    expect(await part(2, 2, "show-all")).toEqual([["removed c +0 -1", "modified d +2 -1"], 5, 5, 5]);
    expect(await part(3, 9, "ignore-all")).toEqual([["modified d +2 -1", "modified e +0 -0"], 5, 3, 3]);
    expect(await part(9, 9, "show-all")).toEqual([[], 5, 5, 5]);
  });

  test("are truncated if there are too many, but keep the sums of all", async () => {
    const store = kit.fresh();
    const client = kit.client();
    const tip = client.commit(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, "one\ntwo\n"])));
    await importObjects(store, client, [tip]);
    const changes = (await commitChanges(store, [await commitOf(store, tip)], { maxFiles: 4 })).get(tip);
    expect(changes).toMatchObject({ fileCount: 30, additions: 60, truncated: true });
    expect(changes?.files).toHaveLength(4);
  });

  test("of an endlessly expanding tree time out without affecting other commits", async () => {
    const store = kit.fresh();
    const client = kit.client();
    const good = client.commit({ "a.txt": "a\n" });
    const blob = client.pipe("x", "hash-object", "-w", "--stdin").toString().trim();
    let tree = client
      .pipe(Array.from({ length: 10 }, (_, i) => `100644 blob ${blob}\tf${i}\n`).join(""), "mktree")
      .toString()
      .trim();
    for (let depth = 0; depth < 9; depth++) {
      tree = client
        .pipe(Array.from({ length: 10 }, (_, i) => `040000 tree ${tree}\td${i}\n`).join(""), "mktree")
        .toString()
        .trim();
    }
    const bomb = client.git("commit-tree", tree, "-p", good, "-m", "bomb");
    const last = client.git("commit-tree", `${good}^{tree}`, "-p", bomb, "-m", "undone");
    const harmless = client.git("commit-tree", client.pipe(`100644 blob ${blob}\tx\n`, "mktree").toString().trim(), "-p", good, "-m", "harmless");
    await importObjects(store, client, [last, harmless]);
    const commits = await Promise.all([bomb, harmless].map((oid) => commitOf(store, oid)));
    const changes = await commitChanges(store, commits, { timeoutMs: 1000 });
    expect(changes.get(bomb)).toMatchObject({ truncated: true, files: [] });
    expect(changes.get(harmless)?.files.map(brief)).toEqual(["removed a.txt +0 -1", "added x +1 -0"]);
    await expect(treeChanges(store, good, bomb, { timeoutMs: 500 })).rejects.toSatisfy((error) => isForgeError(error, "refused"));
  });
});

describe("changes between two commits", () => {
  let store: GitStore;
  let client: ClientRepository;
  let first: Oid;
  let second: Oid;
  let third: Oid;

  beforeAll(async () => {
    store = kit.fresh();
    client = kit.client();
    first = client.commit({ "a.txt": lines(20), "b.txt": "b \n" }, { message: "First" });
    second = client.commit({ "a.txt": lines(20).replace("line 7", "line seven"), "b.txt": "b\n" }, { message: "Second\n\nWith a body.\n" });
    third = client.commit({ "c.txt": lines(20).replace("line 7", "line seven"), "a.txt": undefined, "bin.dat": Buffer.from([0, 1]) }, { message: "Third" });
    await importObjects(store, client, [third]);
  });

  test("list changed files, with optional renames, and everything without a base", async () => {
    expect((await treeChanges(store, first, third)).files.map(brief)).toEqual([
      "removed a.txt +0 -20",
      "modified b.txt +1 -1",
      "added bin.dat +0 -0",
      "added c.txt +20 -0",
    ]);
    const renamed = await treeChanges(store, first, third, { renames: true, whitespace: "ignore-all" });
    expect(renamed.files.map(brief)).toContain("renamed a.txt -> c.txt +1 -1");
    expect((await treeChanges(store, undefined, first)).files.map(brief)).toEqual(["added a.txt +20 -0", "added b.txt +1 -0"]);
    expect(await treeChanges(store, third, third)).toMatchObject({ files: [], fileCount: 0 });
  });

  test("have git's unified diff", async () => {
    const text = async (...args: Parameters<typeof streamDiff>): Promise<string> => (await collect((await streamDiff(...args)).stdout)).toString();
    const printed = (...args: string[]): string => client.pipe("", ...args).toString();
    expect(await text(store, first, second)).toBe(printed("diff", first, second));
    expect(await text(store, first, third)).toBe(printed("diff", "-M", first, third));
    expect(await text(store, undefined, first)).toBe(printed("show", "--format=", first));
    expect(await text(store, first, second, { whitespace: "ignore-all" })).not.toContain("b.txt");
    expect(await text(store, second, third, { binary: true })).toContain("GIT binary patch");
    await expect(text(store, undefined, first, { maxBytes: 50 })).rejects.toSatisfy((error) => isForgeError(error, "unavailable"));
  });

  test("convert to emails that rebuild the history", async () => {
    const one = (await collect((await streamPatches(store, undefined, second)).stdout)).toString();
    expect(one).toMatch(/^From [0-9a-f]{40} Mon Sep 17 00:00:00 2001\nFrom: Ann Author <ann@example.com>\n/);
    expect(one).toContain("Subject: [PATCH] Second\n\nWith a body.\n");
    expect(one).not.toContain("Third");
    const root = (await collect((await streamPatches(store, undefined, first)).stdout)).toString();
    expect(root).toContain("Subject: [PATCH] First");
    const range = await collect((await streamPatches(store, first, third, { binary: true })).stdout);
    expect(range.toString()).toContain("Subject: [PATCH 2/2] Third");
    client.git("reset", "-q", "--hard", first);
    client.pipe(range, "am", "-q");
    expect(client.git("rev-parse", "HEAD^{tree}")).toBe((await commitOf(store, third)).treeOid);
  });
});
