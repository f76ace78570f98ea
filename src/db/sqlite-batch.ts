import { databaseUnavailable, isBusy } from "./errors.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { DurableSqlite } from "./sqlite-durability.ts";

/**
 * The transactions of one event loop turn, which share a COMMIT. Each is as isolated as if it had its own: they run one after another, each
 * in a savepoint, and none is acknowledged before the shared commit is durable. Sharing saves writes: a page changed by several of them
 * (the end of a table or index) is written to the log once.
 */
export interface SqliteBatch {
  /** Begins a transaction. Only while no other one is running. @throws ForgeError `unavailable` */
  join(): Promise<BatchMember>;
  /** Commits the kept transactions. Only while no transaction is running. */
  commit(): void;
  /** Whether there are uncommitted changes, which readers must not see. */
  isOpen(): boolean;
  /** Resolves when everything kept so far is committed; rejects if it is rolled back. */
  closed(): Promise<void>;
}

/** A running transaction; exactly one of its ends must be called once. */
export interface BatchMember {
  readonly writer: SqliteConnection;
  /**
   * Leaves the transaction to the batch's commit.
   * @returns a promise that resolves when it is durable, and rejects if it was rolled back
   * @throws ForgeError `unavailable` if commits cannot be acknowledged; the transaction is still running then
   */
  keep(): Promise<void>;
  /** Rolls the transaction back. */
  undo(cause: unknown): void;
}

interface Open {
  readonly writer: SqliteConnection;
  /** One for each kept transaction. */
  readonly kept: PromiseWithResolvers<void>[];
  readonly closed: PromiseWithResolvers<void>;
  isRunning: boolean;
  /** The event loop turn ended while a transaction was running. */
  isDue: boolean;
}

/** Maximum time that another process (an administrator's tool) may keep the write lock. */
const maxBusyMs = 10_000;
const busyPauseMs = 10;

/** Begins a transaction that can write, and waits for other processes. @throws ForgeError `unavailable` */
export async function beginImmediate(sqlite: Pick<DurableSqlite, "writer">): Promise<SqliteConnection> {
  for (const start = performance.now(); ; ) {
    const writer = sqlite.writer();
    try {
      writer.run("begin immediate", []);
      return writer;
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > maxBusyMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, busyPauseMs));
    }
  }
}

export function createSqliteBatch(sqlite: Pick<DurableSqlite, "writer" | "durable">): SqliteBatch {
  let open: Open | undefined;

  async function begin(): Promise<Open> {
    const writer = await beginImmediate(sqlite);
    const closed = Promise.withResolvers<void>();
    closed.promise.catch(() => {});
    return { writer, kept: [], closed, isRunning: true, isDue: false };
  }

  function abandon(batch: Open, error: unknown): void {
    open = undefined;
    for (const { reject } of [...batch.kept, batch.closed]) reject(error);
    if (batch.writer.isTransaction) batch.writer.run("rollback", []);
  }

  function commit(batch: Open): void {
    try {
      // A sync may have failed meanwhile: a commit now would be rolled back.
      sqlite.writer();
      batch.writer.run("commit", []);
    } catch (error) {
      abandon(batch, error);
      return;
    }
    open = undefined;
    const durable = sqlite.durable();
    for (const { resolve } of batch.kept) resolve(durable);
    batch.closed.resolve();
  }

  function end(batch: Open): void {
    batch.isRunning = false;
    if (batch.isDue) commit(batch);
  }

  function memberOf(batch: Open, isFirst: boolean): BatchMember {
    const { writer, kept } = batch;
    return {
      writer,
      keep() {
        sqlite.writer();
        if (!isFirst) writer.run("release member", []);
        const durable = Promise.withResolvers<void>();
        kept.push(durable);
        end(batch);
        return durable.promise;
      },
      undo(cause) {
        // Only this transaction is lost, unless SQLite has rolled back everything itself, as it does when the disk is full.
        if (isFirst || !writer.isTransaction) return abandon(batch, databaseUnavailable(cause));
        try {
          writer.run("rollback to member", []);
          writer.run("release member", []);
        } catch (error) {
          return abandon(batch, error);
        }
        end(batch);
      },
    };
  }

  return {
    async join() {
      if (open !== undefined) {
        open.writer.run("savepoint member", []);
        open.isRunning = true;
        return memberOf(open, false);
      }
      const batch = await begin();
      open = batch;
      setImmediate(() => {
        if (open !== batch) return;
        if (batch.isRunning) batch.isDue = true;
        else commit(batch);
      });
      return memberOf(batch, true);
    },
    commit() {
      if (open !== undefined) commit(open);
    },
    isOpen: () => open !== undefined,
    closed: async () => open?.closed.promise,
  };
}
