import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { createChannels } from "./channels.ts";
import type { Db, DbCounters, Reader, StatementListener, Tx } from "./db.ts";
import { databaseUnavailable } from "./errors.ts";
import { singleServerPresence } from "./presence.ts";
import { createQueryBuilder } from "./query-builder.ts";
import { createSqliteBatch } from "./sqlite-batch.ts";
import { type DurableSqliteOptions, openDurableSqlite } from "./sqlite-durability.ts";
import { createSeparateCommits, openFullSqlite } from "./sqlite-full.ts";
import { type Attempt, createAttempt } from "./transaction.ts";
import { createTransactionQueue } from "./transaction-queue.ts";

/**
 * How commits become durable. `group`: concurrent transactions share a COMMIT and a sync of the log outside of SQLite. `full`: SQLite syncs each
 * COMMIT, and no code of this folder touches its log.
 */
export type SqliteDurability = "group" | "full";

export interface SqliteOptions extends Omit<DurableSqliteOptions, "exclusively"> {
  readonly log: Log;
  readonly clock: Clock;
  readonly onStatement?: StatementListener | undefined;
  readonly maxTransactionMs?: number | undefined;
  /** `group` by default. */
  readonly durability?: SqliteDurability | undefined;
}

/** A transaction awaits only the database, which answers quickly: one that takes this long is waiting for an event that never comes. */
const defaultMaxTransactionMs = 10_000;
const maxWaitMs = 15_000;
/** A transaction whose work is done, with the promise of its durability. */
interface Performed<T> {
  readonly value: T;
  readonly attempt: Attempt;
  readonly durable: Promise<void>;
}

/**
 * Opens a SQLite database. Transactions run one at a time on the writing connection; the next one begins while the last one is made
 * durable.
 */
export async function openSqlite(options: SqliteOptions): Promise<Db> {
  const { maxTransactionMs = defaultMaxTransactionMs } = options;
  const counters: DbCounters = { statements: 0, transactions: 0 };
  const turns = createTransactionQueue({ maxWaitMs });
  const channels = createChannels();
  /** Runs work while no transaction is running or waiting for its commit. */
  const exclusively = <T>(work: () => Promise<T>): Promise<T> =>
    turns.take(() => {
      batch.commit();
      return work();
    });
  const isFull = options.durability === "full";
  const sqlite = isFull ? openFullSqlite(options.path) : await openDurableSqlite({ ...options, exclusively });
  const batch = isFull ? createSeparateCommits(sqlite) : createSqliteBatch(sqlite);
  const count = (sql: string, parameters: readonly unknown[] = []): void => {
    counters.statements += 1;
    options.onStatement?.(sql, parameters);
  };

  async function runTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<Performed<T>> {
    const member = await batch.join();
    const attempt = createAttempt({
      dialect: "sqlite",
      nowMs: options.clock.now(),
      channels,
      run: async (text, parameters) => {
        count(text, parameters);
        return member.writer.run(text, parameters);
      },
      runScript: async (text) => {
        count(text);
        member.writer.exec(text);
      },
    });
    try {
      const value = await within(maxTransactionMs, attempt.perform(work));
      attempt.end();
      const durable = member.keep();
      counters.transactions += 1;
      return { value, attempt, durable };
    } catch (error) {
      attempt.end();
      member.undo(error);
      throw error;
    }
  }

  const reader: Reader = {
    dialect: "sqlite",
    sql: createQueryBuilder("sqlite", async (text, parameters) => {
      count(text, parameters);
      // The writing connection's cache contains the latest writes; the reading connection's cache is invalidated by each commit.
      const connection = batch.isOpen() || !isReading(text) ? sqlite.reader() : sqlite.idleWriter();
      return connection.run(text, parameters);
    }),
  };

  return {
    ...reader,
    counters,
    together: () => reader,
    releaseMemory() {
      try {
        for (const connection of [sqlite.idleWriter(), sqlite.reader()]) connection.exec("pragma shrink_memory");
      } catch (error) {
        options.log.warn({ err: error }, "the memory of the database could not be freed");
      }
    },
    async tx(work) {
      sqlite.writer();
      const performed = await turns
        .take(() => runTransaction(work))
        .catch(async (error: unknown) => {
          // The failure may depend on an earlier transaction of the batch that readers cannot see yet. A caller that looks for the cause
          // must see it.
          await batch.closed();
          throw error;
        });
      await performed.durable;
      performed.attempt.committed();
      return performed.value;
    },
    listen: channels.listen,
    beforeCommit: channels.beforeCommit,
    notifyOthers: () => undefined,
    join: async () => singleServerPresence(),
    close: () => exclusively(sqlite.close),
  };
}

/** Whether a statement is certain to be read-only. Misclassified reads are safe on the read-only connection. */
const isReading = (sql: string): boolean => {
  if (sql.startsWith("select ")) return true;
  return sql.startsWith("with ") && !/\b(insert|update|delete|replace)\b/.test(sql);
};

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
