import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { countTurnsOf } from "../../../../../test/kit/turns.ts";
import type { Db } from "../../../../db/db.ts";
import type { RefUpdate } from "../moves.ts";
import { copyStore } from "./copy.ts";
import { checkMoves, type MoveMode, moveStoreRefs, setHead } from "./move.ts";
import { allRefs, findRefs, pageBranches, pageTags } from "./read.ts";
import { createStore, getStore } from "./stores.ts";

const oid = (digit: number): string => digit.toString(16).repeat(40);
const update = (name: string, oldOid: string | null, newOid: string | null, tipMs = 0): RefUpdate => ({
  name,
  oldOid,
  newOid,
  type: newOid === null ? null : "commit",
  peeledOid: "",
  tipMs,
});
const branch = (name: string): string => `refs/heads/${name}`;

const newStore = (db: Db): Promise<number> => db.tx((tx) => createStore(tx, { format: "sha1", defaultBranch: "main" }));
const move = (db: Db, storeId: number, updates: readonly RefUpdate[], mode: MoveMode = "all") => db.tx((tx) => moveStoreRefs(tx, storeId, updates, mode));
const names = async (db: Db, storeId: number): Promise<string[]> => (await allRefs(db, storeId)).map(({ name }) => name);
const versionOf = async (db: Db, storeId: number): Promise<number | undefined> => (await getStore(db, storeId))?.refsVersion;

eachDialect((dialect) => {
  describe("moving refs", () => {
    test("creates, moves and deletes refs, and increments the version once per transaction", async () => {
      await using database = await dialect.open({ clock: { now: () => 5_000 } });
      const { db } = database;
      const id = await newStore(db);
      const made = await move(db, id, [
        update(branch("main"), null, oid(1), 77),
        { ...update("refs/tags/v1", null, oid(2), 88), type: "tag", peeledOid: oid(1) },
      ]);
      expect(made).toEqual({
        moved: [
          { name: branch("main"), oldOid: null, newOid: oid(1) },
          { name: "refs/tags/v1", oldOid: null, newOid: oid(2) },
        ],
        refused: [],
      });
      await move(db, id, [update(branch("main"), oid(1), oid(3), 99), update("refs/tags/v1", oid(2), null)]);
      expect(await allRefs(db, id)).toEqual([{ name: branch("main"), oid: oid(3), type: "commit", peeledOid: "", tipMs: 99 }]);
      expect(await versionOf(db, id)).toBe(2);
    });

    test("a copy has all branches and tags of a store with many refs, in two statements more for each 2,000 of them", async () => {
      await using database = await dialect.open();
      const { db } = database;
      for (const [count, statements] of [
        [3, 0],
        [2_001, 2],
        [4_500, 4],
      ] as const) {
        const id = await newStore(db);
        const made = Array.from({ length: count }, (_none, at) => update(at % 3 === 0 ? `refs/tags/v${at}` : branch(`b${at}`), null, oid(at % 16)));
        await move(db, id, [...made, update("refs/pull/1/head", null, oid(1)), update("refs/notes/commits", null, oid(1))]);
        const before = db.counters.statements;
        const copied = await db.tx((tx) => copyStore(tx, id));
        // The rows of both stores, the refs, and their description.
        expect(db.counters.statements - before).toBe(4 + statements);
        const isCopied = (name: string): boolean => name.startsWith("refs/heads/") || name.startsWith("refs/tags/");
        expect(await names(db, copied.id)).toEqual((await names(db, id)).filter(isCopied));
      }
    });

    test("does not move a ref with an unexpected value", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      await move(db, id, [update(branch("main"), null, oid(1))]);
      for (const stale of [
        update(branch("main"), oid(2), oid(3)),
        update(branch("main"), null, oid(3)),
        update(branch("main"), oid(2), null),
        update(branch("none"), oid(1), oid(3)),
      ]) {
        await expect(move(db, id, [update(branch("other"), null, oid(4)), stale])).rejects.toMatchObject({ code: "conflict" });
        expect((await move(db, id, [stale], "each")).refused).toEqual([
          { update: stale, reason: "stale", presentOid: stale.name === branch("main") ? oid(1) : null },
        ]);
      }
      expect(await allRefs(db, id)).toMatchObject([{ name: branch("main"), oid: oid(1) }]);
      expect(await versionOf(db, id)).toBe(1);
    });

    test("in mode each, performs the valid updates and reports the others", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      await move(db, id, [update(branch("a"), null, oid(1)), update(branch("b"), null, oid(1))]);
      const { moved, refused } = await move(
        db,
        id,
        [
          update(branch("c"), null, oid(1)),
          update(branch("a"), oid(9), oid(2)),
          update(branch("b"), oid(1), oid(2)),
          update(branch("b"), oid(2), oid(3)),
          update(branch("x..y"), null, oid(1)),
          update(branch("-x"), null, oid(1)),
          update("refs/heads/x\ncreate refs/heads/y", null, oid(1)),
        ],
        "each",
      );
      expect(moved.map(({ name }) => name)).toEqual([branch("c")]);
      expect(refused.map(({ reason }) => reason)).toEqual(["stale", "repeated", "repeated", "bad_name", "bad_name", "bad_name"]);
      expect(await names(db, id)).toEqual([branch("a"), branch("b"), branch("c")]);
    });

    test("rejects both a deletion and a creation of one ref in the same request", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      await move(db, id, [update(branch("a"), null, oid(1))]);
      for (const second of [update(branch("a"), null, oid(2)), update(branch("a"), oid(1), oid(2))]) {
        const { moved, refused } = await move(db, id, [update(branch("a"), oid(1), null), second], "each");
        expect({ moved, reasons: refused.map(({ reason }) => reason) }).toEqual({ moved: [], reasons: ["repeated", "repeated"] });
      }
      expect(await names(db, id)).toEqual([branch("a")]);
    });

    test("rejects a ref at the path of another ref's directory", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      await move(db, id, [update(branch("a/b"), null, oid(1)), update(branch("ab"), null, oid(1)), update(branch("a-"), null, oid(1))]);
      const { refused } = await move(
        db,
        id,
        [
          update(branch("a"), null, oid(1)),
          update(branch("a/b/c"), null, oid(1)),
          update(branch("a/c"), null, oid(1)),
          update(branch("n/m"), null, oid(1)),
          update(branch("n"), null, oid(1)),
          update(branch("n/m/o"), null, oid(1)),
        ],
        "each",
      );
      expect(refused.map(({ update: { name }, reason, other }) => [name, reason, other])).toEqual([
        [branch("a"), "taken", branch("a/b")],
        [branch("a/b/c"), "taken", branch("a/b")],
        [branch("n"), "taken", branch("n/m")],
        [branch("n/m/o"), "taken", branch("n/m")],
      ]);
      // Refs deleted in the same request do not conflict, in any order.
      await move(db, id, [update(branch("a"), null, oid(2)), update(branch("a/b"), oid(1), null), update(branch("a/c"), oid(1), null)]);
      await move(db, id, [update(branch("a/b/c"), null, oid(2)), update(branch("a"), oid(2), null)]);
      expect(await names(db, id)).toEqual([branch("a-"), branch("a/b/c"), branch("ab"), branch("n/m")]);
    });

    test("a rejected deletion does not make room for a conflicting ref", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      await move(db, id, [update(branch("a/b"), null, oid(1))]);
      const { moved, refused } = await move(db, id, [update(branch("a/b"), oid(7), null), update(branch("a"), null, oid(2))], "each");
      expect(moved).toEqual([]);
      expect(refused.map(({ reason }) => reason)).toEqual(["stale", "taken"]);
    });

    test("an update without effect does not increment the version", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      await move(db, id, [update(branch("main"), null, oid(1))]);
      expect(await move(db, id, [update(branch("main"), oid(1), oid(1)), update(branch("gone"), null, null)])).toEqual({ moved: [], refused: [] });
      expect(await versionOf(db, id)).toBe(1);
    });

    test("of concurrent requests to create the same ref, exactly one succeeds", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      const results = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => move(db, id, [update(branch("main"), null, oid(1 + (index % 9)))])));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "conflict" });
    });

    test("concurrent compare-and-set updates are never lost", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      const step = (count: number): string => count.toString(16).padStart(40, "0");
      await move(db, id, [update(branch("main"), null, step(1))]);
      let moves = 0;
      const client = async (): Promise<void> => {
        for (let done = 0; done < 5; ) {
          const present = (await findRefs(db, id, [branch("main")])).get(branch("main"))?.oid ?? "";
          const { moved } = await move(db, id, [update(branch("main"), present, step(Number.parseInt(present, 16) + 1))], "each");
          done += moved.length;
          moves += moved.length;
        }
      };
      await Promise.all([client(), client(), client()]);
      expect(moves).toBe(15);
      expect(await allRefs(db, id)).toMatchObject([{ oid: step(16) }]);
    });

    test("lists of many refs yield to the event loop, and show the refs of one moment although they move meanwhile", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      const many = Array.from({ length: 11_000 }, (_, index) => update(branch(`many/${String(index).padStart(5, "0")}`), null, oid(1)));
      await move(db, id, many);
      const [start, end] = [branch("a"), branch("z")];
      await move(db, id, [update(start, null, oid(1)), update(end, null, oid(1))]);
      const listing = allRefs(db, id);
      const moving = move(db, id, [update(start, oid(1), oid(2)), update(end, oid(1), oid(2))]);
      expect(await countTurnsOf(() => listing)).toBeGreaterThanOrEqual(2);
      await moving;
      const refs = await listing;
      expect(refs).toHaveLength(11_002);
      expect(refs.map(({ name }) => name)).toEqual(refs.map(({ name }) => name).toSorted());
      expect(refs.at(0)?.oid).toBe(refs.at(-1)?.oid);
    });

    test("moves of many refs yield to the event loop, and other readers see all or none of them", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      const many = Array.from({ length: 9_000 }, (_, index) => update(branch(`many/${index}`), null, oid(1)));
      let isDone = false;
      const moving = move(db, id, many).finally(() => {
        isDone = true;
      });
      const counts = new Set<number>();
      const look = async (): Promise<void> => {
        while (!isDone) {
          counts.add((await pageBranches(db, id, { page: 1, limit: 1, offset: 0 })).total);
          await new Promise(setImmediate);
        }
      };
      expect(await countTurnsOf(() => Promise.all([moving, look()]))).toBeGreaterThanOrEqual(20);
      counts.delete(0);
      counts.delete(many.length);
      expect([...counts]).toEqual([]);
    });

    test("two thousand refs take no more statements than one", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      const count = async (action: () => Promise<unknown>): Promise<number> => {
        const before = db.counters.statements;
        await action();
        return db.counters.statements - before;
      };
      const one = await count(() => move(db, id, [update("refs/tags/one", null, oid(1))]));
      const tags = Array.from({ length: 1_990 }, (_, index) => update(`refs/tags/many/v${index}`, null, oid(1), index));
      expect(await count(() => move(db, id, tags))).toBeLessThanOrEqual(one);
      expect(one).toBeLessThanOrEqual(5);
      expect(
        await count(() =>
          move(
            db,
            id,
            tags.map(({ name }) => update(name, oid(1), null)),
          ),
        ),
      ).toBeLessThanOrEqual(4);
      expect(await names(db, id)).toEqual(["refs/tags/one"]);
    });

    test("checking updates changes nothing", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      const { changes, refusals } = await checkMoves(db, id, [update(branch("a"), null, oid(1)), update(branch("a/b"), null, oid(1))]);
      expect(changes.map(({ name }) => name)).toEqual([branch("a")]);
      expect(refusals.map(({ other }) => other)).toEqual([branch("a")]);
      expect(await names(db, id)).toEqual([]);
    });

    test("HEAD can be moved on its own", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await newStore(db);
      await db.tx((tx) => setHead(tx, id, branch("trunk")));
      expect(await getStore(db, id)).toEqual({ id, format: "sha1", headRef: branch("trunk"), refsVersion: 1, packsVersion: 0, projectedVersion: 0 });
    });
  });

  describe("reading refs", () => {
    test("lists only the refs of the store, prefix and page", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const [id, otherId] = [await newStore(db), await newStore(db)];
      await move(db, otherId, [update(branch("main"), null, oid(9))]);
      await move(db, id, [
        update(branch("p2"), null, oid(1), 20),
        update(branch("p2x"), null, oid(1), 30),
        update(branch("p3"), null, oid(1), 20),
        update(branch("ünï"), null, oid(1), 10),
        update(branch("ünz"), null, oid(1), 10),
        update(branch("z"), null, oid(1), 40),
        update("refs/headsx/y", null, oid(1), 99),
        update("refs/tags/v1", null, oid(1), 5),
      ]);
      const listed = async (prefix: string) => (await allRefs(db, id, prefix)).map(({ name }) => name);
      expect(await listed("refs/heads/p2")).toEqual([branch("p2"), branch("p2x")]);
      expect(await listed("refs/heads/ünï")).toEqual([branch("ünï")]);
      expect(await listed("refs/heads/ü")).toEqual([branch("ünz"), branch("ünï")]);
      expect(await listed("refs/heads/nothing")).toEqual([]);
      expect(await listed("refs/")).toHaveLength(8);
      const page = (number: number, limit: number) => pageBranches(db, id, { page: number, limit, offset: (number - 1) * limit });
      expect((await page(1, 4)).items.map(({ name }) => name)).toEqual([branch("z"), branch("p2x"), branch("p2"), branch("p3")]);
      expect((await page(2, 4)).items.map(({ name }) => name)).toEqual([branch("ünz"), branch("ünï")]);
      expect(await page(3, 4)).toEqual({ items: [], total: 6 });
      expect((await pageTags(db, id, { page: 1, limit: 10, offset: 0 })).items.map(({ name }) => name)).toEqual(["refs/tags/v1"]);
    });
  });
});
