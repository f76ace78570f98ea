import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createBarrier } from "../../test/kit/barrier.ts";
import { onPostgres } from "../../test/kit/databases.ts";
import { createLogRecorder, silentLog } from "../../test/kit/logs.ts";
import { clusterUrl, findPostgres, startPostgres } from "../../test/kit/postgres-cluster.ts";
import { administer, endOtherConnections } from "../../test/kit/postgres-sessions.ts";
import { namesIn, write } from "../../test/kit/server-values.ts";
import { parsePostgresUrl } from "../config/postgres-url.ts";
import { systemClock } from "../core/clock.ts";
import { isForgeError } from "../core/errors.ts";
import { compiled, type Slots } from "./compiled.ts";
import type { Db, Reader, Tx } from "./db.ts";
import { DbConstraintError } from "./errors.ts";
import { checkSchema } from "./migrate.ts";
import { allMigrations } from "./migrations/all.ts";
import { openDatabase } from "./open.ts";
import { openPostgres, type PostgresDb, type PostgresOptions } from "./postgres.ts";
import { excludeOlderPrograms } from "./postgres-presence.ts";
import { checkServer } from "./server-check.ts";

const isUnavailable = (error: unknown): boolean => isForgeError(error, "unavailable");
async function using<T>(url: string, options: Partial<PostgresOptions>, work: (db: PostgresDb) => Promise<T>): Promise<T> {
  const db = await openPostgres({ address: parsePostgresUrl(url), log: silentLog, clock: systemClock, poolSize: 4, ...options });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

onPostgres((dialect) => {
  describe("connections", () => {
    test("a connection that died while idle is replaced without an error", async () => {
      await using database = await dialect.open();
      const { db } = database;
      await db.tx((tx) => write(tx, "a"));
      await endOtherConnections(database);
      expect(await namesIn(db)).toEqual(["a"]);
      await endOtherConnections(database);
      await db.tx((tx) => write(tx, "b"));
      expect(await namesIn(db)).toEqual(["a", "b"]);
    });

    test("a connection runs a transaction's concurrent statements in order and without a warning", async () => {
      await using database = await dialect.open();
      const warnings: Error[] = [];
      const note = (warning: Error) => void warnings.push(warning);
      process.on("warning", note);
      const read = await database.db.tx(async (tx) => {
        await Promise.all(["a", "b", "c"].map((name) => write(tx, name)));
        return Promise.all([1, 2, 3].map(() => tx.sql.selectFrom("server_values").select("name").orderBy("name").execute()));
      });
      await new Promise((resolve) => setImmediate(resolve));
      process.off("warning", note);
      expect(read.map((rows) => rows.map(({ name }) => name))).toEqual(Array(3).fill(["a", "b", "c"]));
      expect(warnings).toEqual([]);
    });

    test("a transaction whose connection dies is retried, and its effects exist once", async () => {
      await using database = await dialect.open();
      const { db } = database;
      let runs = 0;
      let callbacks = 0;
      await db.tx(async (tx) => {
        runs += 1;
        tx.onCommit(() => {
          callbacks += 1;
        });
        await write(tx, "a");
        if (runs === 1) await endOtherConnections(database);
        await write(tx, "b");
      });
      expect({ runs, callbacks, names: await namesIn(db) }).toEqual({ runs: 2, callbacks: 1, names: ["a", "b"] });
    });

    test("a connection that dies during COMMIT leaves the outcome unknown, and the error says so", async () => {
      await using database = await dialect.create();
      const folder = mkdtempSync(join(tmpdir(), "hearth-px-"));
      const proxy = await startProxy(join(folder, ".s.PGSQL.5432"), socketOf(database.url));
      let runs = 0;
      const error = await using(database.url.replace(/host=.*/, `host=${encodeURIComponent(folder)}`), {}, async (db) => {
        proxy.cutAfter("commit");
        return db
          .tx(async (tx) => {
            runs += 1;
            await write(tx, "a");
          })
          .catch((reason: unknown) => reason);
      });
      expect(error).toMatchObject({ code: "unavailable", options: { meta: { outcome: "unknown" } } });
      expect(runs).toBe(1);
      expect(await namesIn(await database.open())).toEqual(["a"]);
      await proxy.close();
      rmSync(folder, { recursive: true });
    });

    test("a transaction begins in the packet of its first statements", async () => {
      await using database = await dialect.create();
      const folder = mkdtempSync(join(tmpdir(), "hearth-px-"));
      const proxy = await startProxy(join(folder, ".s.PGSQL.5432"), socketOf(database.url));
      await using(database.url.replace(/host=.*/, `host=${encodeURIComponent(folder)}`), {}, async (db) => {
        const change = (name: string) => db.tx((tx) => Promise.all([write(tx, name), write(tx, `${name}${name}`)]));
        await change("a");
        const before = proxy.packets();
        await change("b");
        // The last one is the commit.
        expect(proxy.packets() - before).toBe(2);
        expect(await namesIn(db)).toEqual(["a", "aa", "b", "bb"]);
      });
      await proxy.close();
      rmSync(folder, { recursive: true });
    });

    test("compiled reads that begin together go in one packet, and others on connections of their own", async () => {
      await using database = await dialect.create();
      const folder = mkdtempSync(join(tmpdir(), "hearth-px-"));
      const proxy = await startProxy(join(folder, ".s.PGSQL.5432"), socketOf(database.url));
      const byName = compiled(({ sql: builder }, given: Slots<{ name: string }>) =>
        builder
          .selectFrom("server_values")
          .select(["name", sql<number>`pg_backend_pid()`.as("pid")])
          .where("name", "=", given.name),
      );
      await using(database.url.replace(/host=.*/, `host=${encodeURIComponent(folder)}`), {}, async (db) => {
        for (const name of ["a", "b", "c"]) await db.tx((tx) => write(tx, name));
        const together = () => Promise.all(["a", "b", "c", "missing"].map((name) => byName(db, { name })));
        await together();
        const before = proxy.packets();
        const rows = await together();
        expect(proxy.packets() - before).toBe(1);
        expect(rows.map((found) => found.map(({ name }) => name))).toEqual([["a"], ["b"], ["c"], []]);
        expect(new Set(rows.flat().map(({ pid }) => pid)).size).toBe(1);
        const apart = await Promise.all([1, 2].map(() => db.sql.selectNoFrom(sql<number>`pg_backend_pid()`.as("pid")).executeTakeFirstOrThrow()));
        expect(new Set(apart.map(({ pid }) => pid)).size).toBe(2);
      });
      await proxy.close();
      rmSync(folder, { recursive: true });
    });

    test("reads of one page that begin together share connections by fours, and none with other readers", async () => {
      await using database = await dialect.create();
      const folder = mkdtempSync(join(tmpdir(), "hearth-px-"));
      const proxy = await startProxy(join(folder, ".s.PGSQL.5432"), socketOf(database.url));
      await using(database.url.replace(/host=.*/, `host=${encodeURIComponent(folder)}`), {}, async (db) => {
        const pidOf = async ({ sql: builder }: Reader): Promise<number> =>
          (await builder.selectNoFrom(sql<number>`pg_backend_pid()`.as("pid")).executeTakeFirstOrThrow()).pid;
        const readPage = () => {
          const page = db.together();
          return Promise.all([page, page, page, page, page, db.together(), db].map(pidOf));
        };
        await readPage();
        const before = proxy.packets();
        const [first, second, third, fourth, ...others] = await readPage();
        expect(proxy.packets() - before).toBe(4);
        expect([second, third, fourth]).toEqual([first, first, first]);
        expect(new Set([first, ...others]).size).toBe(4);
      });
      await proxy.close();
      rmSync(folder, { recursive: true });
    });

    test("compiled reads that share a connection are all repeated when it dies, and one that fails leaves the others unharmed", async () => {
      await using database = await dialect.open();
      const { db } = database;
      await db.tx((tx) => write(tx, "a"));
      const byName = compiled(({ sql: builder }, given: Slots<{ name: string }>) =>
        builder.selectFrom("server_values").select("name").where("name", "=", given.name),
      );
      const divided = compiled(({ sql: builder }, given: Slots<{ by: number }>) =>
        builder.selectNoFrom(sql<number>`1 / cast(${given.by} as integer)`.as("quotient")),
      );
      await byName(db, { name: "a" });
      await endOtherConnections(database);
      expect(await Promise.all([byName(db, { name: "a" }), byName(db, { name: "b" })])).toEqual([[{ name: "a" }], []]);
      const results = await Promise.allSettled([byName(db, { name: "a" }), divided(db, { by: 0 }), byName(db, { name: "a" })]);
      expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    });

    test("a server that stops responding is given up, and used again once it responds", async () => {
      await using database = await dialect.create();
      const folder = mkdtempSync(join(tmpdir(), "hearth-px-"));
      const proxy = await startProxy(join(folder, ".s.PGSQL.5432"), socketOf(database.url));
      const url = database.url.replace(/host=.*/, `host=${encodeURIComponent(folder)}`);
      await using(url, { statementTimeoutMs: 500, connectTimeoutMs: 1_000 }, async (db) => {
        await db.tx((tx) => write(tx, "a"));
        proxy.stall(true);
        await expect(namesIn(db)).rejects.toSatisfy(isUnavailable);
        await expect(db.tx((tx) => write(tx, "b"))).rejects.toSatisfy(isUnavailable);
        proxy.stall(false);
        // On a busy machine, a new connection can take longer than its limit.
        await expect.poll(() => namesIn(db).catch(() => "unavailable"), { timeout: 20_000 }).toEqual(["a"]);
      });
      await proxy.close();
      rmSync(folder, { recursive: true });
    }, 30_000);

    test("a request for a connection times out as unavailable, and succeeds soon after", async () => {
      await using database = await dialect.create();
      await using(database.url, { poolSize: 1, connectTimeoutMs: 1_000 }, async (db) => {
        const release = Promise.withResolvers<void>();
        const begun = Promise.withResolvers<void>();
        const holding = db.tx(async (tx) => {
          await write(tx, "a");
          begun.resolve();
          await release.promise;
        });
        await begun.promise;
        await expect(namesIn(db)).rejects.toSatisfy(isUnavailable);
        release.resolve();
        await holding;
        expect(await namesIn(db)).toEqual(["a"]);
      });
    });

    test("reads that follow one another do not keep a connection from others that wait for it", async () => {
      await using database = await dialect.open();
      await using(database.url, { poolSize: 1 }, async (db) => {
        let hasOther = false;
        const one = async (): Promise<number> => {
          let reads = 0;
          while (!hasOther && reads < 1_000) {
            await namesIn(db);
            reads += 1;
          }
          return reads;
        };
        const other = async (): Promise<void> => {
          await namesIn(db);
          await db.tx((tx) => write(tx, "other"));
          hasOther = true;
        };
        const [reads] = await Promise.all([one(), other()]);
        expect(reads).toBeLessThan(20);
        expect(await namesIn(db)).toEqual(["other"]);
      });
    });

    test("statements are prepared, except those with patterns, which are planned for each pattern", async () => {
      await using database = await dialect.create();
      await using(database.url, { poolSize: 1 }, async (db) => {
        await db.tx((tx) => write(tx, "a"));
        const named = db.sql.selectFrom("server_values").select("name");
        expect([await named.where("name", "=", "a").execute(), await named.where("name", "like", "%a%").execute()]).toEqual([[{ name: "a" }], [{ name: "a" }]]);
        const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db.sql);
        const texts = rows.map(({ statement }) => statement);
        const has = (operator: string): boolean => texts.some((text) => text.includes(`"name" ${operator} `));
        expect([has("="), has("like")]).toEqual([true, false]);
      });
    });

    test("a prepared statement that returns all columns is prepared again after another process has added one", async () => {
      await using database = await dialect.create();
      await using(database.url, { poolSize: 1 }, async (db) => {
        const all = (reader: Pick<Db, "sql">) => reader.sql.selectFrom("server_values").selectAll().execute();
        await db.tx((tx) => write(tx, "a"));
        expect(await all(db)).toEqual([{ name: "a", value: "" }]);
        await administer(database, "alter table server_values add column more text default 'x'");
        expect(await all(db)).toEqual([{ name: "a", value: "", more: "x" }]);
        await administer(database, "alter table server_values drop column more");
        const inTransaction = await db.tx(async (tx) => {
          await write(tx, "b");
          return all(tx);
        });
        expect(inTransaction).toEqual(["a", "b"].map((name) => ({ name, value: "" })));
      });
    });

    test("a connection describes the columns of a prepared statement once", async () => {
      await using database = await dialect.create();
      const folder = mkdtempSync(join(tmpdir(), "hearth-px-"));
      const proxy = await startProxy(join(folder, ".s.PGSQL.5432"), socketOf(database.url));
      await using(database.url.replace(/host=.*/, `host=${encodeURIComponent(folder)}`), { poolSize: 1 }, async (db) => {
        const described = async (work: () => Promise<unknown>): Promise<number> => {
          const before = proxy.descriptions();
          await work();
          return proxy.descriptions() - before;
        };
        const read = (name: string) => db.sql.selectFrom("server_values").select(["name", "value"]).where("name", "=", name).execute();
        const add = (name: string) => db.tx((tx) => tx.sql.insertInto("server_values").values({ name, value: name }).returning("value").execute());
        expect(await described(async () => expect(await read("a")).toEqual([]))).toBe(1);
        expect(await described(async () => expect(await add("a")).toEqual([{ value: "a" }]))).toBe(1);
        expect(await described(async () => expect(await read("a")).toEqual([{ name: "a", value: "a" }]))).toBe(0);
        expect(await described(async () => expect(await add("b")).toEqual([{ value: "b" }]))).toBe(0);
        await expect(add("b")).rejects.toThrow(DbConstraintError);
        expect(await described(() => Promise.all(["a", "b"].map(async (name) => expect(await read(name)).toEqual([{ name, value: name }]))))).toBe(0);
      });
      await proxy.close();
      rmSync(folder, { recursive: true });
    });

    test("plans are not compiled, however high their estimated cost is", async () => {
      await using database = await dialect.create();
      await using(database.url, { poolSize: 1 }, async (db) => {
        await db.tx((tx) => sql`select set_config('jit_above_cost', '0', false)`.execute(tx.sql));
        const { rows } = await sql<object>`explain (analyze, format json) select count(*) from generate_series(1, 10)`.execute(db.sql);
        expect(JSON.stringify(rows)).toContain("Execution Time");
        expect(JSON.stringify(rows)).not.toContain("JIT");
      });
    });

    test("a statement that takes too long is aborted as unavailable", async () => {
      await using database = await dialect.create();
      await using(database.url, { statementTimeoutMs: 50 }, async (db) => {
        await expect(sql`select pg_sleep(20)`.execute(db.sql)).rejects.toSatisfy(isUnavailable);
        await expect(db.tx((tx) => sql`select pg_sleep(20)`.execute(tx.sql))).rejects.toSatisfy(isUnavailable);
        expect(await namesIn(db)).toEqual([]);
      });
    });

    test("a frozen process loses its transaction, so that others can change the same rows", async () => {
      await using database = await dialect.create();
      await using(database.url, { idleInTransactionMs: 100 }, async (frozen) => {
        await using(database.url, {}, async (db) => {
          let wake = (): void => undefined;
          const asleep = new Promise<void>((resolve) => {
            wake = resolve;
          });
          let hasWritten = (): void => undefined;
          const written = new Promise<void>((resolve) => {
            hasWritten = resolve;
          });
          const outcome = frozen
            .tx(async (tx) => {
              await write(tx, "a");
              hasWritten();
              await asleep;
              await write(tx, "b");
            })
            .then(() => "committed", String);
          await written;
          // Waits for the row until the first transaction is ended.
          await db.tx((tx) => write(tx, "a"));
          wake();
          expect(await outcome).not.toBe("committed");
          expect(await namesIn(db)).toEqual(["a"]);
        });
      });
    });

    test("a server crash is reported as unavailable, loses no data, and needs no restart", async () => {
      const folder = mkdtempSync(join(tmpdir(), "hearth-pg-"));
      chmodSync(folder, 0o711);
      const cluster = await startPostgres(findPostgres() ?? "", join(folder, "pg"));
      const log = createLogRecorder();
      const db = await openDatabase({ url: cluster.urlOf("postgres"), log });
      await db.tx((tx) => write(tx, "a"));
      await cluster.kill();
      await expect(db.tx((tx) => write(tx, "refused"))).rejects.toSatisfy(isUnavailable);
      await expect(namesIn(db)).rejects.toSatisfy(isUnavailable);
      await cluster.start();
      await db.tx((tx) => write(tx, "b"));
      expect(await namesIn(db)).toEqual(["a", "b"]);
      await db.close();
      await cluster.stop();
      rmSync(folder, { recursive: true });
      const warned = log.entries.filter(({ message }) => message.includes("power cut")).map(({ meta }) => (meta as { setting: string }).setting);
      expect(warned.sort()).toEqual(["fsync", "full_page_writes"]);
    });

    test("an unreachable server is reported in one line", async () => {
      await expect(openDatabase({ url: clusterUrl("/nonexistent", "hearth"), log: silentLog })).rejects.toThrow(/^PostgreSQL cannot be opened: .*ENOENT/);
    });
  });

  test("a check of the server names its version, and a clock that differs", async () => {
    await using database = await dialect.open();
    const at = (offsetMs: number) => checkServer(database.db, { now: () => Date.now() + offsetMs });
    expect(await at(0)).toEqual({ version: expect.stringMatching(/^PostgreSQL \d+\.\d+$/), problems: [] });
    expect((await at(60_000))?.problems).toEqual([expect.stringMatching(/^the clock of PostgreSQL is \d+\.\d s behind the clock of this machine/)]);
    expect((await at(-60_000))?.problems).toEqual([expect.stringMatching(/^the clock of PostgreSQL is \d+\.\d s ahead of the clock of this machine/)]);
  });

  describe("transactions", () => {
    test("colliding transactions are retried from the start, and callbacks of the failed attempt are discarded", async () => {
      await using database = await dialect.open();
      const { db } = database;
      await db.tx((tx) => write(tx, "row"));
      const callbacks: number[] = [];
      let runs = 0;
      const bothHaveRead = createBarrier(2);
      const append = (text: string): Promise<void> =>
        db.tx(async (tx) => {
          runs += 1;
          const run = runs;
          tx.onCommit(() => callbacks.push(run));
          const { value } = await tx.sql.selectFrom("server_values").select("value").where("name", "=", "row").executeTakeFirstOrThrow();
          await bothHaveRead();
          await tx.sql
            .updateTable("server_values")
            .set({ value: value + text })
            .where("name", "=", "row")
            .execute();
        });
      await Promise.all([append("x"), append("y")]);
      const { value } = await db.sql.selectFrom("server_values").select("value").executeTakeFirstOrThrow();
      expect([...value].sort()).toEqual(["x", "y"]);
      expect(runs).toBe(3);
      expect(callbacks).toHaveLength(2);
      expect(new Set(callbacks).size).toBe(2);
    });
  });

  test("values on the channels of runners and migrations reach other processes after the commit, also when the presence was lost", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const other = await database.open();
    const presences = [await db.join(), await other.join()];
    const heard: unknown[] = [];
    for (const channel of ["actions", "jobs", "migrations", "refs"] as const) other.listen(channel, (value) => heard.push([channel, value]));
    // Another program that uses the channel does no harm.
    await sql`select pg_notify('hearth', notice) from unnest(array['', 'text', '{"channel":"unknown"}', '{"channel":"jobs"}', '[]', 'null']) as notice`.execute(
      db.sql,
    );
    other.listen("jobs", (value) => (value as { readonly kind: string }).kind);
    await expect.poll(() => heard).toEqual([["jobs", undefined]]);
    heard.length = 0;
    let echoes = 0;
    db.listen("actions", () => {
      echoes += 1;
    });
    const announceAll = (tx: Tx): void => {
      tx.announce("refs", 5);
      tx.announce("actions", "waiting");
      tx.announce("actions", { taskId: 7 });
      tx.announce("migrations", 3);
    };
    await expect(
      db.tx(async (tx) => {
        announceAll(tx);
        await write(tx, "row");
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    await db.tx(async (tx) => announceAll(tx));
    const all = [
      ["actions", "waiting"],
      ["actions", { taskId: 7 }],
      ["migrations", 3],
    ];
    await expect.poll(() => heard).toEqual(all);
    db.notifyOthers("jobs", { kind: "greet" });
    await expect.poll(() => heard).toEqual([...all, ["jobs", { kind: "greet" }]]);
    // The sender hears its own values once.
    expect(echoes).toBe(2);

    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'hearth presence'`.execute(
      db.sql,
    );
    await expect.poll(() => presences.map((presence) => presence.isHeld())).toEqual([false, false]);
    await db.tx(async (tx) => tx.announce("actions", "lost"));
    for (const presence of presences) await presence.hold();
    await db.tx(async (tx) => tx.announce("actions", "again"));
    await expect.poll(() => heard.at(-1)).toEqual(["actions", "again"]);
    expect(heard).not.toContainEqual(["actions", "lost"]);
    for (const presence of presences) await presence.close();
  });

  test("servers that start concurrently on an empty database migrate it once", async () => {
    await using database = await dialect.createEmpty();
    const logs = [createLogRecorder(), createLogRecorder(), createLogRecorder()];
    await Promise.all(logs.map((log) => database.open({ log })));
    const made = logs.flatMap(({ entries }) => entries.filter(({ message }) => message.includes("schema")));
    expect(made.map(({ message }) => message)).toEqual(["created the database schema"]);
    await checkSchema(await database.open());
  });

  test("a process answers 503 once the schema no longer supports it, and not for a migration that fails", async () => {
    await using database = await dialect.open();
    const { db } = database;
    const older = { id: allMigrations.length + 2, name: "remove notes", statements: [], oldestProgram: allMigrations.length + 1 };
    const failed = db.tx(async (tx) => {
      await excludeOlderPrograms(tx, older, older.oldestProgram);
      await expect(db.join()).rejects.toThrow("is changing the database schema");
      throw new Error("the migration fails");
    });
    await expect(failed).rejects.toThrow("the migration fails");
    const presence = await db.join();
    const refused = db.tx((tx) => excludeOlderPrograms(tx, older, older.oldestProgram));
    await expect(refused).rejects.toThrow("1 running server of an older version still uses: stop it");
    await presence.close();

    await db.tx((tx) =>
      tx.sql.insertInto("migrations").values({ id: older.id, name: older.name, applied_ms: 1, oldest_program: older.oldestProgram }).execute(),
    );
    await expect(db.join()).rejects.toThrow("does not support this version");
    await expect(db.sql.selectFrom("migrations").select("id").execute()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("start the newer version"),
    });
  });

  test("a number outside JavaScript's safe range throws an error", async () => {
    await using database = await dialect.open();
    await expect(sql`select 9007199254740993::bigint as n`.execute(database.db.sql)).rejects.toThrow("9007199254740993");
    expect((await sql`select 9007199254740991::bigint as n`.execute(database.db.sql)).rows).toEqual([{ n: 9_007_199_254_740_991 }]);
  });
});

const socketOf = (url: string): string => join(new URL(url).searchParams.get("host") ?? "", ".s.PGSQL.5432");

interface Proxy {
  /** Cuts a connection right after this statement has reached the server. */
  cutAfter(statement: string): void;
  stall(stalls: boolean): void;
  /** Number of packets that clients have sent. */
  packets(): number;
  /** Number of descriptions of columns that the server has sent, with a column of the table `server_values` each. */
  descriptions(): number;
  close(): Promise<void>;
}

/** A proxy between client and server. */
async function startProxy(path: string, target: string): Promise<Proxy> {
  let trigger: string | undefined;
  let isStalled = false;
  let packets = 0;
  let descriptions = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
    let isCut = false;
    client.on("data", (data) => {
      if (isStalled) return;
      upstream.write(data);
      packets += 1;
      isCut ||= trigger !== undefined && data.includes(trigger);
    });
    // The server's response to the statement shows that it has run; the client never receives it.
    upstream.on("data", (data) => {
      descriptions += data.toString("latin1").split("value\0").length - 1;
      if (isCut) client.destroy();
      else client.write(data);
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    cutAfter(statement) {
      trigger = statement;
    },
    packets: () => packets,
    descriptions: () => descriptions,
    stall(stalls) {
      isStalled = stalls;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
