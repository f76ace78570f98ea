import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { fdatasync, fstatSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { sqlite } from "../../test/kit/databases.ts";
import { startForge } from "../../test/kit/forge.ts";
import { createLogRecorder, silentLog } from "../../test/kit/logs.ts";
import { bundleProgram } from "../../test/kit/program-bundle.ts";
import { systemClock } from "../core/clock.ts";
import { isForgeError } from "../core/errors.ts";
import type { Db } from "./db.ts";
import { isUniqueViolation } from "./errors.ts";
import { openDatabase } from "./open.ts";
import { openSqlite, type SqliteOptions } from "./sqlite.ts";

const sync = promisify(fdatasync);

const open = (path: string, options: Partial<SqliteOptions> = {}): Promise<Db> =>
  openSqlite({ path, log: silentLog, clock: systemClock, mode: "exclusive", ...options });
const write = (db: Db, name: string, value = ""): Promise<unknown> => db.tx((tx) => tx.sql.insertInto("server_values").values({ name, value }).execute());
const namesIn = async (db: Db): Promise<string[]> => (await db.sql.selectFrom("server_values").select("name").execute()).map(({ name }) => name).sort();
const isUnavailable = (error: unknown): boolean => isForgeError(error, "unavailable");
const outcome = (work: Promise<unknown>): Promise<"acknowledged" | "unavailable"> =>
  work.then(
    () => "acknowledged" as const,
    (error: unknown) => {
      if (isUnavailable(error)) return "unavailable" as const;
      throw error;
    },
  );

/** Writes until a write is acknowledged. */
async function writeWhenHealed(db: Db, name: string): Promise<void> {
  while ((await outcome(write(db, name))) === "unavailable") await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("durable group commit", () => {
  test("a transaction resolves after a sync that began after its commit, and the next one begins earlier", async () => {
    await using database = await sqlite.create();
    const syncs: PromiseWithResolvers<void>[] = [];
    let isGated = false;
    const db = await open(database.url, {
      syncFile: async (fd) => {
        if (isGated) {
          const gate = Promise.withResolvers<void>();
          syncs.push(gate);
          await gate.promise;
        }
        await sync(fd);
      },
    });
    isGated = true;
    const events: string[] = [];
    const start = (name: string): Promise<unknown> =>
      db
        .tx(async (tx) => {
          tx.onCommit(() => events.push(`${name} callback`));
          await tx.sql.insertInto("server_values").values({ name, value: "" }).execute();
          events.push(`${name} ran`);
        })
        .then(() => events.push(`${name} resolved`));
    const first = start("a");
    // Transactions of one event loop turn share a commit.
    while (syncs.length < 1) await new Promise((resolve) => setImmediate(resolve));
    const others = [start("b"), start("c")];
    while (events.length < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual(["a ran", "b ran", "c ran"]);

    // This sync began when only a was committed.
    syncs[0]?.resolve();
    await first;
    expect(events).toEqual(["a ran", "b ran", "c ran", "a callback", "a resolved"]);
    while (syncs.length < 2) await new Promise((resolve) => setImmediate(resolve));
    syncs[1]?.resolve();
    await Promise.all(others);
    expect(syncs).toHaveLength(2);
    expect(events.slice(5).sort()).toEqual(["b callback", "b resolved", "c callback", "c resolved"]);
    isGated = false;
    await db.close();
  });

  test("many writers share few syncs, and a transaction without writes needs none", async () => {
    await using database = await sqlite.create();
    let syncs = 0;
    const db = await open(database.url, {
      syncFile: (fd) => {
        syncs += 1;
        return sync(fd);
      },
    });
    await Promise.all(Array.from({ length: 200 }, (_, index) => write(db, `n${index}`)));
    expect(syncs).toBeLessThan(50);
    const before = syncs;
    await db.tx((tx) => tx.sql.selectFrom("server_values").select("name").execute());
    expect(syncs).toBe(before);
    await db.close();
  });

  test("transactions of one event loop turn share a commit, and a failing one is rolled back alone", async () => {
    await using database = await sqlite.create();
    const db = await open(database.url);
    const failed = new Error("this one fails");
    const failing = (name: string): Promise<unknown> =>
      db.tx(async (tx) => {
        await tx.sql.insertInto("server_values").values({ name, value: "" }).execute();
        throw failed;
      });
    const logged = (): number => statSync(`${database.url}-wal`).size;
    await write(db, "a");
    const before = logged();
    await write(db, "b");
    const alone = logged() - before;
    const outcomes = await Promise.allSettled([failing("first"), write(db, "c"), failing("second"), write(db, "d"), write(db, "e"), failing("third")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled", "fulfilled", "rejected"]);
    for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).toBe(failed);
    expect(await namesIn(db)).toEqual(["a", "b", "c", "d", "e"]);
    // The page changed by all three was written once.
    expect(logged() - before - alone).toBe(alone);
    await db.close();
    const again = await open(database.url);
    expect(await namesIn(again)).toEqual(["a", "b", "c", "d", "e"]);
    await again.close();
  });

  test("transactions in a batch see earlier ones; outside readers see none before all are committed", async () => {
    await using database = await sqlite.create();
    const db = await open(database.url);
    const seen: string[][] = [];
    const outside: string[][] = [];
    const look = async (name: string): Promise<void> => {
      const work = db.tx(async (tx) => {
        seen.push((await tx.sql.selectFrom("server_values").select("name").execute()).map((row) => row.name).sort());
        await tx.sql.insertInto("server_values").values({ name, value: "" }).execute();
      });
      // Within the same turn: during the transaction, and after it.
      for (let step = 0; step < 40; step += 1) outside.push(await namesIn(db));
      await work;
    };
    await Promise.all([look("a"), look("b"), look("c")]);
    expect(seen).toEqual([[], ["a"], ["a", "b"]]);
    expect(outside.flat()).toEqual([]);
    expect(await namesIn(db)).toEqual(["a", "b", "c"]);
    await db.close();
  });

  test("a transaction that fails because of another one's write is rejected once that write is visible to readers", async () => {
    await using database = await sqlite.create();
    const db = await open(database.url);
    const late = async (): Promise<readonly string[]> => {
      await expect(write(db, "a")).rejects.toSatisfy((error) => isUniqueViolation(error, "server_values.name"));
      return namesIn(db);
    };
    expect((await Promise.all([write(db, "a"), late(), late()])).slice(1)).toEqual([["a"], ["a"]]);
    await db.close();
  });

  test("a rollback of the whole batch, as on a full disk, leaves no changes of rejected transactions, and later ones succeed", async () => {
    await using database = await sqlite.create();
    const db = await open(database.url);
    await write(db, "kept");
    await db.tx((tx) => tx.script("pragma max_page_count = 1"));
    const names = ["a", "b", "large", "c"];
    const outcomes = await Promise.all(names.map((name) => outcome(write(db, name, name === "large" ? "x".repeat(2_000_000) : ""))));
    expect(outcomes[2]).toBe("unavailable");
    const acknowledged = names.filter((_name, at) => outcomes[at] === "acknowledged");
    expect(await namesIn(db)).toEqual(["kept", ...acknowledged].sort());
    await db.tx((tx) => tx.script("pragma max_page_count = 1073741823"));
    await write(db, "later");
    expect(await namesIn(db)).toEqual(["kept", "later", ...acknowledged].sort());
    await db.close();
  });

  test("after a power cut every acknowledged write exists: each file as it was when its last sync began", async () => {
    await using database = await sqlite.create();
    const folder = mkdtempSync(join(tmpdir(), "hearth-platter-"));
    // A separate process copies: closing the database's file here would drop SQLite's locks on it.
    const copy = (from: string, to: string): unknown => execFileSync("cp", [from, to]);
    const disk = join(folder, "disk");
    mkdirSync(disk);
    copy(database.url, disk);
    const acknowledged: string[] = [];
    const cuts: { files: string; expected: string[] }[] = [];
    const synced = { log: 0, database: 0 };
    const db = await open(database.url, {
      checkpointFrames: 40,
      syncFile: async (fd) => {
        const isLog = fstatSync(fd).ino === statSync(`${database.url}-wal`).ino;
        synced[isLog ? "log" : "database"] += 1;
        const written = join(folder, `written-${synced.log}-${synced.database}`);
        copy(isLog ? `${database.url}-wal` : database.url, written);
        await sync(fd);
        // From now on a power cut preserves everything written before the sync.
        copy(written, join(disk, isLog ? "hearth.db-wal" : "hearth.db"));
        const files = join(folder, `cut-${cuts.length}`);
        execFileSync("cp", ["-r", disk, files]);
        const cut = { files, expected: [] as string[] };
        cuts.push(cut);
        setImmediate(() => cut.expected.push(...acknowledged));
      },
    });
    let next = 0;
    const writer = async (): Promise<void> => {
      while (next < 80) {
        const name = `n${next++}`;
        await write(db, name, "x".repeat(2_000));
        acknowledged.push(name);
      }
    };
    await Promise.all([writer(), writer(), writer()]);
    await db.close();
    expect(synced.log).toBeGreaterThan(20);
    expect(synced.database).toBeGreaterThan(2);
    for (const { files, expected } of cuts) {
      const survivor = await open(join(files, "hearth.db"));
      const found = new Set(await namesIn(survivor));
      expect(expected.filter((name) => !found.has(name))).toEqual([]);
      await survivor.close();
    }
    rmSync(folder, { recursive: true });
  });

  test("the log stays small, and closing merges it into the database", async () => {
    await using database = await sqlite.create();
    const db = await open(database.url, { checkpointFrames: 50 });
    for (let index = 0; index < 300; index += 1) await write(db, `n${index}`, "x".repeat(3_000));
    expect(statSync(`${database.url}-wal`).size).toBeLessThan(150 * 4_120);
    await db.close();
    expect(statSync(`${database.url}-wal`, { throwIfNoEntry: false })).toBeUndefined();
    const again = await open(database.url);
    expect(await namesIn(again)).toHaveLength(300);
    await again.close();
  });
});

describe("full durability", () => {
  const pragma = async (db: Db, name: string): Promise<unknown> =>
    Object.values((await db.tx((tx) => sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(tx.sql))).rows[0] ?? {})[0];

  test("leaves syncs and checkpoints to SQLite", async () => {
    await using database = await sqlite.create();
    const syncFile = () => expect.unreachable("Hearth has synced a file");
    const full = await open(database.url, { durability: "full", syncFile, checkpointFrames: 1 });
    await Promise.all(Array.from({ length: 20 }, (_, n) => write(full, `n${n}`)));
    expect([await pragma(full, "synchronous"), await pragma(full, "wal_autocheckpoint"), (await namesIn(full)).length]).toEqual([2, 1_000, 20]);
    await full.close();
    const shared = await open(database.url);
    expect([await pragma(shared, "synchronous"), await pragma(shared, "wal_autocheckpoint"), (await namesIn(shared)).length]).toEqual([1, 0, 20]);
    await shared.close();
  });

  test("commits each transaction alone, and keeps the log small", async () => {
    await using database = await sqlite.create();
    const statements: string[] = [];
    const db = await open(database.url, { durability: "full", onStatement: (text) => statements.push(text) });
    const [first, second, third] = await Promise.all([outcome(write(db, "a")), write(db, "a").catch((error: unknown) => error), outcome(write(db, "b"))]);
    expect([first, isUniqueViolation(second, "server_values.name"), third]).toEqual(["acknowledged", true, "acknowledged"]);
    for (let index = 0; index < 1_500; index += 1) await write(db, `n${index}`, "x".repeat(3_000));
    expect(statSync(`${database.url}-wal`).size).toBeLessThan(1_200 * 4_120);
    await db.close();
    expect(statSync(`${database.url}-wal`, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("is chosen by a setting of the server", async () => {
    await using forge = await startForge({ dialect: sqlite, environment: { HEARTH_DATABASE_DURABILITY: "full" } });
    expect(await pragma(forge.forge.context.db, "synchronous")).toBe(2);
  });
});

describe("a failed sync", () => {
  const failing = (state: { fails: boolean }) => async (fd: number) => {
    if (state.fails) throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
    await sync(fd);
  };

  test("rejects and rolls back changes that are not durable, and the database recovers by itself", async () => {
    await using database = await sqlite.create();
    const state = { fails: false };
    const log = createLogRecorder();
    const db = await open(database.url, { log, syncFile: failing(state) });
    await write(db, "kept");
    state.fails = true;
    const callbacks: string[] = [];
    const refused = db.tx(async (tx) => {
      tx.onCommit(() => callbacks.push("callback"));
      await tx.sql.insertInto("server_values").values({ name: "refused", value: "" }).execute();
    });
    const error = await refused.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "unavailable", options: { retryAfter: 5 } });
    expect(callbacks).toEqual([]);
    state.fails = false;
    await writeWhenHealed(db, "later");
    expect(await namesIn(db)).toEqual(["kept", "later"]);
    expect(log.entries.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      "error: the log of the database could not be made durable: no changes are accepted until it can",
      "info: the database is durable again",
    ]);
    await db.close();
    const again = await open(database.url);
    expect(await namesIn(again)).toEqual(["kept", "later"]);
    await again.close();
  });

  test("is never simply retried: the log is rewritten before the next sync", async () => {
    await using database = await sqlite.create();
    const inodes: number[] = [];
    let failures = 1;
    const db = await open(database.url, {
      syncFile: async (fd) => {
        inodes.push(statSync(`${database.url}-wal`).ino);
        if (failures-- > 0) throw new Error("EIO");
        await sync(fd);
      },
    });
    expect(await outcome(write(db, "refused"))).toBe("unavailable");
    await writeWhenHealed(db, "later");
    expect(new Set(inodes).size).toBe(2);
    await db.close();
  });

  test("at any time leaves exactly the acknowledged changes", async () => {
    for (const checkpointFrames of [5, 30, 1_000]) {
      await using database = await sqlite.create();
      let calls = 0;
      const db = await open(database.url, {
        checkpointFrames,
        syncFile: async (fd) => {
          calls += 1;
          if (calls % 7 === 0) throw new Error("EIO");
          await sync(fd);
        },
      });
      const acknowledged: string[] = [];
      let refused = 0;
      let next = 0;
      const writer = async (): Promise<void> => {
        while (next < 250) {
          const name = `n${next++}`;
          if ((await outcome(write(db, name, "x".repeat((next * 97) % 6_000)))) === "acknowledged") acknowledged.push(name);
          else {
            refused += 1;
            await new Promise((resolve) => setTimeout(resolve, 2));
          }
        }
      };
      await Promise.all(Array.from({ length: 6 }, writer));
      expect(refused).toBeGreaterThan(5);
      await writeWhenHealed(db, "last");
      acknowledged.push("last");
      expect(await namesIn(db)).toEqual(acknowledged.sort());
      await db.close();
      const again = await openDatabase({ url: database.url, log: silentLog });
      expect(await namesIn(again)).toEqual(acknowledged);
      await again.close();
    }
  });

  test("does not block reads, and a database closed in that state reopens without the rejected changes", async () => {
    await using database = await sqlite.create();
    const state = { fails: false };
    const db = await open(database.url, { syncFile: failing(state) });
    await write(db, "kept");
    state.fails = true;
    // The log cannot be rewritten either.
    mkdirSync(`${database.url}-wal-cut`);
    expect(await outcome(write(db, "refused"))).toBe("unavailable");
    expect(await outcome(write(db, "refused too"))).toBe("unavailable");
    expect(await namesIn(db)).toContain("kept");
    rmSync(`${database.url}-wal-cut`, { recursive: true });
    await db.close();
    const again = await open(database.url);
    expect(await namesIn(again)).toEqual(["kept"]);
    await again.close();
  });
});

describe("a full disk", () => {
  const isRoot = process.getuid?.() === 0 && process.platform === "linux";

  test.skipIf(!isRoot)(
    `rejects changes, keeps existing data, and accepts changes again once there is space${isRoot ? "" : " (skipped: mounting needs root)"}`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "hearth-small-"));
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]);
      try {
        const filler = join(folder, "filler");
        // Closed before the file system is unmounted, even if an assertion fails.
        await using opened = new AsyncDisposableStack();
        const openHere = async (): Promise<Db> => opened.adopt(await openDatabase({ url: join(folder, "hearth.db"), log: silentLog }), (db) => db.close());
        const db = await openHere();
        await write(db, "kept");
        const { promise: isFull, resolve } = Promise.withResolvers<void>();
        const acknowledged = ["kept"];
        const fill = async (): Promise<void> => {
          for (let index = 0; ; index += 1) {
            const name = `n${index}`;
            if ((await outcome(write(db, name, "x".repeat(50_000)))) === "unavailable") return resolve();
            acknowledged.push(name);
          }
        };
        writeFileSync(filler, Buffer.alloc(1_200_000));
        await fill();
        await isFull;
        expect(acknowledged.length).toBeGreaterThan(2);
        expect(await outcome(write(db, "refused", "x".repeat(50_000)))).toBe("unavailable");
        expect(await namesIn(db)).toEqual([...acknowledged].sort());
        rmSync(filler);
        await writeWhenHealed(db, "later");
        acknowledged.push("later");
        await db.close();
        expect(await namesIn(await openHere())).toEqual(acknowledged.sort());
      } finally {
        execFileSync("umount", [folder]);
        rmSync(folder, { recursive: true });
      }
    },
  );
});

describe("one server per database", () => {
  test("a second server is rejected with a message, and a killed server leaves no lock", async () => {
    await using database = await sqlite.create();
    const program = await bundleProgram("write-until-killed");
    const child = spawn(process.execPath, [program, database.url], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect(await lines.next()).toEqual({ value: "ready", done: false });
    await lines.next();
    await expect(database.open()).rejects.toThrow(`another Hearth process serves the database ${database.url}`);
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    const db = await database.open();
    expect((await namesIn(db)).length).toBeGreaterThan(0);
  });

  test("a tool works next to a server: each sees the other's changes, and neither waits for long", async () => {
    await using database = await sqlite.open();
    const { db } = database;
    const tool = await database.open({ role: "tool" });
    await Promise.all(Array.from({ length: 20 }, (_, index) => write(index % 2 === 0 ? db : tool, `n${index}`)));
    expect(await namesIn(db)).toHaveLength(20);
    expect(await namesIn(tool)).toHaveLength(20);
    await tool.close();
    await write(db, "after");
  });

  test("a tool without a running server behaves like a server", async () => {
    await using database = await sqlite.create();
    const tool = await database.open({ role: "tool" });
    await write(tool, "a");
    await expect(database.open()).rejects.toThrow("another Hearth process");
    await tool.close();
    expect(await namesIn(await database.open())).toEqual(["a"]);
  });

  test("an impossible folder, or a file that is not a database, is reported in one line", async () => {
    await using database = await sqlite.create();
    const folder = join(database.url, "..");
    const file = join(folder, "file");
    writeFileSync(file, "this is no database, and it is long enough to be looked at as one".repeat(100));
    await expect(openDatabase({ url: join(file, "hearth.db"), log: silentLog })).rejects.toThrow(/^the database .* cannot be opened: EEXIST|ENOTDIR/);
    await expect(openDatabase({ url: file, log: silentLog })).rejects.toThrow(/^the database .* cannot be opened: file is not a database$/);
  });
});

test("cached pages can be freed at any time, also within a transaction and after the database was closed", async () => {
  await using database = await sqlite.create();
  const log = createLogRecorder();
  const db = await open(database.url, { log });
  await write(db, "before");
  await db.tx(async (tx) => {
    await tx.sql.insertInto("server_values").values({ name: "within", value: "" }).execute();
    db.releaseMemory();
  });
  db.releaseMemory();
  expect(await namesIn(db)).toEqual(["before", "within"]);
  expect(log.entries).toEqual([]);
  await db.close();
  db.releaseMemory();
  expect(log.entries).toEqual([expect.objectContaining({ message: "the memory of the database could not be freed" })]);
});

describe("the writer's queue", () => {
  test("a transaction that waits for another event is aborted, and the next one runs", async () => {
    await using database = await sqlite.create();
    const db = await open(database.url, { maxTransactionMs: 50 });
    const never = new Promise<void>(() => undefined);
    const stuck = db.tx(async (tx) => {
      await tx.sql.insertInto("server_values").values({ name: "stuck", value: "" }).execute();
      await never;
    });
    const next = write(db, "next");
    await expect(stuck).rejects.toSatisfy(isUnavailable);
    await next;
    expect(await namesIn(db)).toEqual(["next"]);
    await db.close();
  });

  test("a transaction inside another one fails with an error instead of hanging", async () => {
    await using database = await sqlite.create();
    const db = await open(database.url, { maxTransactionMs: 50 });
    await expect(db.tx(async () => write(db, "inner"))).rejects.toSatisfy(isUnavailable);
    await db.close();
  });

  test("timers and reads are served while many transactions are waiting", async () => {
    await using database = await sqlite.create();
    const db = await open(database.url);
    const all = Promise.all(Array.from({ length: 3_000 }, (_, index) => write(db, `n${index}`)));
    let isDone = false;
    void all.then(() => {
      isDone = true;
    });
    let turns = 0;
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve));
      turns += 1;
    }
    expect(turns).toBeGreaterThan(5);
    await all;
    await db.close();
  });
});
