import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * A handle for reading. Store functions that only read take this type, so they work on the database and inside a transaction alike.
 * `sql` is the query builder; every statement run through it is counted (see {@link DbCounters}).
 */
export interface Reader {
  readonly sql: Kysely<Tables>;
  readonly dialect: "sqlite" | "postgres";
}

/** The database. Reading outside a transaction never sees an open one. */
export interface Db extends Reader {
  readonly counters: DbCounters;
  /**
   * Runs `work` in one serialised (SQLite) or serializable-retried (PostgreSQL) transaction.
   * Resolves only when the commit is durable; then the `onCommit` callbacks have been started.
   * `work` awaits nothing but the database and can be run again from the start, so it has no other effect.
   * @throws ForgeError `unavailable` when the database is out of reach or the disk is full; nothing was changed then.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A handle for writing. A store function that writes takes this type: its signature says that it needs a transaction. */
export interface Tx extends Reader {
  readonly inTransaction: true;
  /** Runs after the commit is durable and before {@link Db.tx} resolves. Must not throw; used for wake-ups, never for facts. */
  onCommit(callback: () => void): void;
}

export interface DbCounters {
  /** Statements sent since the start, BEGIN and COMMIT not counted. */
  statements: number;
  transactions: number;
}
