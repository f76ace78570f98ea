import { describe, expect, test } from "vitest";
import { createTestClock } from "../../test/kit/clock.ts";
import { createStatementRecorder, eachDialect, sqlite } from "../../test/kit/databases.ts";
import { add, greet, minute, queueOf } from "../../test/kit/jobs.ts";
import { silentLog } from "../../test/kit/logs.ts";
import { tableScans } from "../../test/kit/plans.ts";
import { createDispatcher } from "../events/dispatcher.ts";
import { recordEvent } from "../events/events.ts";

eachDialect((dialect) => {
  describe("schedules", () => {
    const hour = 60 * minute;
    const hourly = { name: "test.hourly", everyMs: hour, offsetMs: 5 * minute };

    test("each slot runs once with any number of workers; missed ones run once, late", async () => {
      const clock = createTestClock(0);
      await using database = await dialect.open({ clock });
      const { db } = database;
      let runs = 0;
      const other = dialect.name === "postgres" ? await database.open({ clock }) : db;
      const queues = [queueOf(db, clock), queueOf(other, clock)];
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

    test("a slot too far in the future is moved closer at the next start", async () => {
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

test("looking for jobs, running them and delivering events never scans a whole table", async () => {
  const recorder = createStatementRecorder();
  const clock = createTestClock(0);
  await using database = await sqlite.open({ clock, onStatement: recorder.onStatement });
  const { db } = database;
  const queue = queueOf(db, clock);
  queue.handle(greet, ({ attempt }) => (attempt === 1 ? Promise.reject(new Error("fails once")) : Promise.resolve()));
  queue.schedule({ name: "test.minutely", everyMs: minute }, async () => undefined);
  const dispatcher = createDispatcher({ db, clock, log: silentLog });
  const texts = await recorder.during(async () => {
    await db.tx((tx) => recordEvent(tx, "account.followed", { accountId: 1, name: "t" }));
    await add(db, "ada", { dedupeKey: "k" });
    await queue.runDue();
    clock.advance(minute);
    await queue.runDue();
    await dispatcher.start();
    await dispatcher.settled();
  });
  expect(texts.length).toBeGreaterThan(20);
  expect(await tableScans(db, texts)).toEqual([]);
  await Promise.all([queue.stop(), dispatcher.stop()]);
});
