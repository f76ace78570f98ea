import { existsSync, readdirSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientRepository, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { writeCommitGraph } from "../maintain/housekeeping.ts";
import { findEntry, readCommit, readTree } from "../objects/objects.ts";
import type { GitStore } from "../stores.ts";
import type { ObjectFormat, Oid, TreeEntry } from "../types.ts";
import { searchGraph } from "./graph-search.ts";
import { lastCommitOfPath, lastCommits } from "./last-commit.ts";

let kit: TestStores;

beforeAll(async () => {
  kit = await openTestStores();
});

afterAll(async () => {
  await kit.close();
});

async function entriesAt(store: GitStore, tipOid: Oid, directory: string): Promise<readonly TreeEntry[]> {
  const commit = await readCommit(store, tipOid);
  const entry = commit && (await findEntry(store, commit.treeOid, directory));
  return (entry && (await readTree(store, entry.oid))) ?? [];
}

const search = async (store: GitStore, tipOid: Oid, directory: string) =>
  searchGraph(store, { tipOid, directory, entries: await entriesAt(store, tipOid, directory), deadlineMs: Number.POSITIVE_INFINITY });

/** The same as git finds, by name. */
async function byGit(client: ClientRepository, store: GitStore, tipOid: Oid, directory: string): Promise<Record<string, Oid>> {
  const names = (await entriesAt(store, tipOid, directory)).map(({ name }) => name);
  return Object.fromEntries(
    names.map((name) => [name, client.git("log", "-1", "--format=%H", tipOid, "--", directory === "" ? name : `${directory}/${name}`)]),
  );
}

/** Merges of all kinds, a changed mode, a removed and restored directory, and names with special characters. */
function historyOf(client: ClientRepository): { readonly middle: Oid; readonly tip: Oid } {
  client.commit({ "a.txt": "1", "d/both": "1\n2\n3\n4\n5\n", "d/kept": "k", "d/e/deep": "1", "d/tricky\tname": "t", "gone/x": "x", run: "r" });
  for (const side of ["one", "two", "three"]) {
    client.git("checkout", "-q", "-f", "-b", side, "main");
    client.commit({ [`${side}.txt`]: side, "d/kept": `thrown away by ${side}` });
    client.commit({ "d/kept": "k" });
  }
  client.git("checkout", "-q", "-f", "main");
  client.git("merge", "-q", "--no-ff", "-m", "octopus", "one", "two", "three");
  client.git("checkout", "-q", "-f", "-b", "side", "main~1");
  client.commit({ "d/both": "1\n2\n3\n4\nfive\n", "d/kept": "changed and thrown away", "side.txt": "x" });
  client.git("checkout", "-q", "-f", "main");
  client.commit({ "d/both": "one\n2\n3\n4\n5\n" });
  client.git("reset", "-q", "--hard");
  client.git("merge", "-q", "--no-ff", "--no-commit", "side");
  const middle = client.commit({ "d/kept": "k" }, { message: "merge" });
  client.git("update-index", "--chmod=+x", "run");
  client.git("rm", "-q", "-r", "gone");
  client.git("commit", "-q", "-m", "mode");
  client.git("reset", "-q", "--hard");
  client.commit({ "gone/x": "x" });
  client.git("commit", "-q", "--allow-empty", "-m", "empty");
  for (let count = 0; count < 30; count += 1) client.commit({ "a.txt": `${count}`, [`d/e/${count % 7}`]: `${count}` });
  return { middle, tip: client.git("rev-parse", "HEAD") };
}

const directories = ["", "d", "d/e", "gone"];

describe("a search in the commit-graph", () => {
  for (const format of ["sha1", "sha256"] as const satisfies readonly ObjectFormat[]) {
    test(`finds the last commits that git log reports, without a process (${format})`, async () => {
      const store = kit.fresh(format);
      const client = kit.client(format);
      const { middle, tip } = historyOf(client);
      await importObjects(store, client, [tip]);
      // Two layers, and the tip is above both.
      const below = client.git("rev-parse", `${tip}~3`);
      await writeCommitGraph(store, [client.git("rev-parse", `${below}~2`)]);
      await writeCommitGraph(store, [below]);
      expect(readdirSync(join(store.objectsPath, "info/commit-graphs")).filter((name) => name.endsWith(".graph"))).toHaveLength(2);
      await entriesAt(store, tip, "");
      const before = kit.stores.counters.processes;
      for (const oid of [tip, below, middle]) {
        for (const directory of directories) {
          expect(Object.fromEntries(await search(store, oid, directory)), `${directory} at ${oid}`).toEqual(await byGit(client, store, oid, directory));
          const found = await lastCommits(store, { tipOid: oid, directory, entries: await entriesAt(store, oid, directory) });
          expect(found).toEqual({ byName: await search(store, oid, directory), complete: true });
        }
      }
      expect(await lastCommitOfPath(store, tip, "d/e/deep")).toBe(client.git("log", "-1", "--format=%H", tip, "--", "d/e/deep"));
      expect(kit.stores.counters.processes).toBe(before);
    });
  }

  test("leaves names outside of ASCII, histories of many new commits and stores without a graph to git", async () => {
    const store = kit.fresh();
    const client = kit.client();
    const { tip } = historyOf(client);
    const named = client.commit({ grün: "1" });
    await importObjects(store, client, [named]);
    expect(await search(store, named, "")).toEqual(new Map());
    await writeCommitGraph(store, [tip]);
    const root = await search(store, named, "");
    expect(root.has("grün")).toBe(false);
    expect(root.get("a.txt")).toBe(tip);
    const entries = await entriesAt(store, named, "");
    expect(Object.fromEntries((await lastCommits(store, { tipOid: named, directory: "", entries })).byName)).toEqual(await byGit(client, store, named, ""));
  });

  test("leaves everything to git if a file of the graph is damaged", async () => {
    const client = kit.client();
    const { tip } = historyOf(client);
    const damages: readonly ((data: Buffer) => Buffer)[] = [
      (data) => data.subarray(0, data.length >> 1),
      () => Buffer.alloc(0),
      (data) => Buffer.concat([Buffer.from("XXXX"), data.subarray(4)]),
      // Places of parents and filters that are not in the file.
      (data) => {
        const copy = Buffer.from(data);
        copy.fill(0x7f, Number(copy.readBigUInt64BE(copy.indexOf("CDAT") + 4)));
        return copy;
      },
      // Another version of the filters.
      (data) => {
        const copy = Buffer.from(data);
        copy.writeUInt32BE(2, Number(copy.readBigUInt64BE(copy.indexOf("BDAT") + 4)));
        return copy;
      },
    ];
    for (const damage of damages) {
      const store = kit.fresh();
      await importObjects(store, client, [tip]);
      await writeCommitGraph(store, [tip]);
      const folder = join(store.objectsPath, "info/commit-graphs");
      for (const name of readdirSync(folder).filter((file) => file.endsWith(".graph"))) {
        await chmod(join(folder, name), 0o600);
        await writeFile(join(folder, name), damage(await readFile(join(folder, name))));
      }
      expect(await search(store, tip, "")).toEqual(new Map());
    }
  });
});

const bundle = "../shared/data/express.bundle";
const isThere = existsSync(bundle);

test.runIf(isThere)(`a search in the commit-graph agrees with git about a real history${isThere ? "" : " (skipped: its bundle is missing)"}`, async () => {
  const store = kit.fresh();
  const client = kit.client();
  client.git("fetch", "-q", `${process.cwd()}/${bundle}`, "+refs/*:refs/remotes/*");
  const tip = client.git("for-each-ref", "--format=%(objectname)", "--sort=-committerdate", "--count=1");
  await importObjects(store, client, [tip]);
  await writeCommitGraph(store, [tip]);
  for (const directory of ["", "lib", "test", "examples"]) {
    const found = await search(store, tip, directory);
    expect(Object.fromEntries(found), directory).toEqual(await byGit(client, store, tip, directory));
  }
});
