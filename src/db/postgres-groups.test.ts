import { sql } from "kysely";
import { expect, test } from "vitest";
import { createBarrier } from "../../test/kit/barrier.ts";
import { onPostgres } from "../../test/kit/databases.ts";
import { endOtherConnections } from "../../test/kit/postgres-sessions.ts";
import { namesIn, write } from "../../test/kit/server-values.ts";
import type { Db, Tx } from "./db.ts";

onPostgres((dialect) => {
  /** Makes transactions of a database run in groups for a second. */
  const collide = async (db: Db): Promise<void> => {
    const change = async () => {
      let runs = 0;
      await db.tx(async (tx) => {
        runs += 1;
        if (runs <= 2) await raiseCollision(tx);
      });
    };
    await Promise.all(Array.from({ length: 20 }, change));
  };
  const raiseCollision = (tx: Tx) => sql`do $$ begin raise exception 'collision' using errcode = '40001'; end $$`.execute(tx.sql);
  const transactionOf = async (tx: Tx): Promise<string> =>
    (await sql<{ readonly id: string }>`select pg_current_xact_id()::text as id`.execute(tx.sql)).rows[0]?.id ?? "";

  test("a transaction of a group that fails is undone alone, with its own error", async () => {
    await using database = await dialect.open();
    const { db } = database;
    let isShared = false;
    // On a busy machine a group can end early.
    for (let round = 1; round <= 20 && !isShared; round += 1) {
      await collide(db);
      const transactions: string[] = [];
      const callbacks: string[] = [];
      const member = (name: string, fail?: (tx: Tx) => unknown) =>
        db.tx(async (tx) => {
          transactions.push(await transactionOf(tx));
          await write(tx, `${round} ${name}`);
          tx.onCommit(() => callbacks.push(name));
          await fail?.(tx);
          return name;
        });
      const outcomes = await Promise.allSettled([
        member("a"),
        member("b", () => Promise.reject(new Error("refused"))),
        // The second statement is already waiting when the first one fails.
        member("c", (tx) => Promise.all([write(tx, `${round} a`), write(tx, `${round} e`)])),
        member("d"),
      ]);
      expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : String(outcome.reason)))).toEqual([
        "a",
        "Error: refused",
        "DbConstraintError: unique constraint broken: server_values.name",
        "d",
      ]);
      expect(callbacks).toEqual(["a", "d"]);
      expect((await namesIn(db)).filter((name) => name.startsWith(`${round} `) && /[a-e]$/.test(name))).toEqual([`${round} a`, `${round} d`]);
      isShared = new Set(transactions).size === 1;
    }
    expect(isShared).toBe(true);
  });

  test("a transaction sees what was committed before it began, also while a group is running", async () => {
    await using database = await dialect.open();
    const other = await database.open();
    const { db } = database;
    for (let round = 0; round < 20; round += 1) {
      await collide(db);
      const name = `round ${round}`;
      let later: Promise<readonly { name: string }[]> | undefined;
      await db.tx(async (tx) => {
        // The snapshot of the group is taken here.
        await tx.sql.selectFrom("server_values").select("name").execute();
        await other.tx((theirs) => write(theirs, name));
        later = db.tx((mine) => mine.sql.selectFrom("server_values").select("name").where("name", "=", name).execute());
      });
      expect(await later).toEqual([{ name }]);
    }
  });

  test("others wait for a transaction that collides with them in a group again and again", async () => {
    await using database = await dialect.open();
    const { db } = database;
    await collide(db);
    const rivals: Promise<unknown>[] = [];
    let collisions = 0;
    await db.tx(async (tx) => {
      // While many collide, others wait for this transaction. Then they run alone, until it has failed too often.
      for (let isOvertaken = false; !isOvertaken; ) {
        const name = `rival ${rivals.length}`;
        rivals.push(db.tx((other) => write(other, name)));
        for (let look = 0; look < 100 && !isOvertaken; look += 1) isOvertaken = (await namesIn(db)).includes(name);
        if (!isOvertaken && collisions > 0) return;
      }
      collisions += 1;
      await raiseCollision(tx);
    });
    expect([1, 2, 3]).toContain(collisions);
    await Promise.all(rivals);
  });

  test("a group whose connection dies is repeated, and the effects of its transactions exist once", async () => {
    await using database = await dialect.open();
    const { db } = database;
    await collide(db);
    let runs = 0;
    const member = (name: string) =>
      db.tx(async (tx) => {
        runs += 1;
        await write(tx, name);
        if (runs === 3) await endOtherConnections(database);
      });
    await Promise.all(["a", "b", "c", "d"].map(member));
    expect(await namesIn(db)).toEqual(["a", "b", "c", "d"]);
    expect(runs).toBeGreaterThan(4);
  });

  test("groups of two processes that change the same row lose no change", async () => {
    await using database = await dialect.open();
    const other = await database.open();
    const { db } = database;
    await db.tx((tx) => tx.sql.insertInto("server_values").values({ name: "count", value: "0" }).execute());
    const increment = (one: Db) =>
      one.tx(async (tx) => {
        const { value } = await tx.sql.selectFrom("server_values").select("value").where("name", "=", "count").executeTakeFirstOrThrow();
        await tx.sql
          .updateTable("server_values")
          .set({ value: `${Number(value) + 1}` })
          .where("name", "=", "count")
          .execute();
      });
    await Promise.all(Array.from({ length: 200 }, (_, at) => increment(at % 2 === 0 ? db : other)));
    const { value } = await db.sql.selectFrom("server_values").select("value").where("name", "=", "count").executeTakeFirstOrThrow();
    expect(value).toBe("200");
  });

  test("after many collisions, transactions of one process do not collide", async () => {
    await using database = await dialect.open();
    const { db } = database;
    await collide(db);
    let runs = 0;
    await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        db.tx(async (tx) => {
          runs += 1;
          await tx.sql.selectFrom("server_values").select("name").execute();
          await write(tx, `row ${at}`);
        }),
      ),
    );
    expect(runs).toBe(200);
  });

  test("transactions begin to run in groups before each of them has collided", async () => {
    await using database = await dialect.open();
    const { db } = database;
    let runs = 0;
    const change = (at: number) =>
      db.tx(async (tx) => {
        runs += 1;
        await tx.sql.selectFrom("server_values").select("name").execute();
        await write(tx, `row ${at}`);
      });
    await Promise.all(Array.from({ length: 500 }, (_, at) => change(at)));
    expect(runs).toBeLessThan(600);
  });

  test("a few collisions do not make other transactions wait for each other", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const allHaveBegun = createBarrier(5);
    const change = async (at: number) => {
      let runs = 0;
      await db.tx(async (tx) => {
        runs += 1;
        if (runs === 1) await raiseCollision(tx);
        // In a group, the second one would begin after the first one has ended.
        await allHaveBegun();
        await write(tx, `row ${at}`);
      });
    };
    await Promise.all(Array.from({ length: 5 }, (_, at) => change(at)));
    expect(await namesIn(db)).toHaveLength(5);
  });

  test("a hundred transactions that read each other's rows all commit", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const pairs = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        db.tx(async (tx) => {
          const seen = await tx.sql.selectFrom("server_values").select("name").execute();
          await write(tx, `row ${at}`);
          return seen.length;
        }),
      ),
    );
    // Each sees exactly the rows committed before it, so no two see the same number.
    expect(pairs.toSorted((a, b) => a - b)).toEqual(pairs.map((_, at) => at));
  });

  test("a slow transaction commits although faster ones keep changing the rows that it reads", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const readAll = (tx: Tx) => tx.sql.selectFrom("server_values").select("name").execute();
    let runs = 0;
    let hasEnded = false;
    let fast = 0;
    const change = async (): Promise<void> => {
      while (!hasEnded) {
        fast += 1;
        const name = `fast ${fast}`;
        await db.tx(async (tx) => {
          await readAll(tx);
          await write(tx, name);
        });
      }
    };
    const changing = Promise.all([change(), change(), change()]);
    const slow = db.tx(async (tx) => {
      runs += 1;
      await readAll(tx);
      const before = fast;
      // Waits until some of the others have committed, but not for those that wait for this one.
      for (let polls = 0; polls < 20 && fast < before + 6; polls += 1) await sql`select pg_sleep(0.01)`.execute(tx.sql);
      await write(tx, "slow");
    });
    await slow.finally(() => {
      hasEnded = true;
    });
    await changing;
    // Three times alone, once while others end, and once without them.
    expect(runs).toBeLessThanOrEqual(5);
    expect(await namesIn(db)).toHaveLength(fast + 1);
  });

  test("transactions that keep colliding are rejected as unavailable", async () => {
    await using database = await dialect.open();
    let runs = 0;
    const collide = database.db.tx(async (tx) => {
      runs += 1;
      await raiseCollision(tx);
    });
    await expect(collide).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("too many requests at once"),
      options: { retryAfter: 1 },
    });
    expect(runs).toBe(15);
  });
});
