import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { type ClientRepository, createClient, importObjects } from "../../../../../test/kit/git.ts";
import { silentLog } from "../../../../../test/kit/logs.ts";
import { openStoreFixture, type StoreFixture } from "../../../../../test/kit/object-store-fixture.ts";
import { type GitStore, type GitStores, openGitStores } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { moveStoreRefs } from "../../refs/service/move.ts";
import { allRefs } from "../../refs/service/read.ts";
import { createStore } from "../../refs/service/stores.ts";
import { describeTips } from "../../refs/service/tips.ts";
import { saveLastCommits } from "../store.ts";
import { commitCount } from "./counts.ts";
import { browsedPage, countedPage } from "./filtered-page.ts";
import { lastCommitOfPath, lastCommits, lastCommitsOfPaths } from "./last-commits.ts";

/** A store with a client that pushes objects and refs into it. */
interface Setting extends AsyncDisposable {
  readonly fixture: StoreFixture;
  readonly deps: { readonly db: StoreFixture["db"]; readonly log: typeof silentLog };
  readonly store: GitStore;
  readonly client: ClientRepository;
  /** Moves the branch to the client's commit. */
  push(oid: Oid): Promise<void>;
  /** Counts the processes and statements of an action. */
  cost<T>(action: () => Promise<T>): Promise<{ readonly result: T; readonly processes: number; readonly statements: number }>;
}

eachDialect((dialect) => {
  async function open(): Promise<Setting> {
    const fixture = await openStoreFixture(dialect);
    const client = createClient();
    const id = await fixture.db.tx((tx) => createStore(tx, { format: "sha1", defaultBranch: "main" }));
    const store = fixture.git.store(id, "sha1");
    return {
      fixture,
      deps: { db: fixture.db, log: silentLog },
      store,
      client,
      async push(oid) {
        await importObjects(store, client, [oid]);
        const [present] = await allRefs(fixture.db, id);
        const updates = await describeTips(store, [{ name: "refs/heads/main", oldOid: present?.oid ?? null, newOid: oid }]);
        await fixture.db.tx((tx) => moveStoreRefs(tx, id, updates, "all"));
      },
      async cost(action) {
        const before = { processes: fixture.git.counters.processes, statements: fixture.db.counters.statements };
        const result = await action();
        return { result, processes: fixture.git.counters.processes - before.processes, statements: fixture.db.counters.statements - before.statements };
      },
      async [Symbol.asyncDispose]() {
        client.remove();
        await fixture[Symbol.asyncDispose]();
      },
    };
  }

  const closing = (stores: GitStores) => ({ stores, [Symbol.asyncDispose]: () => stores.close() });

  /** The last commit of each entry of a directory according to stock git. */
  const expected = (client: ClientRepository, tip: Oid, directory: string): Record<string, Oid> => {
    const prefix = directory === "" ? "" : `${directory}/`;
    if (prefix !== "" && client.git("ls-tree", tip, directory).split(" ")[1] !== "tree") return {};
    const names = client
      .pipe("", "ls-tree", "-z", "--name-only", tip, ...(prefix === "" ? [] : [prefix]))
      .toString()
      .split("\0")
      .filter(Boolean);
    return Object.fromEntries(names.map((path) => [path.slice(prefix.length), client.git("log", "-1", "--format=%H", tip, "--", path)]));
  };

  describe("last commits", () => {
    test("a history without merges takes no process, at first and after every push", async () => {
      await using setting = await open();
      const { deps, store, client, push, cost } = setting;
      const steps: Record<string, string | undefined>[] = [
        { "a.txt": "1", "d/x": "1", "d/e/y": "1", gone: "1" },
        { "a.txt": "2" },
        { "d/e/y": "2", gone: undefined },
        // Changed and changed back between two reads.
        { "d/x": "2" },
        { "d/x": "1", gone: "1" },
        { b: "1", "d/e": undefined, "d/e/y": undefined },
        { "d/e": "a file now" },
        {},
      ];
      // Starts a worker that stays warm.
      await push(client.commit({ start: "0" }));
      await lastCommits(deps, { store, tipOid: client.git("rev-parse", "HEAD") }, "");
      for (const [index, files] of steps.entries()) {
        const tip = client.commit(files);
        await push(tip);
        if (index % 3 === 1) continue;
        for (const directory of ["", "d", "d/e", "nosuch"]) {
          const { result, processes } = await cost(() => lastCommits(deps, { store, tipOid: tip }, directory));
          expect(Object.fromEntries(result.byName), `${index} ${directory}`).toEqual(expected(client, tip, directory));
          expect(result.complete).toBe(true);
          expect(processes, `${index} ${directory}`).toBe(0);
        }
      }
    });

    test("results are stored, and a repeated request takes one statement", async () => {
      await using setting = await open();
      const { deps, store, client, push, cost } = setting;
      const first = client.commit({ "d/x": "1", y: "1" });
      client.git("checkout", "-q", "-f", "-b", "side");
      client.commit({ z: "1" });
      client.git("checkout", "-q", "-f", "main");
      client.commit({ "d/x": "2" });
      client.git("merge", "-q", "--no-ff", "-m", "merge", "side");
      const tip = client.git("rev-parse", "HEAD");
      await push(tip);
      const found = await cost(() => lastCommits(deps, { store, tipOid: tip }, ""));
      expect(Object.fromEntries(found.result.byName)).toEqual(expected(client, tip, ""));
      expect(found.processes).toBeGreaterThan(0);
      const again = await cost(() => lastCommits(deps, { store, tipOid: tip }, ""));
      expect(again).toMatchObject({ processes: 0, statements: 1 });
      expect([...again.result.byName]).toEqual([...found.result.byName]);
      // A path uses the stored result of its directory; without one, it is stored on its own.
      expect(await cost(() => lastCommitOfPath(deps, { store, tipOid: tip }, "y"))).toEqual({ result: first, processes: 0, statements: 1 });
      const path = await cost(() => lastCommitOfPath(deps, { store, tipOid: tip }, "d/x"));
      expect([path.result, path.processes]).toEqual([client.git("rev-parse", "main^1"), 1]);
      expect(await cost(() => lastCommitOfPath(deps, { store, tipOid: tip }, "d/x"))).toMatchObject({ processes: 0, statements: 1 });
      expect(await lastCommitOfPath(deps, { store, tipOid: tip }, "d")).toBe(client.git("rev-parse", "main^1"));
      expect(await lastCommitOfPath(deps, { store, tipOid: tip }, "d/nosuch")).toBeUndefined();
      expect(await lastCommitOfPath(deps, { store, tipOid: tip }, "")).toBeUndefined();
      const several = await cost(() => lastCommitsOfPaths(deps, { store, tipOid: tip }, ["y", "d/x", "nosuch"]));
      expect([Object.fromEntries(several.result), several.processes]).toEqual([{ y: first, "d/x": path.result }, 0]);
    });

    test("results continue from the stored result of a merge below", async () => {
      await using setting = await open();
      const { deps, store, client, push, cost } = setting;
      client.commit({ "d/x": "1", y: "1" });
      client.git("checkout", "-q", "-f", "-b", "side");
      client.commit({ z: "1" });
      client.git("checkout", "-q", "-f", "main");
      client.commit({ w: "2" });
      client.git("merge", "-q", "--no-ff", "-m", "merge", "side");
      await push(client.git("rev-parse", "HEAD"));
      await lastCommits(deps, { store, tipOid: client.git("rev-parse", "HEAD") }, "");
      for (const files of [{ y: "2" }, { "d/new": "1" }]) {
        const tip = client.commit(files);
        await push(tip);
        const { result, processes } = await cost(() => lastCommits(deps, { store, tipOid: tip }, ""));
        expect(Object.fromEntries(result.byName)).toEqual(expected(client, tip, ""));
        expect(processes).toBe(0);
      }
    });

    test("after many commits and merges only these are read, without a process", async () => {
      await using setting = await open();
      const { deps, store, client, push, cost } = setting;
      const tipNow = (): Oid => client.git("rev-parse", "HEAD");
      client.commit({ "d/x": "1", y: "1", both: "1" });
      client.git("checkout", "-q", "-f", "-b", "old-side");
      client.commit({ fromSide: "1" });
      client.git("checkout", "-q", "-f", "main");
      client.commit({ z: "1" });
      client.git("merge", "-q", "--no-ff", "-m", "merge", "old-side");
      await push(tipNow());
      await lastCommits(deps, { store, tipOid: tipNow() }, "");
      client.git("checkout", "-q", "-f", "-b", "side");
      client.commit({ both: "2", "d/new": "1" });
      client.git("checkout", "-q", "-f", "main");
      for (let index = 0; index < 60; index += 1) client.commit({ y: `${index + 2}` });
      client.git("merge", "-q", "--no-ff", "-m", "merge", "side");
      await push(tipNow());
      const { result, processes } = await cost(() => lastCommits(deps, { store, tipOid: tipNow() }, ""));
      expect(Object.fromEntries(result.byName)).toEqual(expected(client, tipNow(), ""));
      expect([result.complete, processes]).toEqual([true, 0]);
    });

    test("an incomplete result is kept, and only its missing entries are searched for", async () => {
      await using setting = await open();
      const { deps, store, client, push, cost, fixture } = setting;
      client.commit({ a: "1", b: "1", c: "1" });
      for (let index = 0; index < 55; index += 1) client.commit({ a: `${index + 2}` });
      const tip = client.git("rev-parse", "HEAD");
      await push(tip);
      await fixture.db.tx((tx) => saveLastCommits(tx, store.id, "", { tipOid: tip, byName: new Map([["a", tip]]) }));
      const { result, processes } = await cost(() => lastCommits(deps, { store, tipOid: tip }, ""));
      expect(Object.fromEntries(result.byName)).toEqual(expected(client, tip, ""));
      // One walk for `b` and one for `c`.
      expect([result.complete, processes]).toEqual([true, 2]);
      expect(await cost(() => lastCommits(deps, { store, tipOid: tip }, ""))).toMatchObject({ processes: 0, statements: 1 });
    });

    test("the result of a large directory is neither read nor stored again for commits that do not change it", async () => {
      await using setting = await open();
      const { deps, store, client, push, cost, fixture } = setting;
      const names = Array.from({ length: 1_000 }, (_, at) => `${at}`);
      const added = client.commit({ ...Object.fromEntries(names.map((name) => [`big/${name}`, "1"])), other: "1" });
      const last = new Map(names.map((name) => [name, added])).set("7", client.commit({ "big/7": "2" }));
      const commit = async (files: Record<string, string>): Promise<Oid> => {
        const tip = client.commit(files);
        await push(tip);
        return tip;
      };
      const tips = async (): Promise<unknown[]> => fixture.db.sql.selectFrom("last_commits").select("tip_oid").where("path", "=", "big").execute();
      const first = await commit({ other: "2" });
      await lastCommits(deps, { store, tipOid: first }, "big");
      client.git("checkout", "-q", "-f", "-b", "side");
      client.commit({ side: "1" });
      client.git("checkout", "-q", "-f", "main");
      client.commit({ other: "3" });
      client.git("merge", "-q", "--no-ff", "-m", "merge", "side");
      const tip = await commit({ other: "4" });
      const result = { byName: last, complete: true };
      expect(await cost(() => lastCommits(deps, { store, tipOid: tip }, "big"))).toEqual({ result, statements: 0, processes: 0 });

      const restarted = await openGitStores({ root: fixture.git.root, log: silentLog, searchPath: process.env.PATH ?? "" });
      try {
        const again = await cost(() => lastCommits(deps, { store: restarted.store(store.id, "sha1"), tipOid: tip }, "big"));
        // The results at the tip, the tips with a result, and one of these. A worker reads the objects.
        expect([again.result, again.statements, restarted.counters.processes]).toEqual([result, 3, 1]);
      } finally {
        await restarted.close();
      }
      expect(await tips()).toEqual([{ tip_oid: first }]);

      const changed = await commit({ "big/8": "2" });
      last.set("8", changed);
      expect(await cost(() => lastCommits(deps, { store, tipOid: changed }, "big"))).toMatchObject({ result, processes: 0 });
      expect(await tips()).toEqual([{ tip_oid: changed }]);
    });

    test("300 concurrent requests for a new tip start one search", async () => {
      await using setting = await open();
      const { deps, store, client, push, cost } = setting;
      for (let index = 0; index < 55; index += 1) client.commit({ a: `${index}`, "d/x": `${index >> 5}` });
      const tip = client.git("rev-parse", "HEAD");
      await push(tip);
      const requests = () =>
        Promise.all(Array.from({ length: 300 }, () => lastCommits(deps, { store, tipOid: tip, signal: new AbortController().signal }, "")));
      const { result, processes } = await cost(requests);
      expect(new Set(result.map(({ complete }) => complete))).toEqual(new Set([true]));
      expect(Object.fromEntries(result[299]?.byName ?? [])).toEqual(expected(client, tip, ""));
      // The search, and the workers that read objects.
      expect(processes).toBeLessThanOrEqual(3);
    });

    test("results of tips without a ref are deleted", async () => {
      await using setting = await open();
      const { deps, store, client, push, fixture } = setting;
      for (const content of ["1", "2", "3", "4"]) {
        const tip = client.commit({ x: content });
        await push(tip);
        await lastCommits(deps, { store, tipOid: tip }, "");
        await commitCount(deps, store, tip);
      }
      const tip = client.git("rev-parse", "HEAD");
      const rows = async (table: "last_commits" | "commit_counts"): Promise<unknown[]> =>
        fixture.db.sql.selectFrom(table).selectAll().where("store_id", "=", store.id).execute();
      expect(await rows("last_commits")).toMatchObject([{ tip_oid: tip, path: "" }]);
      expect(await rows("commit_counts")).toMatchObject([{ oid: tip, count: 4 }]);
    });

    test("results are returned even if they cannot be stored", async () => {
      await using setting = await open();
      const { deps, client, fixture } = setting;
      // The store has no row, so the database rejects everything that references it.
      const store = fixture.git.store(4711, "sha1");
      const tip = client.commit({ x: "1" });
      await importObjects(store, client, [tip]);
      expect(Object.fromEntries((await lastCommits(deps, { store, tipOid: tip }, "")).byName)).toEqual({ x: tip });
      expect(await commitCount(deps, store, tip)).toBe(1);
    });
  });

  describe("history of a path", () => {
    test("is counted once for each tip, and continues from the count of an ancestor", async () => {
      await using setting = await open();
      const { deps, store, client, push, cost, fixture } = setting;
      const pageOf = (tip: Oid, path: string, skip = 0) => countedPage(deps, store, { tipOids: [tip], path, skip, limit: 5 });
      const revisions = (path: string): Oid[] => client.git("rev-list", "HEAD", "--", path).split("\n");
      client.commit({ "d/x": "1", y: "1" });
      client.git("checkout", "-q", "-f", "-b", "side");
      client.commit({ "d/x": "2" });
      client.git("checkout", "-q", "-f", "main");
      for (let index = 0; index < 12; index += 1) client.commit({ y: `${index + 2}` });
      client.git("merge", "-q", "--no-ff", "-m", "merge", "side");
      const merge = client.git("rev-parse", "HEAD");
      await push(merge);
      const first = await cost(() => pageOf(merge, "y"));
      expect([first.result, first.processes]).toEqual([{ oids: revisions("y").slice(0, 5), total: 13, hasNext: true }, 1]);
      expect(await cost(() => pageOf(merge, "y"))).toEqual({ result: first.result, processes: 0, statements: 0 });
      const third = await cost(() => pageOf(merge, "y", 10));
      expect(third).toEqual({ result: { oids: revisions("y").slice(10), total: 13, hasNext: false }, processes: 0, statements: 0 });
      const tip = client.commit({ y: "last", "d/x": "3" });
      await push(tip);
      const counted: string[] = [];
      expect((await pageOf(tip, "d/x")).total).toBe(3);
      for (const path of ["y", "d", "nosuch"]) counted.push(`${path} ${(await pageOf(tip, path, 20)).total}`);
      expect(counted).toEqual(["y 14", "d 3", "nosuch 0"]);
      // Git lists nothing beyond the end, and the total follows from that of the merge.
      expect((await cost(() => pageOf(tip, "y", 40))).processes).toBe(0);
      expect((await pageOf(tip, "y")).oids).toEqual(revisions("y").slice(0, 5));

      // Only the numbers outlive the process.
      const restarted = await openGitStores({ root: fixture.git.root, log: silentLog, searchPath: process.env.PATH ?? "" });
      try {
        const page = await countedPage(deps, restarted.store(store.id, "sha1"), { tipOids: [tip], path: "y", skip: 10, limit: 5 });
        expect([page, restarted.counters.processes]).toEqual([{ oids: revisions("y").slice(10), total: 14, hasNext: false }, 1]);
      } finally {
        await restarted.close();
      }
    });

    test("is browsed without a walk of the whole history until its length is known", async () => {
      await using setting = await open();
      const { deps, store, client, push, cost } = setting;
      const browse = (tip: Oid, skip: number) => cost(() => browsedPage(deps, store, { tipOids: [tip], path: "y", skip, limit: 5 }));
      for (let index = 0; index < 12; index += 1) client.commit({ y: `${index}` });
      const tip = client.git("rev-parse", "HEAD");
      await push(tip);
      const all = client.git("rev-list", "HEAD", "--", "y").split("\n");
      expect(await browse(tip, 0)).toMatchObject({ result: { oids: all.slice(0, 5), total: undefined, hasNext: true }, processes: 1 });
      expect(await browse(tip, 0)).toMatchObject({ processes: 0, statements: 0 });
      expect(await browse(tip, 10)).toMatchObject({ result: { oids: all.slice(10), total: undefined, hasNext: false } });
      // A page beyond the end is counted.
      expect(await browse(tip, 15)).toMatchObject({ result: { oids: [], total: 12, hasNext: false } });
      expect(await browse(tip, 5)).toMatchObject({ result: { oids: all.slice(5, 10), total: 12, hasNext: true }, processes: 0 });
      const next = client.commit({ y: "next" });
      await push(next);
      expect(await browse(next, 10)).toMatchObject({ result: { oids: all.slice(9), total: 13, hasNext: false }, processes: 0 });
    });

    test("is browsed for the first time by one process, and continued after reading the new commits alone", async () => {
      await using setting = await open();
      const { deps, store, client, push, fixture } = setting;
      const startAgain = () => openGitStores({ root: fixture.git.root, log: silentLog, searchPath: process.env.PATH ?? "" });
      const hasRead = (cold: GitStore, oid: Oid): boolean => cold.shared.cache.get(cold.key, "commit", oid) !== undefined;
      for (let index = 0; index < 12; index += 1) client.commit({ y: `${index}` });
      const tip = client.git("rev-parse", "HEAD");
      await push(tip);
      {
        await using first = closing(await startAgain());
        const page = await browsedPage(deps, first.stores.store(store.id, "sha1"), { tipOids: [tip], path: "y", limit: 5 });
        expect(page.oids).toHaveLength(5);
        expect(first.stores.counters.processes).toBe(1);
      }
      await countedPage(deps, store, { tipOids: [tip], path: "y", limit: 5 });
      await commitCount(deps, store, tip);
      const next = client.commit({ y: "next" });
      await push(next);
      await using second = closing(await startAgain());
      const cold = second.stores.store(store.id, "sha1");
      expect((await countedPage(deps, cold, { tipOids: [next], path: "y", limit: 5 })).total).toBe(13);
      expect(await commitCount(deps, cold, next)).toBe(13);
      expect([next, tip, client.git("rev-parse", "HEAD~2")].map((oid) => hasRead(cold, oid))).toEqual([true, true, false]);
    });

    test("is read by one process for 300 concurrent requests", async () => {
      await using setting = await open();
      const { deps, store, client, push, cost } = setting;
      for (let index = 0; index < 6; index += 1) client.commit({ y: `${index}` });
      const tip = client.git("rev-parse", "HEAD");
      await push(tip);
      await cost(() => commitCount(deps, store, tip));
      const request = () => countedPage(deps, store, { tipOids: [tip], path: "y", skip: 0, limit: 3, signal: new AbortController().signal });
      const { result, processes } = await cost(() => Promise.all(Array.from({ length: 300 }, request)));
      expect([new Set(result.map(({ total }) => total)), processes]).toEqual([new Set([6]), 1]);
    });
  });

  describe("commit count", () => {
    test("takes no process from commit to commit, and one statement when repeated", async () => {
      await using setting = await open();
      const { deps, store, client, push, cost } = setting;
      await push(client.commit({ x: "0" }));
      await commitCount(deps, store, client.git("rev-parse", "HEAD"));
      for (const count of [3, 5, 7]) {
        client.commit({ x: `${count}` });
        const tip = client.commit({ x: `${count + 1}` });
        await push(tip);
        expect(await cost(() => commitCount(deps, store, tip))).toMatchObject({ result: count, processes: 0 });
        expect(await cost(() => commitCount(deps, store, tip))).toEqual({ result: count, processes: 0, statements: 1 });
      }
      client.git("checkout", "-q", "-f", "-b", "side", "main~2");
      client.commit({ y: "1" });
      client.git("checkout", "-q", "-f", "main");
      client.git("merge", "-q", "--no-ff", "-m", "merge", "side");
      const merge = client.git("rev-parse", "HEAD");
      await push(merge);
      expect(await cost(() => commitCount(deps, store, merge))).toMatchObject({ result: 9, processes: 1 });
      const next = client.commit({ z: "1" });
      await push(next);
      expect(await cost(() => commitCount(deps, store, next))).toMatchObject({ result: 10, processes: 0 });
    });
  });
});
