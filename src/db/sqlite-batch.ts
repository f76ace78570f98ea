import { databaseUnavailable, isBusy } from "./errors.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { DurableSqlite } from "./sqlite-durability.ts";

/**
 * The transactions of one turn of the event loop, which share a COMMIT. Each is as isolated as if it had its own: they follow one another,
 * each in a savepoint, and none is acknowledged before the commit of all is durable. What they share is the writing: a page that several
 * of them change (the end of a table, of an index) goes to the log once.
 */
export interface SqliteBatch {
  /** Begins a transaction. Called while no other one runs. @throws ForgeError `unavailable` */
  join(): Promise<BatchMember>;
  /** Commits what was kept. Called while no transaction runs. */
  commit(): void;
  /** Whether there is something uncommitted, which nobody outside may see. */
  isOpen(): boolean;
  /** Resolves when what has been kept so far is committed, and rejects when it is undone. */
  closed(): Promise<void>;
}

/** A transaction that runs; one of its ends is called once. */
export interface BatchMember {
  readonly writer: SqliteConnection;
  /**
   * Leaves the transaction to the commit of its batch.
   * @returns what resolves when that is durable, and rejects when it was undone
   * @throws ForgeError `unavailable` when nothing can be acknowledged; the transaction still runs then
   */
  keep(): Promise<void>;
  /** Takes back what the transaction did. */
  undo(cause: unknown): void;
}

interface Open {
  readonly writer: SqliteConnection;
  /** One for each transaction that was kept. */
  readonly kept: PromiseWithResolvers<void>[];
  readonly closed: PromiseWithResolvers<void>;
  isRunning: boolean;
  /** The turn of the event loop ended while a transaction ran. */
  isDue: boolean;
}

/** Another process (an administrator's tool) may hold the write lock for so long. */
const maxBusyMs = 10_000;
const busyPauseMs = 10;

export function createSqliteBatch(sqlite: Pick<DurableSqlite, "writer" | "durable">): SqliteBatch {
  let open: Open | undefined;

  async function begin(): Promise<Open> {
    for (const start = performance.now(); ; ) {
      const writer = sqlite.writer();
      try {
        writer.run("begin immediate", []);
        const closed = Promise.withResolvers<void>();
        closed.promise.catch(() => {});
        return { writer, kept: [], closed, isRunning: true, isDue: false };
      } catch (error) {
        if (!isBusy(error) || performance.now() - start > maxBusyMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, busyPauseMs));
      }
    }
  }

  function abandon(batch: Open, error: unknown): void {
    open = undefined;
    for (const { reject } of [...batch.kept, batch.closed]) reject(error);
    if (batch.writer.isTransaction) batch.writer.run("rollback", []);
  }

  function commit(batch: Open): void {
    try {
      // A sync may have failed meanwhile: what is committed now would be undone.
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
        // Nothing is lost but this one, unless SQLite has taken back everything itself, as it does when the disk is full.
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
