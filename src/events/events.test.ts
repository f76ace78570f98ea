import { CompiledQuery } from "kysely";
import { describe, expect, test } from "vitest";
import { eachDialect } from "../../test/kit/databases.ts";
import { createLogRecorder, silentLog } from "../../test/kit/logs.ts";
import { operator } from "../access/actor.ts";
import { systemClock } from "../core/clock.ts";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Db } from "../db/db.ts";
import { createQueryBuilder } from "../db/query-builder.ts";
import { createDispatcher, type Dispatcher } from "./dispatcher.ts";
import { recordEvent } from "./events.ts";
import { inTransaction } from "./in-transaction.ts";
import { pruneEvents } from "./retention.ts";

const repo = (repoId: number) => ({ repoId, name: `r${repoId}`, ownerId: 1, ownerName: "ada" });
const status = (repoId: number) => ({ repoId, statusId: 1, number: 1, oid: "a".repeat(40), context: "ci", state: "success", description: "", targetUrl: "" });
const record = (db: Db, repoId: number): Promise<void> => db.tx((tx) => recordEvent(tx, "status.created", status(repoId), { repoId, actorId: 1 }));
const dispatcherOf = (db: Db, log: Log = silentLog): Dispatcher => createDispatcher({ db, clock: systemClock, log }, { firstRetryMs: 1 });
const undispatched = async (db: Db): Promise<number> => (await db.sql.selectFrom("events").select("id").where("is_dispatched", "=", 0).execute()).length;

/** Starts a dispatcher with one listener of `status.created`. */
async function listening(db: Db, handler: (repoId: number) => Promise<void> | void, log?: Log): Promise<Dispatcher> {
  const dispatcher = dispatcherOf(db, log);
  dispatcher.on("test", ["status.created"], async (event) => handler(event.payload.repoId));
  await dispatcher.start();
  return dispatcher;
}

eachDialect((dialect) => {
  describe("events", () => {
    test("a committed event is delivered with its payload, only to listeners of its type", async () => {
      await using database = await dialect.open({ clock: { now: () => 1_234 } });
      const { db } = database;
      const dispatcher = dispatcherOf(db);
      const got: unknown[] = [];
      dispatcher.on("a", ["status.created", "refs.changed"], async (event) => void got.push(event));
      dispatcher.on("b", ["email.added"], async () => void got.push("wrong"));
      await dispatcher.start();
      await record(db, 7);
      await dispatcher.settled();
      expect(got).toEqual([
        {
          id: expect.any(Number),
          type: "status.created",
          payload: status(7),
          repoId: 7,
          actorId: 1,
          createdMs: 1_234,
          hasHooks: false,
          hasWorkflows: false,
          requiresWorkflows: false,
        },
      ]);
      expect(await undispatched(db)).toBe(0);
      await dispatcher.stop();
    });

    test("an event type without listeners after the commit is stored as delivered", async () => {
      await using database = await dialect.open();
      await database.db.tx(async (tx) => {
        await recordEvent(tx, "repo.starred", repo(1));
        await recordEvent(tx, "status.created", status(1));
      });
      expect(await undispatched(database.db)).toBe(1);
    });

    test("an event of a rolled-back transaction is never delivered", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const got: number[] = [];
      const dispatcher = await listening(db, (id) => void got.push(id));
      await expect(
        db.tx(async (tx) => {
          await recordEvent(tx, "status.created", status(1));
          throw new Error("changed its mind");
        }),
      ).rejects.toThrow("changed its mind");
      await record(db, 2);
      await dispatcher.settled();
      expect(got).toEqual([2]);
      await dispatcher.stop();
    });

    test("a handler in the transaction receives all events of its types in one call, and its writes share the transaction's outcome", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const got: number[][] = [];
      inTransaction(db, ["status.created"], async (tx, events) => {
        got.push(events.map((event) => event.payload.repoId));
        await recordEvent(tx, "repo.unstarred", repo(events.length));
      });
      await db.tx(async (tx) => {
        await recordEvent(tx, "status.created", status(1));
        await recordEvent(tx, "repo.starred", repo(1));
        await recordEvent(tx, "status.created", status(2));
      });
      expect(got).toEqual([[1, 2]]);
      const types = (await db.sql.selectFrom("events").select("type").orderBy("id").execute()).map((row) => row.type);
      expect(types).toEqual(["status.created", "repo.starred", "status.created", "repo.unstarred"]);
    });

    test("a change of access carries its author inside the transaction, and the author's id afterwards", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const authors: unknown[] = [];
      inTransaction(db, ["repo.deleted"], async (_tx, events) => void authors.push(...events.map(({ by, actorId }) => [by, actorId])));
      const ada = { ...operator, id: 3, name: "ada", address: "192.0.2.1" };
      for (const by of [ada, operator, null]) await db.tx((tx) => recordEvent(tx, "repo.deleted", repo(1), { repoId: 1, by }));
      expect(authors).toEqual([
        [ada, 3],
        [operator, null],
        [null, null],
      ]);
      const rows = await db.sql.selectFrom("events").select(["payload", "repo_id", "actor_id"]).orderBy("id").execute();
      expect(rows).toEqual([3, null, null].map((actor_id) => ({ payload: JSON.stringify(repo(1)), repo_id: 1, actor_id })));
    });

    test("events left by an earlier process are delivered first, in the order of ids", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const ids = Array.from({ length: 450 }, (_, index) => index + 1);
      await db.tx(async (tx) => {
        for (const id of ids) await recordEvent(tx, "status.created", status(id));
      });
      const got: number[] = [];
      const dispatcher = dispatcherOf(db);
      dispatcher.on("test", ["status.created"], async (event) => void got.push(event.payload.repoId));
      await Promise.all([dispatcher.start(), record(db, 451)]);
      await dispatcher.settled();
      expect(got).toEqual([...ids, 451]);
      await dispatcher.stop();
    });

    test("events committed during a search for older events are delivered immediately", async () => {
      await using database = await dialect.open();
      const { db } = database;
      let looks = 0;
      // The second query is the search for old events: another event is committed after it has read.
      const meanwhile = createQueryBuilder(db.dialect, async (text, values) => {
        const found = await db.sql.executeQuery(CompiledQuery.raw(text, [...values]));
        looks += 1;
        if (looks === 2) await record(db, 7);
        return found;
      });
      const got: number[] = [];
      const dispatcher = createDispatcher({ db: { ...db, sql: meanwhile }, clock: { now: () => 0 }, log: silentLog }, { sweepMs: 1 });
      dispatcher.on("test", ["status.created"], async (event) => void got.push(event.payload.repoId));
      await dispatcher.start();
      await expect.poll(() => got, { timeout: 30_000 }).toEqual([7]);
      await dispatcher.stop();
    });

    test("events without a listener are marked too, many in one statement", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const dispatcher = dispatcherOf(db);
      await dispatcher.start();
      for (let id = 1; id <= 20; id += 1) await record(db, id);
      const before = db.counters.statements;
      await dispatcher.settled();
      expect(db.counters.statements - before).toBe(1);
      expect(await undispatched(db)).toBe(0);
      await dispatcher.stop();
    });

    test("a failing listener is retried in order and does not block another one", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const dispatcher = dispatcherOf(db);
      const flaky: number[] = [];
      const steady: number[] = [];
      let failures = 2;
      const { promise: steadyHasAll, resolve } = Promise.withResolvers<void>();
      dispatcher.on("flaky", ["status.created"], async ({ payload }) => {
        // Fails until the other listener has all events, so the test fails if one waits for the other.
        await steadyHasAll;
        if (failures-- > 0) throw new Error("not yet");
        flaky.push(payload.repoId);
      });
      dispatcher.on("steady", ["status.created"], async ({ payload }) => {
        steady.push(payload.repoId);
        if (steady.length === 3) resolve();
      });
      await dispatcher.start();
      for (const id of [1, 2, 3]) await record(db, id);
      await dispatcher.settled();
      expect({ flaky, steady }).toEqual({ flaky: [1, 2, 3], steady: [1, 2, 3] });
      await dispatcher.stop();
    });

    test("a database outage does not use up the attempts", async () => {
      await using database = await dialect.open();
      const { db } = database;
      let calls = 0;
      const log = createLogRecorder();
      const dispatcher = await listening(
        db,
        () => {
          calls += 1;
          if (calls <= 2) throw unavailable("away");
        },
        log,
      );
      await record(db, 1);
      await dispatcher.settled();
      expect(calls).toBe(3);
      expect(log.entries.map(({ meta }) => (meta as { attempt?: number }).attempt)).toEqual([1, 1]);
      await dispatcher.stop();
    });

    test("an event that fails all attempts is logged and skipped, and the next one gets fewer attempts", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const calls: number[] = [];
      const log = createLogRecorder();
      const dispatcher = await listening(
        db,
        (id) => {
          calls.push(id);
          if (id === 1) throw unavailable("an object is damaged", { meta: { reason: "damaged_object" } });
          if (id === 2) throw new Error("broken");
        },
        log,
      );
      for (const id of [1, 2, 3]) await record(db, id);
      await dispatcher.settled();
      expect(calls).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 3]);
      expect(log.entries.filter(({ level }) => level === "error")).toHaveLength(2);
      expect(await undispatched(db)).toBe(0);
      await dispatcher.stop();
    });

    test("stopping waits for the running handler and leaves the rest to the next start", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const started = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      const first: number[] = [];
      const dispatcher = await listening(db, async (id) => {
        started.resolve();
        await finish.promise;
        first.push(id);
      });
      for (const id of [1, 2, 3]) await record(db, id);
      await started.promise;
      const stopped = dispatcher.stop();
      finish.resolve();
      await stopped;
      expect(first).toEqual([1]);
      expect(await undispatched(db)).toBe(2);

      const second: number[] = [];
      const next = await listening(db, (id) => void second.push(id));
      await next.settled();
      expect(second).toEqual([2, 3]);
      await next.stop();
    });

    test("a slow listener receives all events from the table, without gaps", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const gate = Promise.withResolvers<void>();
      const got: number[] = [];
      const dispatcher = await listening(db, async (id) => {
        await gate.promise;
        got.push(id);
      });
      const ids = Array.from({ length: 1_300 }, (_, index) => index + 1);
      for (let from = 0; from < ids.length; from += 100)
        await db.tx(async (tx) => {
          for (const id of ids.slice(from, from + 100)) await recordEvent(tx, "status.created", status(id));
        });
      gate.resolve();
      await dispatcher.settled();
      expect(got).toEqual(ids);
      expect(await undispatched(db)).toBe(0);
      await dispatcher.stop();
    });

    test("only old delivered events are pruned", async () => {
      let now = 1_000;
      await using database = await dialect.open({ clock: { now: () => now } });
      const { db } = database;
      const dispatcher = await listening(db, () => undefined);
      await record(db, 1);
      now = 2_000;
      await record(db, 2);
      await dispatcher.settled();
      await dispatcher.stop();
      now = 1_500;
      await record(db, 3);
      expect(await pruneEvents({ db }, 2_000)).toBe(1);
      expect(await db.sql.selectFrom("events").select("repo_id").orderBy("id").execute()).toEqual([{ repo_id: 2 }, { repo_id: 3 }]);
    });
  });
});
