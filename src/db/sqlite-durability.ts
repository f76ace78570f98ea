import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import type { Log } from "../core/log.ts";
import { databaseUnavailable } from "./errors.ts";
import { createGroupCommit } from "./group-commit.ts";
import { openSqliteConnection, type SqliteConnection } from "./sqlite-connection.ts";
import { installCutLog, isSameMark, type LogMark, logPath, logStart, readSalts, removeCutLog, syncFolder, writeCutLog } from "./sqlite-log.ts";

/** The two connections to a database, and when what was committed is durable. */
export interface DurableSqlite {
  /** The only connection that writes. @throws ForgeError `unavailable` while nothing can be acknowledged */
  writer(): SqliteConnection;
  /** Cannot write, and sees no open transaction. */
  reader(): SqliteConnection;
  /** The one that writes, to read with while nothing is uncommitted; the other one while nothing can be written. */
  idleWriter(): SqliteConnection;
  /** Called right after a COMMIT. @throws ForgeError `unavailable` when it could not be made durable: it is undone then */
  durable(): Promise<void>;
  /** Called while no transaction runs. */
  close(): Promise<void>;
}

export interface DurableSqliteOptions {
  readonly path: string;
  readonly log: Log;
  /** Runs something while no transaction does. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /**
   * `alone`: no other process writes this database. `beside`: another one serves it; then its log is left to that one,
   * and a sync that failed is not recovered from.
   */
  readonly mode: "alone" | "beside";
  /** Makes the bytes of a file durable; tests put failures here. */
  readonly syncFile?: ((fd: number) => Promise<void>) | undefined;
  /** Frames in the log from which on it is copied into the database. */
  readonly checkpointFrames?: number | undefined;
}

interface Connections {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
  /** Holds the log in its place during a checkpoint. */
  readonly pin: SqliteConnection;
  /** Opened with the first sync: until then there may be no log. */
  logFd: number | undefined;
  /** Opened with the first checkpoint. Closed after all connections: closing it drops the locks that SQLite has on the file. */
  databaseFd: number | undefined;
}

const defaultCheckpointFrames = 1_000;
const healDelaysMs = [0, 100, 500, 1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * COMMIT itself syncs nothing (`synchronous = normal`); the acknowledgement waits for a sync of the log on the thread pool that all
 * commits of that moment share. The log is copied into the database (a checkpoint) only when all of it is durable. So when a sync
 * fails, cutting the log at the last durable commit undoes exactly what was not acknowledged.
 */
export async function openDurableSqlite(options: DurableSqliteOptions): Promise<DurableSqlite> {
  const { path, log, mode } = options;
  const syncFile = options.syncFile ?? promisify(fdatasync);
  const checkpointFrames = options.checkpointFrames ?? defaultCheckpointFrames;

  let connections: Connections | undefined = openConnections(path);
  let isClosed = false;
  /** Why nothing can be acknowledged. */
  let broken: { readonly cause: unknown } | undefined;
  let durableMark: LogMark = logStart;
  let nextCheckpoint = checkpointFrames;
  let isCheckpointQueued = false;
  let healTimer: NodeJS.Timeout | undefined;

  const current = (): Connections => {
    if (isClosed) throw new Error("the database is closed");
    if (connections === undefined) throw databaseUnavailable(broken?.cause, { reason: "reopening" });
    return connections;
  };
  const assertSound = (): void => {
    if (broken !== undefined) throw databaseUnavailable(broken.cause, { reason: "a sync failed" });
  };

  const commits = createGroupCommit(async () => {
    assertSound();
    try {
      const open = current();
      const mark = markNow(open);
      if (isSameMark(mark, durableMark)) return;
      await syncFile(logFdOf(open));
      if (mark.salts !== durableMark.salts) nextCheckpoint = checkpointFrames;
      durableMark = mark;
    } catch (cause) {
      fail(cause);
      throw databaseUnavailable(cause, { reason: "a sync failed" });
    }
    if (durableMark.frames >= nextCheckpoint && mode === "alone") queueCheckpoint();
  });

  const logFdOf = (open: Connections): number => {
    open.logFd ??= openSync(logPath(path), "r+");
    return open.logFd;
  };
  const markNow = (open: Connections): LogMark => {
    const [row] = open.reader.run("pragma wal_checkpoint(noop)", []).rows as { log: number }[];
    return { salts: readSalts(logFdOf(open)), frames: row?.log ?? 0 };
  };

  function queueCheckpoint(): void {
    if (isCheckpointQueued || isClosed) return;
    isCheckpointQueued = true;
    const failed = (error: unknown): void => {
      if (!isClosed) log.warn({ err: error }, "the log could not be copied into the database; it grows until it can");
    };
    void options
      .exclusively(checkpoint)
      .catch(failed)
      .finally(() => {
        isCheckpointQueued = false;
      });
  }

  /**
   * Copies the log into the database, so that the next transaction starts it over. The copying takes a moment, the sync of the
   * database may take long: so SQLite does the one, and the thread pool the other, while transactions wait and reading goes on.
   */
  async function checkpoint(): Promise<void> {
    // No transaction runs meanwhile: after this the whole log is durable.
    await commits.durable();
    const open = current();
    // A reader in another process or a full disk leaves a part of it to a later time.
    nextCheckpoint = durableMark.frames + checkpointFrames;
    // Until the database is durable nobody may start the log over, a tool beside this process neither.
    open.pin.exec("begin; select name from sqlite_master limit 1");
    try {
      open.writer.exec("pragma synchronous = off");
      try {
        open.writer.run("pragma wal_checkpoint(passive)", []);
      } finally {
        open.writer.exec("pragma synchronous = normal");
      }
      open.databaseFd ??= openSync(path, "r+");
      await syncFile(open.databaseFd).catch((cause: unknown) => {
        fail(cause);
        throw cause;
      });
    } finally {
      open.pin.exec("rollback");
    }
  }

  function fail(cause: unknown): void {
    if (broken !== undefined || isClosed) return;
    broken = { cause };
    log.error({ err: cause }, "the log of the database could not be made durable: no change is taken until it can");
    if (mode === "alone") scheduleHeal(0);
  }

  function scheduleHeal(attempt: number): void {
    const healed = (): void => log.info({}, "the database is durable again");
    const failed = (error: unknown): void => {
      if (isClosed) return;
      log.warn({ err: error, attempt }, "the database could not be opened again");
      scheduleHeal(attempt + 1);
    };
    healTimer = setTimeout(() => void options.exclusively(heal).then(healed, failed), healDelaysMs[Math.min(attempt, healDelaysMs.length - 1)]);
    healTimer.unref();
  }

  /** Takes the database back to the last durable commit, proves that the disk takes it, and goes on. The failed sync is never asked for again. */
  async function heal(): Promise<void> {
    if (isClosed) return;
    if (connections !== undefined) {
      await writeCutLog(path, durableMark);
      closeConnections(connections, "keep the log");
      connections = undefined;
      installCutLog(path);
    }
    connections = openConnections(path);
    await settle(connections);
    broken = undefined;
  }

  /** Makes durable what a log that was found holds: in the database if that can be, else where it is. */
  async function settle(open: Connections): Promise<void> {
    removeCutLog(path);
    await syncFolder(path);
    try {
      open.writer.run("pragma wal_checkpoint(truncate)", []);
    } catch (error) {
      log.warn({ err: error }, "the log could not be copied into the database; it grows until it can");
    }
    const mark = markNow(open);
    if (mark.frames > 0) await syncFile(logFdOf(open));
    durableMark = mark;
    nextCheckpoint = mark.frames + checkpointFrames;
  }

  if (mode === "alone") {
    try {
      await settle(connections);
    } catch (error) {
      closeConnections(connections, "keep the log");
      throw error;
    }
  }
  return {
    writer() {
      assertSound();
      return current().writer;
    },
    reader: () => current().reader,
    idleWriter: () => (broken === undefined ? current().writer : current().reader),
    durable: commits.durable,
    async close() {
      if (isClosed) return;
      clearTimeout(healTimer);
      // Whoever waits for this has the error; closing goes on.
      await commits.durable().catch(() => undefined);
      isClosed = true;
      if (connections === undefined) return;
      const mustCut = broken !== undefined && mode === "alone";
      const isCut =
        mustCut &&
        (await writeCutLog(path, durableMark).then(
          () => true,
          (error: unknown) => {
            log.error({ err: error }, "changes that were refused could not be taken back; they may be there after the next start");
            return false;
          },
        ));
      closeConnections(connections, broken === undefined ? "fold the log" : "keep the log");
      connections = undefined;
      if (isCut) installCutLog(path);
    },
  };
}

function openConnections(path: string): Connections {
  const settings = "pragma temp_store = memory; pragma case_sensitive_like = on; pragma cache_size = -16000";
  const writer = openSqliteConnection(path, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    // A checkpoint happens when this module says so, and only over what is durable.
    writer.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma journal_size_limit = 67108864; ${settings}`);
    const reader = openSqliteConnection(path, { timeout: 1_000, readOnly: true });
    reader.exec(settings);
    const pin = openSqliteConnection(path, { timeout: 1_000, readOnly: true });
    return { writer, reader, pin, logFd: undefined, databaseFd: undefined };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** The last connection to close copies the log into the database and removes it, unless it is one that cannot write. */
function closeConnections({ writer, reader, pin, logFd, databaseFd }: Connections, mode: "fold the log" | "keep the log"): void {
  if (logFd !== undefined) closeSync(logFd);
  for (const connection of mode === "fold the log" ? [pin, reader, writer] : [writer, pin, reader]) connection.close();
  if (databaseFd !== undefined) closeSync(databaseFd);
}
