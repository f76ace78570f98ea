import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { createChannels } from "./channels.ts";
import type { Db, DbCounters, Tx } from "./db.ts";
import { databaseUnavailable } from "./errors.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createQueryBuilder } from "./query-builder.ts";
import { openSqliteConnection, type SqliteConnection } from "./sqlite-connection.ts";
import { installCutLog, type LogMark, logPath, logStart, readSalts, syncFolder, writeCutLog } from "./sqlite-log.ts";
import { type Attempt, createAttempt } from "./transaction.ts";
import { createTurns } from "./turns.ts";

export interface SqliteOptions {
  readonly path: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly onStatement?: ((sql: string) => void) | undefined;
  /** Makes the bytes of a file durable; tests put failures here. */
  readonly syncFile?: ((fd: number) => Promise<void>) | undefined;
  /** Frames in the log from which on it is copied into the database. */
  readonly checkpointFrames?: number | undefined;
}

interface Connections {
  /** The only connection that writes. */
  readonly writer: SqliteConnection;
  /** Cannot write, and sees no open transaction. */
  readonly reader: SqliteConnection;
  /** Opened with the first sync: until then there may be no log. */
  logFd: number | undefined;
}

const defaultCheckpointFrames = 1000;
/** A transaction awaits the database only, which answers at once: one that takes so long waits for something that never comes. */
const maxTransactionMs = 10_000;
const maxWaitMs = 15_000;
/** Another process (an administrator's tool) may hold the write lock for so long. */
const maxBusyMs = 10_000;
const healDelaysMs = [100, 500, 1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * Opens a SQLite database: one writing connection behind a queue, one reading connection, and durable group commit.
 *
 * COMMIT itself syncs nothing (`synchronous = normal`); the acknowledgement waits for a sync of the log on the thread pool that all
 * commits of that moment share. The log is copied into the database (checkpoint) only when all of it is durable. So when a sync
 * fails, cutting the log at the last durable commit undoes exactly what was not acknowledged.
 */
export async function openSqlite(options: SqliteOptions): Promise<Db> {
  const { path, log } = options;
  const syncFile = options.syncFile ?? promisify(fdatasync);
  const checkpointFrames = options.checkpointFrames ?? defaultCheckpointFrames;
  const counters: DbCounters = { statements: 0, transactions: 0 };
  const turns = createTurns({ maxWaitMs });
  const channels = createChannels();

  let connections: Connections | undefined = openConnections(path);
  let isClosed = false;
  /** Set while nothing can be acknowledged. */
  let broken: unknown;
  let durable: LogMark = logStart;
  let frames = 0;
  let isCheckpointQueued = false;
  let healTimer: NodeJS.Timeout | undefined;

  const current = (): Connections => {
    if (isClosed) throw new Error("the database is closed");
    if (connections === undefined) throw databaseUnavailable(broken, { reason: "reopening" });
    return connections;
  };
  const count = (sql: string): void => {
    counters.statements += 1;
    options.onStatement?.(sql);
  };

  const markNow = (open: Connections): LogMark => {
    open.logFd ??= openSync(logPath(path), "r+");
    const [row] = open.reader.run("pragma wal_checkpoint(noop)", []).rows as { log: number }[];
    return { salts: readSalts(open.logFd), frames: row?.log ?? 0 };
  };

  const commits = createGroupCommit(async () => {
    if (broken !== undefined) throw databaseUnavailable(broken, { reason: "a sync failed" });
    const open = current();
    try {
      const mark = markNow(open);
      if (open.logFd !== undefined) await syncFile(open.logFd);
      durable = mark;
      frames = mark.frames;
    } catch (cause) {
      fail(cause);
      throw databaseUnavailable(cause, { reason: "a sync failed" });
    }
    if (frames >= checkpointFrames) queueCheckpoint();
  });

  function queueCheckpoint(): void {
    if (isCheckpointQueued || isClosed) return;
    isCheckpointQueued = true;
    turns
      .take(async () => {
        // No transaction runs during this turn: after this sync the whole log is durable.
        await commits.durable();
        current().writer.run("pragma wal_checkpoint(passive)", []);
      })
      .catch((error: unknown) => {
        if (!isClosed) log.warn({ err: error }, "the database's log could not be copied into the database; it grows until it can");
      })
      .finally(() => {
        isCheckpointQueued = false;
      });
  }

  function fail(cause: unknown): void {
    if (broken !== undefined || isClosed) return;
    broken = cause;
    log.error({ err: cause }, "the database's log could not be made durable: no change is taken until it can");
    scheduleHeal(0);
  }

  function scheduleHeal(attempt: number): void {
    healTimer = setTimeout(
      () => {
        turns.take(heal).then(
          () => log.info({}, "the database is durable again"),
          (error: unknown) => {
            if (isClosed) return;
            log.warn({ err: error, attempt }, "the database could not be opened again");
            scheduleHeal(attempt + 1);
          },
        );
      },
      healDelaysMs[Math.min(attempt, healDelaysMs.length - 1)],
    );
    healTimer.unref();
  }

  /** Brings the database back to the last durable commit, proves that the disk takes it, and goes on. Never asks for the failed sync again. */
  async function heal(): Promise<void> {
    if (isClosed) return;
    if (connections !== undefined) {
      await writeCutLog(path, durable);
      const closing = connections;
      connections = undefined;
      closeConnections(closing, "keep the log");
      installCutLog(path);
    }
    connections = openConnections(path);
    await settle(connections);
    broken = undefined;
  }

  /** Makes what a log that was found holds durable, in the database if that can be, and proves that the disk takes it. */
  async function settle(open: Connections): Promise<void> {
    await syncFolder(path);
    open.writer.exec("pragma synchronous = full");
    open.writer.run("pragma wal_checkpoint(truncate)", []);
    open.writer.exec("pragma synchronous = normal");
    const mark = markNow(open);
    // Something is left when another process reads the database at this moment.
    if (mark.frames > 0 && open.logFd !== undefined) await syncFile(open.logFd);
    durable = mark;
    frames = mark.frames;
  }

  async function begin(): Promise<SqliteConnection> {
    for (const start = performance.now(); ; ) {
      if (broken !== undefined) throw databaseUnavailable(broken, { reason: "a sync failed" });
      const { writer } = current();
      try {
        writer.run("begin immediate", []);
        return writer;
      } catch (error) {
        if (!isBusy(error) || performance.now() - start > maxBusyMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }

  async function runTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<Committed<T>> {
    const writer = await begin();
    const attempt = createAttempt({
      dialect: "sqlite",
      nowMs: options.clock.now(),
      announce: channels.announce,
      run: async (text, parameters) => {
        count(text);
        return writer.run(text, parameters);
      },
    });
    try {
      const value = await within(maxTransactionMs, work(attempt.tx));
      if (attempt.failure !== undefined) throw attempt.failure.error;
      if (broken !== undefined) throw databaseUnavailable(broken, { reason: "a sync failed" });
      attempt.end();
      writer.run("commit", []);
      counters.transactions += 1;
      return { value, attempt, durable: commits.durable() };
    } catch (error) {
      attempt.end();
      if (writer.isTransaction) writer.run("rollback", []);
      throw error;
    }
  }

  try {
    await settle(connections);
  } catch (error) {
    closeConnections(connections, "keep the log");
    throw error;
  }
  return {
    dialect: "sqlite",
    counters,
    sql: createQueryBuilder("sqlite", async (text, parameters) => {
      const { reader } = current();
      count(text);
      return reader.run(text, parameters);
    }),
    async tx(work) {
      current();
      const committed = await turns.take(() => runTransaction(work));
      await committed.durable;
      committed.attempt.committed();
      return committed.value;
    },
    listen: channels.listen,
    async close() {
      if (isClosed) return;
      await turns.take(async () => {
        if (isClosed) return;
        clearTimeout(healTimer);
        if (broken === undefined) await commits.durable().catch(() => undefined);
        isClosed = true;
        if (connections !== undefined) closeConnections(connections, broken === undefined ? "fold the log" : "keep the log");
        connections = undefined;
      });
    },
  };
}

interface Committed<T> {
  readonly value: T;
  readonly attempt: Attempt;
  readonly durable: Promise<void>;
}

function openConnections(path: string): Connections {
  const settings = "pragma temp_store = memory; pragma case_sensitive_like = on; pragma cache_size = -16000; pragma mmap_size = 268435456";
  const writer = openSqliteConnection(path, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    // A checkpoint happens when this module says so, and only over what is durable.
    writer.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma journal_size_limit = 67108864; ${settings}`);
    const reader = openSqliteConnection(path, { timeout: 1_000, readOnly: true });
    reader.exec(settings);
    return { writer, reader, logFd: undefined };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** The last connection to close copies the log into the database and removes it, unless it cannot write. */
function closeConnections(connections: Connections, mode: "fold the log" | "keep the log"): void {
  const { writer, reader, logFd } = connections;
  if (logFd !== undefined) closeSync(logFd);
  for (const connection of mode === "fold the log" ? [reader, writer] : [writer, reader]) connection.close();
}

function isBusy(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number" && (cause.errcode & 0xff) === 5;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(databaseUnavailable(new Error(`a transaction took longer than ${ms} ms`))), ms);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
