import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createTestClock } from "../../test/kit/clock.ts";
import { eachDialect, onPostgres } from "../../test/kit/databases.ts";
import { add, greet, minute, queueOf, rowsOf } from "../../test/kit/jobs.ts";
import { silentLog } from "../../test/kit/logs.ts";
import type { Clock } from "../core/clock.ts";
import type { Db, Tx } from "../db/db.ts";
import { type JobQueue, LeaseLostError } from "./queue.ts";
import { openWorkers, type Workers } from "./workers.ts";

interface Working {
  readonly queue: JobQueue;
  readonly workers: Workers;
  /** The attempts that started here. */
  readonly attempts: number[];
  /** Resolves with the attempt of the first run. */
  readonly hasBegun: Promise<number>;
  /** Resolves with the reason when a run is aborted. */
  readonly wasAborted: Promise<unknown>;
  finish(): Promise<void>;
}

/** A process with a handler that runs until the test finishes it. It looks for ended processes only on request. */
async function startWorking(db: Db, clock: Clock, intervalMs = minute, concurrency = 4): Promise<Working> {
  const workers = await openWorkers({ db, log: silentLog }, intervalMs);
  const queue = queueOf(db, clock, { leaseMs: minute, workers, concurrency });
  const attempts: number[] = [];
  const [begun, aborted, finished] = [Promise.withResolvers<number>(), Promise.withResolvers<unknown>(), Promise.withResolvers<void>()];
  queue.handle(greet, async ({ attempt, signal }) => {
    attempts.push(attempt);
    signal.addEventListener("abort", () => aborted.resolve(signal.reason));
    begun.resolve(attempt);
    await Promise.race([finished.promise, aborted.promise]);
    signal.throwIfAborted();
  });
  await queue.start();
  return {
    queue,
    workers,
    attempts,
    hasBegun: begun.promise,
    wasAborted: aborted.promise,
    async finish() {
      finished.resolve();
      await queue.stop();
      await workers.stop();
    },
  };
}

eachDialect((dialect) => {
  describe("leases", () => {
    // Two queues share only the rows, as two processes do.
    test("a silent worker's job is taken over, and the silent worker's later writes are rejected", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const frozen = queueOf(db, clock, { leaseMs: minute });
      const awake = queueOf(db, clock, { leaseMs: minute });
      const begun = Promise.withResolvers<void>();
      const thaw = Promise.withResolvers<void>();
      const outcome = Promise.withResolvers<unknown>();
      const write = (tx: Tx, by: string) =>
        tx.sql
          .insertInto("server_values")
          .values({ name: `written by ${by}`, value: "" })
          .execute();
      frozen.handle(greet, async ({ tx }) => {
        begun.resolve();
        await thaw.promise;
        await tx((handle) => write(handle, "frozen")).then(outcome.resolve, outcome.resolve);
      });
      awake.handle(greet, async ({ tx, attempt }) => void (await tx((handle) => write(handle, `awake, attempt ${attempt}`))));
      await add(db, "ada");
      const frozenRuns = frozen.runDue();
      await begun.promise;

      await awake.runDue();
      expect(await db.sql.selectFrom("server_values").selectAll().execute()).toEqual([]);
      clock.advance(minute + 1);
      await awake.runDue();
      thaw.resolve();
      expect(await outcome.promise).toBeInstanceOf(LeaseLostError);
      await frozenRuns;
      expect((await db.sql.selectFrom("server_values").select("name").execute()).map(({ name }) => name)).toEqual(["written by awake, attempt 2"]);
      expect(await rowsOf(db)).toEqual([]);
      await Promise.all([frozen.stop(), awake.stop()]);
    });

    test("a process takes over the jobs of an ended one at its start, without waiting for their leases", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const killed = await startWorking(db, clock);
      await add(db, "ada", { dedupeKey: "ada" });
      await killed.hasBegun;
      await killed.workers.stop();

      const next = await startWorking(dialect.name === "postgres" ? await database.open({ clock }) : db, clock);
      await next.workers.start();
      expect(await next.hasBegun).toBe(2);
      expect(killed.attempts).toEqual([1]);
      await next.finish();
      await killed.finish();
    });

    test("a worker whose clock jumps does not take over its own job", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const queue = queueOf(db, clock, { leaseMs: minute });
      const begun = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      let runs = 0;
      queue.handle(greet, async () => {
        runs += 1;
        begun.resolve();
        await finish.promise;
      });
      await queue.start();
      await add(db, "ada");
      await begun.promise;
      clock.advance(365 * 24 * 60 * minute);
      await add(db, "wakes the queue", { runAtMs: clock.now() + minute });
      finish.resolve();
      await queue.runDue();
      expect(runs).toBe(1);
      await queue.stop();
    });

    test("a living worker renews its lease, and is notified if it is lost nevertheless", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const clock: Clock = { now: () => Date.now() };
      const queue = queueOf(db, clock, { leaseMs: 60 });
      const lost = Promise.withResolvers<unknown>();
      const begun = Promise.withResolvers<number>();
      queue.handle(greet, async ({ signal }) => {
        begun.resolve((await rowsOf(db))[0]?.lease_until_ms ?? 0);
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(lost.resolve(signal.reason))));
      });
      await queue.start();
      await add(db, "ada");
      const firstLease = await begun.promise;
      while (((await rowsOf(db))[0]?.lease_until_ms ?? 0) <= firstLease) await new Promise((resolve) => setTimeout(resolve, 5));
      await db.tx((tx) =>
        tx.sql
          .updateTable("jobs")
          .set((eb) => ({ fence: eb("fence", "+", 1) }))
          .execute(),
      );
      expect(await lost.promise).toBeInstanceOf(LeaseLostError);
      await queue.stop();
    });

    test("a job whose worker crashes each time is marked as failed", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      await add(db, "ada");
      for (let crash = 1; crash <= greet.maxAttempts; crash += 1)
        await db.tx((tx) => tx.sql.updateTable("jobs").set({ state: "running", attempts: crash, lease_until_ms: clock.now() }).execute());
      const queue = queueOf(db, clock);
      let runs = 0;
      queue.handle(greet, async () => {
        runs += 1;
      });
      await queue.runDue();
      expect(runs).toBe(0);
      expect(await rowsOf(db)).toMatchObject([{ state: "failed", last_error: "the worker crashed each time" }]);
      await queue.stop();
    });

    test("many workers share the jobs, and each job runs once", async () => {
      await using database = await dialect.open();
      const { db } = database;
      // SQLite is served by one process; with PostgreSQL each worker has its own connections, as if it were another process.
      const others = dialect.name === "postgres" ? [await database.open(), await database.open()] : [db, db];
      const clock = createTestClock();
      const got: string[] = [];
      const queues = [db, ...others].map((handle) => queueOf(handle, clock, { concurrency: 2 }));
      for (const queue of queues) queue.handle(greet, async ({ payload }) => void got.push(payload.name));
      const names = Array.from({ length: 40 }, (_, index) => String(index));
      for (const name of names) await add(db, name);
      await Promise.all(queues.map((queue) => queue.runDue()));
      expect(got.sort()).toEqual(names.sort());
      for (const queue of queues) await queue.stop();
    });
  });
});

onPostgres((dialect) => {
  describe("several processes", () => {
    const endPresenceOf = async (db: Db): Promise<void> => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'hearth presence'`.execute(
        db.sql,
      );
    };

    test("a process takes over the jobs of another one only after that one has ended", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const first = await startWorking(database.db, clock);
      await add(database.db, "ada");
      await first.hasBegun;
      const second = await startWorking(await database.open({ clock }), clock, 10);
      await second.workers.start();
      await second.queue.runDue();
      expect(second.attempts).toEqual([]);
      await first.workers.stop();
      expect(await second.hasBegun).toBe(2);
      await Promise.all([first.finish(), second.finish()]);
    });

    test("a process finds the jobs that an ended one has added but not started", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const remaining = await startWorking(database.db, clock, 10);
      await remaining.workers.start();
      const other = await database.open({ clock });
      const ended = await openWorkers({ db: other, log: silentLog }, minute);
      await remaining.queue.runDue();
      // Long enough for the other one to be seen; a look takes two statements.
      const looks = database.db.counters.statements;
      await expect.poll(() => database.db.counters.statements - looks).toBeGreaterThan(6);
      await add(other, "ada");
      expect(remaining.attempts).toEqual([]);
      await ended.stop();
      expect(await remaining.hasBegun).toBe(1);
      await remaining.finish();
    });

    // Without an offer, the other process looks for jobs after 30 seconds.
    test("a process offers the jobs that it cannot start, because it is busy or stops, to the others", { timeout: 20_000 }, async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const busy = await startWorking(db, clock, minute, 1);
      await add(db, "ada");
      await busy.hasBegun;
      const other = await startWorking(await database.open({ clock }), clock);
      await other.queue.runDue();
      await add(db, "bob");
      expect(await other.hasBegun).toBe(1);
      await expect.poll(async () => (await rowsOf(db)).map(({ state }) => state)).toEqual(["running", "running"]);

      // The run of "ada" is interrupted, and starts at the other process as its first attempt.
      await busy.queue.stop();
      await expect.poll(() => other.attempts, { timeout: 15_000 }).toEqual([1, 1]);
      await Promise.all([busy.finish(), other.finish()]);
    });

    test("a process that is not visible to the others aborts its runs, starts none, and resumes when it is visible again", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const working = await startWorking(db, clock);
      await add(db, "ada");
      await working.hasBegun;
      const before = working.workers.present();
      await endPresenceOf(db);
      expect(await working.wasAborted).toBeInstanceOf(LeaseLostError);
      await add(db, "bob");
      await working.queue.runDue();
      expect(working.workers.present()).toBeUndefined();
      expect(working.attempts).toEqual([1]);

      await working.workers.start();
      expect(working.workers.present()).not.toBe(before);
      await expect.poll(() => working.attempts.toSorted()).toEqual([1, 1, 2]);
      await working.finish();
    });
  });
});
