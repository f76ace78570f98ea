import { describe, expect, test } from "vitest";
import { createTestClock } from "../../test/kit/clock.ts";
import { eachDialect } from "../../test/kit/databases.ts";
import { add, greet, minute, queueOf, rowsOf } from "../../test/kit/jobs.ts";
import { defineJob, enqueue } from "./job.ts";
import { pruneFailedJobs } from "./retention.ts";
import { countJobs, findDue } from "./store.ts";

eachDialect((dialect) => {
  describe("jobs", () => {
    test("a started queue runs a job after its transaction has committed, and deletes it", async () => {
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

    test("a future job waits for its time; one without a time is due whatever the clock says", async () => {
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

    test("a look for jobs that finds none is one statement, and knows when the next one is due", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const queue = queueOf(db, clock);
      queue.handle(greet, async () => undefined);
      await add(db, "later", { runAtMs: clock.now() + minute });
      await queue.runDue();
      const before = db.counters.statements;
      await queue.runDue();
      expect(db.counters.statements - before).toBe(1);
      const { kinds, nowMs } = { kinds: [greet.kind], nowMs: clock.now() };
      expect(await findDue(db, { kinds, nowMs, dueMs: nowMs })).toEqual({ isDue: false, nextMs: nowMs + minute });
      expect(await findDue(db, { kinds, nowMs, dueMs: nowMs + minute })).toMatchObject({ isDue: true });
      expect(await findDue(db, { kinds: ["other"], nowMs, dueMs: nowMs })).toEqual({ isDue: false, nextMs: undefined });
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

    test("a failing job is retried with growing pauses, then marked as failed, without blocking others", async () => {
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

    test("at most one job per key waits, with the newest payload and the earliest time", async () => {
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

    test("a future job costs one statement and wakes no worker; it runs at its time, or earlier if rescheduled", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const queue = queueOf(db, clock);
      const got: string[] = [];
      queue.handle(greet, async ({ payload }) => void got.push(payload.name));
      await queue.start();
      await queue.runDue();
      const { statements } = db.counters;
      for (const name of ["one", "two", "three"]) await add(db, name, { dedupeKey: "k", runAtMs: clock.now() + 2 * minute });
      expect(db.counters.statements - statements).toBe(3);
      await queue.runDue(minute);
      expect(got).toEqual([]);
      await queue.runDue(2 * minute);
      expect(got).toEqual(["three"]);
      await queue.stop();
    });

    test("jobs of one key never run concurrently, and one enqueued during a run is not lost", async () => {
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

    test("a failed run is replaced by a job of the same key enqueued meanwhile", async () => {
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

    test("the number of concurrent jobs does not exceed the limit", async () => {
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

    test("stopping interrupts a job, and the next start runs it without counting the attempt", async () => {
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

    test("jobs without a handler here are left to other processes", async () => {
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
});
