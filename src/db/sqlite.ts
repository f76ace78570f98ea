import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { createChannels } from "./channels.ts";
import type { Db, DbCounters, Tx } from "./db.ts";
import { databaseUnavailable, isBusy } from "./errors.ts";
import { createQueryBuilder } from "./query-builder.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { type DurableSqliteOptions, openDurableSqlite } from "./sqlite-durability.ts";
import { type Attempt, createAttempt } from "./transaction.ts";
import { createTurns } from "./turns.ts";

export interface SqliteOptions extends Omit<DurableSqliteOptions, "exclusively"> {
  readonly log: Log;
  readonly clock: Clock;
  readonly onStatement?: ((sql: string) => void) | undefined;
  readonly maxTransactionMs?: number | undefined;
}

/** A transaction awaits the database only, which answers at once: one that takes so long waits for something that never comes. */
const defaultMaxTransactionMs = 10_000;
const maxWaitMs = 15_000;
/** Another process (an administrator's tool) may hold the write lock for so long. */
const maxBusyMs = 10_000;
const busyPauseMs = 10;

interface Committed<T> {
  readonly value: T;
  readonly attempt: Attempt;
  readonly durable: Promise<void>;
}

/** Opens a SQLite database: transactions take turns on the writing connection, and the next one begins while the last one is made durable. */
export async function openSqlite(options: SqliteOptions): Promise<Db> {
  const { maxTransactionMs = defaultMaxTransactionMs } = options;
  const counters: DbCounters = { statements: 0, transactions: 0 };
  const turns = createTurns({ maxWaitMs });
  const channels = createChannels();
  const sqlite = await openDurableSqlite({ ...options, exclusively: turns.take });
  const count = (sql: string): void => {
    counters.statements += 1;
    options.onStatement?.(sql);
  };

  async function begin(): Promise<SqliteConnection> {
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

  async function runTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<Committed<T>> {
    const writer = await begin();
    const attempt = createAttempt({
      dialect: "sqlite",
      nowMs: options.clock.now(),
      channels,
      run: async (text, parameters) => {
        count(text);
        return writer.run(text, parameters);
      },
      runScript: async (text) => {
        count(text);
        writer.exec(text);
      },
    });
    try {
      const value = await within(maxTransactionMs, attempt.perform(work));
      attempt.end();
      // A sync may have failed meanwhile: what is committed now would be undone.
      sqlite.writer().run("commit", []);
      counters.transactions += 1;
      return { value, attempt, durable: sqlite.durable() };
    } catch (error) {
      attempt.end();
      if (writer.isTransaction) writer.run("rollback", []);
      throw error;
    }
  }

  return {
    dialect: "sqlite",
    counters,
    sql: createQueryBuilder("sqlite", async (text, parameters) => {
      count(text);
      return sqlite.reader().run(text, parameters);
    }),
    async tx(work) {
      sqlite.writer();
      const committed = await turns.take(() => runTransaction(work));
      await committed.durable;
      committed.attempt.committed();
      return committed.value;
    },
    listen: channels.listen,
    beforeCommit: channels.beforeCommit,
    close: () => turns.take(sqlite.close),
  };
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
