import { describe, expect, test } from "vitest";
import { createTestClock } from "../../test/kit/clock.ts";
import { eachDialect } from "../../test/kit/databases.ts";
import { add, greet, minute, queueOf, rowsOf } from "../../test/kit/jobs.ts";
import type { Clock } from "../core/clock.ts";
import type { Tx } from "../db/db.ts";
import { LeaseLostError } from "./queue.ts";

eachDialect((dialect) => {
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

    test("a process that is alone takes over at its start what the one before it held", async () => {
      const clock = createTestClock();
      await using database = await dialect.open({ clock });
      const { db } = database;
      const killed = queueOf(db, clock, { leaseMs: minute });
      const begun = Promise.withResolvers<void>();
      const forever = Promise.withResolvers<void>();
      killed.handle(greet, async () => {
        begun.resolve();
        await forever.promise;
      });
      await add(db, "ada", { dedupeKey: "ada" });
      const killedRuns = killed.runDue();
      await begun.promise;

      const next = queueOf(db, clock, { leaseMs: minute, isAlone: true });
      const attempts: number[] = [];
      next.handle(greet, async ({ attempt }) => void attempts.push(attempt));
      await next.start();
      await next.runDue();
      expect(attempts).toEqual([2]);
      await next.stop();
      forever.resolve();
      await killedRuns;
      await killed.stop();
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
      // One process serves a SQLite database; to PostgreSQL each worker has connections of its own, as if it were another process.
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
