import { describe, expect, test } from "vitest";
import { eachDialect } from "../../test/kit/databases.ts";
import { silentLog } from "../../test/kit/logs.ts";
import type { Clock } from "../core/clock.ts";
import type { Db } from "../db/db.ts";
import { defineJob, type EnqueueOptions, enqueue } from "./job.ts";
import { createJobQueue, type JobQueue, type JobQueueOptions, LeaseLostError } from "./queue.ts";
import { pruneFailedJobs } from "./retention.ts";
import { countJobs } from "./store.ts";

const greet = defineJob<{ name: string }>("test.greet", { maxAttempts: 3, firstRetryMs: 1_000, maxRetryMs: 10_000 });
const minute = 60_000;

/** A clock that moves when the test says so. */
function createTestClock(now = 1_000_000): Clock & { advance(ms: number): void } {
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

const queueOf = (db: Db, clock: Clock, options?: JobQueueOptions): JobQueue => createJobQueue({ db, clock, log: silentLog }, options);
const add = (db: Db, name: string, options?: EnqueueOptions): Promise<void> => db.tx((tx) => enqueue(tx, greet, { name }, options));
const rowsOf = (db: Db) => db.sql.selectFrom("jobs").selectAll().orderBy("id").execute();

eachDialect((dialect) => {
  describe("jobs", () => {
    test("a started queue runs a job when its transaction has committed, and forgets it", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const queue = queueOf(db, createTestClock());
      const done = Promise.withResolvers<unknown>();
      queue.handle(greet, async ({ payload, attempt }) => done.resolve({ payload, attempt }));
      await queue.start();
      await expect(
        db.tx(async (tx) => {
          await enqueue(tx, greet, { name: "never" });
          throw new Error("rolled back");
        }),
      ).rejects.toThrow("rolled back");
      await add(db, "ada");
      expect(await done.promise).toEqual({ payload: { name: "ada" }, attempt: 1 });
      await queue.stop();
      expect(await rowsOf(db)).toEqual([]);
    });

    test("a job of the future waits for its time; one without a time is due whatever the clock says", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const queue = queueOf(db, clock);
      const got: string[] = [];
      queue.handle(greet, async ({ payload }) => void got.push(payload.name));
      await add(db, "later", { runAtMs: clock.now() + minute });
      await add(db, "now");
      clock.advance(-10 * minute);
      await queue.runDue();
      expect(got).toEqual(["now"]);
      clock.advance(11 * minute);
      await queue.runDue();
      expect(got).toEqual(["now", "later"]);
      await queue.stop();
    });

    test("the timer of a started queue finds the next job without polling", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const queue = queueOf(db, { now: () => Date.now() });
      const done = Promise.withResolvers<number>();
      queue.handle(greet, async () => done.resolve(Date.now()));
      await queue.start();
      const due = Date.now() + 150;
      await add(db, "soon", { runAtMs: due });
      expect(await done.promise).toBeGreaterThanOrEqual(due);
      await queue.stop();
    });

    test("a failing job is tried later and later, then put aside, and the others go on", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const queue = queueOf(db, clock);
      const attempts: number[] = [];
      const others: string[] = [];
      queue.handle(greet, async ({ payload, attempt }) => {
        if (payload.name !== "poison") return void others.push(payload.name);
        attempts.push(attempt);
        throw new Error("it hurts\0");
      });
      await add(db, "poison");
      await add(db, "fine");
      await queue.runDue();
      expect({ attempts, others }).toEqual({ attempts: [1], others: ["fine"] });
      const [first] = await rowsOf(db);
      expect(first).toMatchObject({ state: "waiting", last_error: "it hurts", attempts: 1 });
      expect((first?.run_at_ms ?? 0) - clock.now()).toBeGreaterThanOrEqual(500);
      expect((first?.run_at_ms ?? 0) - clock.now()).toBeLessThanOrEqual(1_000);

      clock.advance(1_000);
      await queue.runDue();
      const [second] = await rowsOf(db);
      expect((second?.run_at_ms ?? 0) - clock.now()).toBeGreaterThanOrEqual(1_000);
      expect((second?.run_at_ms ?? 0) - clock.now()).toBeLessThanOrEqual(2_000);

      clock.advance(2_000);
      await queue.runDue();
      clock.advance(1_000 * minute);
      await queue.runDue();
      expect(attempts).toEqual([1, 2, 3]);
      expect(await countJobs(db)).toEqual({ waiting: 0, running: 0, failed: 1 });
      expect(await pruneFailedJobs({ db }, clock.now())).toBe(1);
      await queue.stop();
    });

    test("at most one job of a key waits: the newest payload at the earliest time", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      await add(db, "first", { dedupeKey: "k", runAtMs: clock.now() + 2 * minute });
      await add(db, "second", { dedupeKey: "k", runAtMs: clock.now() + minute });
      await add(db, "third", { dedupeKey: "k", runAtMs: clock.now() + 3 * minute });
      await add(db, "other", { dedupeKey: "l" });
      await add(db, "keyless");
      await add(db, "keyless");
      const rows = await rowsOf(db);
      expect(rows.map(({ payload, dedupe_key }) => [JSON.parse(payload).name, dedupe_key])).toEqual([
        ["third", "k"],
        ["other", "l"],
        ["keyless", null],
        ["keyless", null],
      ]);
      expect(rows[0]?.run_at_ms).toBe(clock.now() + minute);
    });

    test("jobs of one key never run at once, and one that is enqueued during a run is not lost", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const queue = queueOf(db, clock);
      let active = 0;
      let most = 0;
      const got: string[] = [];
      queue.handle(greet, async ({ payload }) => {
        active += 1;
        most = Math.max(most, active);
        if (payload.name === "first") await add(db, "second", { dedupeKey: "k" });
        got.push(payload.name);
        active -= 1;
      });
      await queue.start();
      await add(db, "first", { dedupeKey: "k" });
      while (got.length < 2) await queue.runDue();
      expect({ got, most }).toEqual({ got: ["first", "second"], most: 1 });
      await queue.stop();
    });

    test("a failed run gives way to a job of the same key that was enqueued meanwhile", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const queue = queueOf(db, clock);
      const got: string[] = [];
      queue.handle(greet, async ({ payload }) => {
        got.push(payload.name);
        if (payload.name !== "first") return;
        await add(db, "second", { dedupeKey: "k" });
        throw new Error("fails");
      });
      await add(db, "first", { dedupeKey: "k" });
      await queue.runDue();
      clock.advance(minute);
      await queue.runDue();
      expect(got).toEqual(["first", "second"]);
      expect(await rowsOf(db)).toEqual([]);
      await queue.stop();
    });

    test("no more jobs run at once than the limit", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const queue = queueOf(db, createTestClock(), { concurrency: 2 });
      let active = 0;
      let most = 0;
      let total = 0;
      queue.handle(greet, async ({ tx }) => {
        active += 1;
        most = Math.max(most, active);
        await tx((handle) => handle.sql.selectFrom("jobs").select("id").execute());
        active -= 1;
        total += 1;
      });
      for (let index = 0; index < 10; index += 1) await add(db, "x");
      await queue.runDue();
      expect({ most, total }).toEqual({ most: 2, total: 10 });
      await queue.stop();
    });

    test("stopping interrupts a job, and the next start runs it as if it had not begun", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const clock = createTestClock();
      const begun = Promise.withResolvers<void>();
      const first = queueOf(db, clock);
      first.handle(greet, async ({ signal }) => {
        begun.resolve();
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      });
      await first.start();
      await add(db, "ada");
      await begun.promise;
      await first.stop();

      const attempts: number[] = [];
      const second = queueOf(db, clock);
      second.handle(greet, async ({ attempt }) => void attempts.push(attempt));
      await second.runDue();
      expect(attempts).toEqual([1]);
      await second.stop();
    });

    test("jobs that nobody here handles are left to others", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const queue = queueOf(db, createTestClock());
      queue.handle(defineJob("test.other"), async () => undefined);
      await add(db, "ada");
      await queue.runDue();
      expect(await countJobs(db)).toEqual({ waiting: 1, running: 0, failed: 0 });
      await queue.stop();
    });
  });

  describe("leases", () => {
    // Two queues share nothing but the rows, as two processes do.
    test("a silent worker's job is taken over, and what the silent one then writes is refused", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const frozen = queueOf(db, clock, { leaseMs: minute });
      const awake = queueOf(db, clock, { leaseMs: minute });
      const begun = Promise.withResolvers<void>();
      const thaw = Promise.withResolvers<void>();
      const outcome = Promise.withResolvers<unknown>();
      const write = (tx: Parameters<Parameters<Db["tx"]>[0]>[0], by: string) =>
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

    test("a worker whose clock jumps does not take its own job from itself", async () => {
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

    test("a living worker keeps its lease and hears when it is lost all the same", async () => {
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

    test("a job whose worker ends each time is put aside", async () => {
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
      expect(await rowsOf(db)).toMatchObject([{ state: "failed", last_error: "the worker ended each time" }]);
      await queue.stop();
    });

    test("many workers share the jobs: each runs once", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const clock = createTestClock();
      const got: string[] = [];
      const queues = Array.from({ length: 4 }, () => queueOf(db, clock, { concurrency: 2 }));
      for (const queue of queues) queue.handle(greet, async ({ payload }) => void got.push(payload.name));
      const names = Array.from({ length: 40 }, (_, index) => String(index));
      for (const name of names) await add(db, name);
      await Promise.all(queues.map((queue) => queue.runDue()));
      expect(got.sort()).toEqual(names.sort());
      for (const queue of queues) await queue.stop();
    });
  });

  describe("schedules", () => {
    const hour = 60 * minute;
    const hourly = { name: "test.hourly", everyMs: hour, offsetMs: 5 * minute };

    test("each slot runs once, whatever the number of workers; missed ones run once, late", async () => {
      const clock = createTestClock(0);
      await using database = await dialect.open({ clock });
      const { db } = database;
      let runs = 0;
      const queues = [queueOf(db, clock), queueOf(db, clock)];
      const run = async (): Promise<void> => {
        runs += 1;
      };
      for (const queue of queues) queue.schedule(hourly, run);
      const all = () => Promise.all(queues.map((queue) => queue.runDue()));
      await all();
      expect(runs).toBe(0);
      clock.advance(5 * minute);
      await all();
      await all();
      expect(runs).toBe(1);
      clock.advance(hour - 1);
      await all();
      expect(runs).toBe(1);
      clock.advance(1);
      await all();
      expect(runs).toBe(2);
      clock.advance(24 * hour);
      await all();
      await all();
      expect(runs).toBe(3);
      expect(await db.sql.selectFrom("schedules").selectAll().execute()).toEqual([
        { name: "test.hourly", next_run_ms: 26 * hour + 5 * minute, last_run_ms: 25 * hour + 5 * minute, runs: 3 },
      ]);
      for (const queue of queues) await queue.stop();
    });

    test("a slot that lies too far ahead is pulled near at the next start", async () => {
      const clock = createTestClock(1000 * hour);
      await using database = await dialect.open({ clock });
      const { db } = database;
      const before = queueOf(db, clock);
      before.schedule(hourly, async () => undefined);
      await before.runDue();
      await before.stop();
      clock.advance(-500 * hour);
      const after = queueOf(db, clock);
      after.schedule(hourly, async () => undefined);
      await after.runDue();
      expect((await db.sql.selectFrom("schedules").select("next_run_ms").executeTakeFirstOrThrow()).next_run_ms).toBe(500 * hour + 5 * minute);
      await after.stop();
    });
  });
});
