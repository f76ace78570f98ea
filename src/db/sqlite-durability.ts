import { closeSync, fdatasync, openSync, readSync } from "node:fs";
import { promisify } from "node:util";
import type { Log } from "../core/log.ts";
import { databaseUnavailable } from "./errors.ts";
import { createGroupCommit } from "./group-commit.ts";
import { openSqliteConnection, type SqliteConnection } from "./sqlite-connection.ts";
import type { FollowedDatabase, LogFollower } from "./sqlite-follow.ts";
import { installCutLog, isSameMark, type LogMark, logPath, logStart, readSalts, removeCutLog, syncFolder, writeCutLog } from "./sqlite-log.ts";

/** The two connections of a database, with tracking of durable commits. */
export interface DurableSqlite {
  /** The only connection that writes. @throws ForgeError `unavailable` while commits cannot be acknowledged */
  writer(): SqliteConnection;
  /** Read-only, and does not see open transactions. */
  reader(): SqliteConnection;
  /** The writing connection, for reads while there are no uncommitted changes; the reading connection while writes are impossible. */
  idleWriter(): SqliteConnection;
  /** Call right after a COMMIT. @throws ForgeError `unavailable` if it could not be made durable: it is rolled back then */
  durable(): Promise<void>;
  /** Only while no transaction is running. */
  close(): Promise<void>;
}

export interface DurableSqliteOptions {
  readonly path: string;
  readonly log: Log;
  /** Runs work while no transaction is running. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /**
   * `exclusive`: no other process writes to this database. `shared`: another process serves it; checkpoints are left to that process, and
   * there is no recovery from a failed sync.
   */
  readonly mode: "exclusive" | "shared";
  /** Syncs a file; tests inject failures here. */
  readonly syncFile?: ((fd: number) => Promise<void>) | undefined;
  /** Number of frames in the log that triggers a checkpoint. */
  readonly checkpointFrames?: number | undefined;
  /** Receives the durable transactions of an exclusive database. */
  readonly follower?: LogFollower | undefined;
}

interface Connections {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
  /** Keeps the log from being restarted during a checkpoint. */
  readonly pin: SqliteConnection;
  /** Opened with the first sync: the log may not exist before. */
  logFd: number | undefined;
  /** Opened with the first checkpoint. Closed after all connections: closing it drops SQLite's locks on the file. */
  databaseFd: number | undefined;
}

const defaultCheckpointFrames = 1_000;
const healDelaysMs = [0, 100, 500, 1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * COMMIT itself does not sync (`synchronous = normal`). The acknowledgement waits for a sync of the log on the thread pool, shared by all
 * concurrent commits. The log is copied into the database (a checkpoint) only when all of it is durable. Hence, if a sync fails, truncating
 * the log at the last durable commit removes exactly the unacknowledged changes.
 */
export async function openDurableSqlite(options: DurableSqliteOptions): Promise<DurableSqlite> {
  const { path, log, mode } = options;
  const follower = mode === "exclusive" ? options.follower : undefined;
  const syncFile = options.syncFile ?? promisify(fdatasync);
  const checkpointFrames = options.checkpointFrames ?? defaultCheckpointFrames;

  let connections: Connections | undefined = openConnections(path);
  let isClosed = false;
  /** Why commits cannot be acknowledged. */
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
      follower?.durable(mark);
    } catch (cause) {
      fail(cause);
      throw databaseUnavailable(cause, { reason: "a sync failed" });
    }
    if (durableMark.frames >= nextCheckpoint && mode === "exclusive") queueCheckpoint();
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
   * Copies the log into the database, so that the next transaction restarts the log. Copying is quick, but the sync of the database may be
   * slow: SQLite does the former, and the thread pool the latter, while transactions wait and reads continue.
   * @returns whether the database has all of the log
   */
  async function checkpoint(): Promise<boolean> {
    // No transaction is running: after this the whole log is durable.
    await commits.durable();
    const open = current();
    // A reader in another process or a full disk leaves the rest for later.
    nextCheckpoint = durableMark.frames + checkpointFrames;
    if (follower?.mayRestart(durableMark) === false) return false;
    let isComplete = false;
    // The log must not restart until the database is durable, not even by a tool in another process.
    open.pin.exec("begin; select name from sqlite_master limit 1");
    try {
      open.writer.exec("pragma synchronous = off");
      try {
        const [row] = open.writer.run("pragma wal_checkpoint(passive)", []).rows as { busy: number; log: number; checkpointed: number }[];
        isComplete = row !== undefined && row.busy === 0 && row.log === row.checkpointed;
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
    return isComplete;
  }

  const followed: FollowedDatabase = {
    path,
    checkpoint: (copied) =>
      options.exclusively(async () => {
        const isComplete = await checkpoint();
        if (isComplete) copied(durableMark);
        return isComplete;
      }),
    look: () => commits.durable(),
    readFile(into, position) {
      const { databaseFd } = current();
      if (databaseFd === undefined) throw new Error("the database was reopened");
      return readSync(databaseFd, into, 0, into.length, position);
    },
  };

  function fail(cause: unknown): void {
    if (broken !== undefined || isClosed) return;
    broken = { cause };
    log.error({ err: cause }, "the log of the database could not be made durable: no changes are accepted until it can");
    if (mode === "exclusive") scheduleHeal(0);
  }

  function scheduleHeal(attempt: number): void {
    const healed = (): void => log.info({}, "the database is durable again");
    const failed = (error: unknown): void => {
      if (isClosed) return;
      log.warn({ err: error, attempt }, "the database could not be reopened");
      scheduleHeal(attempt + 1);
    };
    healTimer = setTimeout(() => void options.exclusively(heal).then(healed, failed), healDelaysMs[Math.min(attempt, healDelaysMs.length - 1)]);
    healTimer.unref();
  }

  /** Resets the database to the last durable commit, verifies that the disk accepts it, and resumes. The failed sync is never retried. */
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
    follower?.opened(followed);
    broken = undefined;
  }

  /** Makes the contents of an existing log durable: in the database if possible, otherwise in the log. */
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

  if (mode === "exclusive") {
    try {
      await settle(connections);
      follower?.opened(followed);
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
      // Callers that wait for this receive the error; closing continues.
      await commits.durable().catch(() => undefined);
      isClosed = true;
      if (connections === undefined) return;
      const mustCut = broken !== undefined && mode === "exclusive";
      const isCut =
        mustCut &&
        (await writeCutLog(path, durableMark).then(
          () => true,
          (error: unknown) => {
            log.error({ err: error }, "rejected changes could not be rolled back; they may reappear after the next start");
            return false;
          },
        ));
      closeConnections(connections, broken === undefined ? "fold the log" : "keep the log");
      connections = undefined;
      if (isCut) installCutLog(path);
    },
  };
}

/** Settings of every connection. */
export const connectionSettings = "pragma temp_store = memory; pragma case_sensitive_like = on; pragma cache_size = -16000";

function openConnections(path: string): Connections {
  const writer = openSqliteConnection(path, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    // Checkpoints are run only by this module, and only over durable content.
    writer.exec(
      `pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma journal_size_limit = 67108864; ${connectionSettings}`,
    );
    const reader = openSqliteConnection(path, { timeout: 1_000, readOnly: true });
    reader.exec(connectionSettings);
    const pin = openSqliteConnection(path, { timeout: 1_000, readOnly: true });
    return { writer, reader, pin, logFd: undefined, databaseFd: undefined };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** The last connection to close copies the log into the database and removes it, unless it is read-only. */
function closeConnections({ writer, reader, pin, logFd, databaseFd }: Connections, mode: "fold the log" | "keep the log"): void {
  if (logFd !== undefined) closeSync(logFd);
  for (const connection of mode === "fold the log" ? [pin, reader, writer] : [writer, pin, reader]) connection.close();
  if (databaseFd !== undefined) closeSync(databaseFd);
}
