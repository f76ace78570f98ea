import { describe, expect, test } from "vitest";
import { createStatementRecorder, eachDialect, fullSqlite, type TestDialect } from "../../test/kit/databases.ts";
import { account, gitStore, repository } from "../../test/kit/rows.ts";
import { isForgeError } from "../core/errors.ts";
import { anyOf } from "./any-of.ts";
import type { Db, Tx } from "./db.ts";
import { isForeignKeyViolation, isUniqueViolation } from "./errors.ts";

const addTopic = async (tx: Tx, name: string): Promise<number> =>
  (await tx.sql.insertInto("topics").values({ name, created_ms: 1, updated_ms: 2 }).returning("id").executeTakeFirstOrThrow()).id;
const topicNames = async (db: Pick<Db, "sql">): Promise<string[]> =>
  (await db.sql.selectFrom("topics").select("name").orderBy("id").execute()).map((row) => row.name);
const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable("it did not fail"),
    (error: unknown) => error,
  );

const bodyOfTests = (dialect: TestDialect): void => {
  describe("transactions", () => {
    test("a write is visible once its transaction resolves", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await db.tx((tx) => addTopic(tx, "git"));
      expect(await db.sql.selectFrom("topics").selectAll().where("id", "=", id).executeTakeFirst()).toEqual({
        id,
        name: "git",
        repo_count: 0,
        created_ms: 1,
        updated_ms: 2,
      });
      await db.tx(async (tx) => {
        const updated = await tx.sql.updateTable("topics").set({ repo_count: 5 }).where("id", "=", id).executeTakeFirstOrThrow();
        expect(updated.numUpdatedRows).toBe(1n);
        const deleted = await tx.sql
          .deleteFrom("topics")
          .where("id", "=", id + 1)
          .executeTakeFirstOrThrow();
        expect(deleted.numDeletedRows).toBe(0n);
      });
      expect(await db.sql.selectFrom("topics").select("repo_count").executeTakeFirst()).toEqual({ repo_count: 5 });
    });

    test("a transaction that throws leaves no changes, and rejects with its own error", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const own = new Error("no");
      const error = await rejection(
        db.tx(async (tx) => {
          await addTopic(tx, "a");
          throw own;
        }),
      );
      expect(error).toBe(own);
      expect(await topicNames(db)).toEqual([]);
    });

    test("a failed statement dooms the transaction, even if the work continues", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const error = await rejection(
        db.tx(async (tx) => {
          await addTopic(tx, "a");
          await addTopic(tx, "a").catch(() => undefined);
        }),
      );
      expect(isUniqueViolation(error, "topics.name")).toBe(true);
      const late = await rejection(
        db.tx(async (tx) => {
          await addTopic(tx, "a");
          await addTopic(tx, "a").catch(() => undefined);
          await addTopic(tx, "b");
        }),
      );
      expect(late).toHaveProperty("message", expect.stringContaining("another statement of its transaction had failed"));
      expect(await topicNames(db)).toEqual([]);
    });

    test("an error that the work derives from a database error is the one thrown", async () => {
      await using database = await dialect.open();
      const own = new Error("that name is taken");
      const error = await rejection(
        database.db.tx(async (tx) => {
          await addTopic(tx, "a");
          try {
            await addTopic(tx, "a");
          } catch (cause) {
            throw isUniqueViolation(cause, "topics.name") ? own : cause;
          }
        }),
      );
      expect(error).toBe(own);
    });

    test("a transaction handle cannot be used after the end", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const leaked = await db.tx(async (tx) => tx);
      await expect(addTopic(leaked, "late")).rejects.toThrow("after its transaction had ended");
      expect(await topicNames(db)).toEqual([]);
    });

    test("readers never see an open transaction, and a reader inside sees its own writes", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const written = Promise.withResolvers<void>();
      const seen = Promise.withResolvers<void>();
      const transaction = db.tx(async (tx) => {
        await addTopic(tx, "a");
        expect(await topicNames(tx)).toEqual(["a"]);
        written.resolve();
        await seen.promise;
      });
      await written.promise;
      expect(await topicNames(db)).toEqual([]);
      seen.resolve();
      await transaction;
      expect(await topicNames(db)).toEqual(["a"]);
    });

    test("concurrent read-modify-writes lose no update", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const id = await db.tx((tx) => addTopic(tx, "counter"));
      await Promise.all(
        Array.from({ length: 8 }, () =>
          db.tx(async (tx) => {
            const { repo_count } = await tx.sql.selectFrom("topics").select("repo_count").where("id", "=", id).executeTakeFirstOrThrow();
            await tx.sql
              .updateTable("topics")
              .set({ repo_count: repo_count + 1 })
              .where("id", "=", id)
              .execute();
          }),
        ),
      );
      expect((await db.sql.selectFrom("topics").select("repo_count").executeTakeFirstOrThrow()).repo_count).toBe(8);
    });

    test("callbacks and announcements run once after the commit, and never after a rollback", async () => {
      let now = 5_000;
      await using database = await dialect.open({ clock: { now: () => now } });
      const { db } = database;
      const received: unknown[] = [];
      const end = db.listen("jobs", (value) => received.push(value));
      const announcing = (value: string, end: () => Promise<void>): Promise<void> =>
        db.tx(async (tx) => {
          tx.onCommit(() => received.push(`${value} committed`));
          tx.announce("jobs", `${value} at ${tx.nowMs}`);
          await addTopic(tx, value);
          expect(received).not.toContain(`${value} committed`);
          await end();
        });
      await announcing("a", async () => undefined);
      now = 6_000;
      await rejection(announcing("b", () => Promise.reject(new Error("no"))));
      end();
      await announcing("c", async () => undefined);
      expect(received).toEqual(["a committed", "a at 5000", "c committed"]);
    });

    test("beforeCommit handlers are part of the transaction, receive all announced values together, and roll it back on failure", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const got: unknown[][] = [];
      const names = async (): Promise<string[]> => (await db.sql.selectFrom("topics").select("name").orderBy("name").execute()).map((row) => row.name);
      const end = db.beforeCommit("jobs", async (tx, values) => {
        got.push([...values]);
        if (values.includes("bad")) throw new Error("refused");
        for (const value of values) await addTopic(tx, `of-${value}`);
        // Values announced by a handler are handled in another round.
        if (values.includes("first")) tx.announce("jobs", "second");
      });
      const announcing = (...values: string[]): Promise<void> =>
        db.tx(async (tx) => {
          for (const value of values) tx.announce("jobs", value);
        });
      await announcing("first", "other");
      expect(await names()).toEqual(["of-first", "of-other", "of-second"]);
      expect(await rejection(announcing("third", "bad"))).toMatchObject({ message: expect.stringContaining("refused") });
      await db.tx(async (tx) => addTopic(tx, "unannounced"));
      end();
      await announcing("late");
      expect(await names()).toEqual(["of-first", "of-other", "of-second", "unannounced"]);
      expect(got).toEqual([["first", "other"], ["second"], ["third", "bad"]]);
    });

    test("handlers that announce values endlessly end with an error", async () => {
      await using database = await dialect.open();
      const { db } = database;
      db.beforeCommit("jobs", async (tx) => tx.announce("jobs", "again"));
      expect(await rejection(db.tx(async (tx) => tx.announce("jobs", "once")))).toMatchObject({
        message: expect.stringContaining("announce values endlessly"),
      });
    });

    test("writing outside a transaction is rejected", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const forced = db.sql as Tx["sql"];
      await rejection(forced.insertInto("topics").values({ name: "a", created_ms: 1, updated_ms: 1 }).execute());
      expect(await topicNames(db)).toEqual([]);
    });

    test("a closed database rejects with an error that says so", async () => {
      await using database = await dialect.open();
      const { db } = database;
      await db.close();
      await db.close();
      await expect(topicNames(db)).rejects.toThrow("the database is closed");
      await expect(db.tx((tx) => addTopic(tx, "a"))).rejects.toThrow("the database is closed");
    });

    test("closing waits for running transactions", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const writes = Array.from({ length: 20 }, (_, index) => db.tx((tx) => addTopic(tx, `t${index}`)));
      await Promise.all([...writes, db.close()]);
      expect(await topicNames(await database.open())).toHaveLength(20);
    });
  });

  describe("errors", () => {
    const unique: [string, (tx: Tx) => Promise<unknown>][] = [
      ["topics.name", (tx) => addTopic(tx, "a")],
      ["server_values.name", (tx) => tx.sql.insertInto("server_values").values({ name: "a, b)=(c", value: "" }).execute()],
      [
        "repositories.owner_id,name_folded",
        async (tx) => {
          const code_store_id = await gitStore(tx);
          await repository(tx, { owner_id: await firstAccount(tx), code_store_id, name: "Forge", name_folded: "forge" });
        },
      ],
      [
        "team_units.team_id,unit",
        async (tx) =>
          tx.sql
            .insertInto("team_units")
            .values({ team_id: await firstTeam(tx), unit: "repo.code", mode: "read" })
            .execute(),
      ],
    ];
    const firstAccount = async (tx: Tx): Promise<number> =>
      (await tx.sql.selectFrom("accounts").select("id").executeTakeFirst())?.id ?? (await account(tx, { name: "ada", name_folded: "ada" }));
    const firstTeam = async (tx: Tx): Promise<number> => {
      const org_id = await firstAccount(tx);
      const team = {
        org_id,
        name: "Owners",
        name_folded: "owners",
        description: "",
        mode: "owner",
        includes_all_repositories: 1,
        can_create_org_repo: 1,
      } as const;
      const present = await tx.sql.selectFrom("teams").select("id").executeTakeFirst();
      return (present ?? (await tx.sql.insertInto("teams").values(team).returning("id").executeTakeFirstOrThrow())).id;
    };

    test.each(unique)("a violated unique key is reported by its name: %s", async (key, insert) => {
      await using database = await dialect.open();
      const error = await rejection(
        database.db.tx(async (tx) => {
          await insert(tx);
          await insert(tx);
        }),
      );
      expect(isUniqueViolation(error)).toBe(true);
      expect(isUniqueViolation(error, key), `the key is ${(error as { key?: string }).key}`).toBe(true);
      expect(isUniqueViolation(error, "topics.id")).toBe(false);
    });

    test("a missing referenced row, and deleting a referenced one, violate a foreign key", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const missing = await rejection(db.tx((tx) => tx.sql.insertInto("stars").values({ repo_id: 1, account_id: 1, created_ms: 1 }).execute()));
      expect(isForeignKeyViolation(missing)).toBe(true);
      expect(isUniqueViolation(missing)).toBe(false);
      const owner_id = await db.tx(async (tx) => {
        const id = await account(tx, { name: "ada", name_folded: "ada" });
        await repository(tx, { owner_id: id, code_store_id: await gitStore(tx), name: "forge", name_folded: "forge" });
        return id;
      });
      expect(isForeignKeyViolation(await rejection(db.tx((tx) => tx.sql.deleteFrom("accounts").where("id", "=", owner_id).execute())))).toBe(true);
    });

    test("a string with U+0000 is rejected the same on both dialects", async () => {
      await using database = await dialect.open();
      const error = await rejection(database.db.tx((tx) => addTopic(tx, "a\0b")));
      expect(isForgeError(error, "invalid")).toBe(true);
      expect(isForgeError(await rejection(database.db.sql.selectFrom("topics").select("id").where("name", "=", "\0").execute()), "invalid")).toBe(true);
    });

    test("an invalid statement is reported as a bug, not as an outage", async () => {
      await using database = await dialect.open();
      const error = await rejection(
        database.db.sql
          .selectFrom("topics")
          .select("no_such_column" as "id")
          .execute(),
      );
      expect(isForgeError(error)).toBe(false);
      expect(await topicNames(database.db)).toEqual([]);
    });
  });

  describe("schema", () => {
    test("deleting an account or a repository deletes its dependent rows", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const { owner, repo, fork, store } = await db.tx(async (tx) => {
        const owner = await account(tx, { name: "ada", name_folded: "ada" });
        const store = await gitStore(tx);
        const repo = await repository(tx, { owner_id: owner, code_store_id: store, name: "forge", name_folded: "forge" });
        const fork = await repository(tx, { owner_id: owner, code_store_id: await gitStore(tx), name: "fork", name_folded: "fork", fork_of: repo });
        await tx.sql.insertInto("account_emails").values({ account_id: owner, email: "a@b", folded: "a@b", is_primary: 1, is_verified: 1 }).execute();
        await tx.sql.insertInto("stars").values({ repo_id: repo, account_id: owner, created_ms: 1 }).execute();
        await tx.sql
          .insertInto("refs")
          .values({ store_id: store, name: "refs/heads/main", oid: "0", type: "commit", peeled_oid: "", tip_ms: 1, updated_ms: 1 })
          .execute();
        return { owner, repo, fork, store };
      });
      await db.tx(async (tx) => {
        await tx.sql.deleteFrom("repositories").where("id", "=", repo).execute();
        await tx.sql.deleteFrom("git_stores").where("id", "=", store).execute();
      });
      expect(await db.sql.selectFrom("repositories").select(["id", "fork_of"]).execute()).toEqual([{ id: fork, fork_of: null }]);
      expect(await db.sql.selectFrom("stars").selectAll().execute()).toEqual([]);
      expect(await db.sql.selectFrom("refs").selectAll().execute()).toEqual([]);
      await db.tx(async (tx) => {
        await tx.sql.deleteFrom("repositories").execute();
        await tx.sql.deleteFrom("accounts").where("id", "=", owner).execute();
      });
      expect(await db.sql.selectFrom("account_emails").selectAll().execute()).toEqual([]);
    });

    test("a deleted repository's name can be reused, but its id never is", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const make = () =>
        db.tx(async (tx) => {
          const present = await tx.sql.selectFrom("accounts").select("id").executeTakeFirst();
          const owner_id = present?.id ?? (await account(tx, { name: "ada", name_folded: "ada" }));
          return repository(tx, { owner_id, code_store_id: await gitStore(tx), name: "forge", name_folded: "forge" });
        });
      const first = await make();
      await db.tx((tx) => tx.sql.updateTable("repositories").set({ deleted_ms: 1 }).where("id", "=", first).execute());
      const second = await make();
      await db.tx((tx) => tx.sql.deleteFrom("repositories").where("id", "=", second).execute());
      expect(await make()).toBeGreaterThan(second);
    });

    test("strings sort and match by bytes, and numbers are returned as numbers", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const big = 2 ** 50 + 1;
      await db.tx(async (tx) => {
        for (const name of ["b", "B", "a", "é", "Z", "_"]) await tx.sql.insertInto("topics").values({ name, created_ms: big, updated_ms: 1 }).execute();
      });
      const names = await db.sql.selectFrom("topics").select("name").orderBy("name").execute();
      expect(names.map(({ name }) => name)).toEqual(["B", "Z", "_", "a", "b", "é"]);
      expect(await db.sql.selectFrom("topics").select("name").where("name", "like", "b%").execute()).toEqual([{ name: "b" }]);
      const sums = await db.sql
        .selectFrom("topics")
        .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.sum<number>("updated_ms").as("sum"), eb.fn.max("created_ms").as("max")])
        .executeTakeFirstOrThrow();
      expect(sums).toEqual({ count: 6, sum: 6, max: big });
    });

    test("a list of any length is one parameter of one statement", async () => {
      const recorder = createStatementRecorder();
      await using database = await dialect.open({ onStatement: recorder.onStatement });
      const { db } = database;
      const ids = await db.tx(async (tx) => [await addTopic(tx, "a"), await addTopic(tx, "b"), await addTopic(tx, "c")]);
      const byId = (values: readonly number[]) =>
        db.sql
          .selectFrom("topics")
          .select("name")
          .where((eb) => anyOf(db, eb.ref("id"), values))
          .orderBy("id")
          .execute();
      const texts = await recorder.during(async () => {
        expect(await byId([])).toEqual([]);
        expect(await byId([ids[0] ?? 0, ids[2] ?? 0])).toEqual([{ name: "a" }, { name: "c" }]);
        expect(await byId(Array.from({ length: 100_000 }, (_, index) => index))).toHaveLength(3);
      });
      expect(texts).toHaveLength(3);
      expect(new Set(texts).size).toBe(1);
      const byName = db.sql
        .selectFrom("topics")
        .select("id")
        .where((eb) => anyOf(db, eb.ref("name"), ["b", "'", '"', ",", "{}"]));
      expect(await byName.execute()).toEqual([{ id: ids[1] }]);
    });

    test("a script runs all of its statements, counts as one, and dooms the transaction if one fails", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const insert = (name: string): string => `insert into topics (name, created_ms, updated_ms) values ('${name}', 1, 1)`;
      const before = db.counters.statements;
      await db.tx((tx) => tx.script(`${insert("a;b")};\n${insert("c")};\n`));
      expect(db.counters.statements - before).toBe(1);
      expect(await topicNames(db)).toEqual(["a;b", "c"]);
      const error = await rejection(
        db.tx(async (tx) => {
          await tx.script(`${insert("d")}; ${insert("c")}`).catch(() => undefined);
        }),
      );
      expect(isUniqueViolation(error, "topics.name")).toBe(true);
      expect(await topicNames(db)).toEqual(["a;b", "c"]);
    });

    test("statements are counted, including those of transactions", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const before = { ...db.counters };
      await topicNames(db);
      await db.tx((tx) => addTopic(tx, "a"));
      expect(db.counters).toEqual({ statements: before.statements + 2, transactions: before.transactions + 1 });
    });
  });
};

eachDialect(bodyOfTests);
describe("sqlite with full durability", () => bodyOfTests(fullSqlite));
