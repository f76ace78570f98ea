import type { Kysely } from "kysely";
import type { Presence } from "./presence.ts";
import type { Tables } from "./tables.ts";

/** What reading needs of the query builder. Writing outside a transaction does not compile (and fails when it is forced). */
export type ReadSql = Pick<
  Kysely<Tables>,
  "selectFrom" | "selectNoFrom" | "with" | "withRecursive" | "fn" | "case" | "dynamic" | "executeQuery" | "getExecutor"
>;
export type WriteSql = ReadSql & Pick<Kysely<Tables>, "insertInto" | "replaceInto" | "updateTable" | "deleteFrom" | "mergeInto">;

export type DialectName = "sqlite" | "postgres";

/**
 * A handle for reading. Store functions that only read take this type, so they work on the database and inside a transaction alike.
 * `sql` is the query builder; every statement run through it is counted (see {@link DbCounters}).
 */
export interface Reader {
  readonly sql: ReadSql;
  readonly dialect: DialectName;
}

/** The database. Reading outside a transaction never sees an open one. */
export interface Db extends Reader {
  readonly counters: DbCounters;
  /**
   * Runs `work` in one serialised (SQLite) or serializable-retried (PostgreSQL) transaction.
   * Resolves only when the commit is durable; then the `onCommit` callbacks have been started.
   * `work` awaits nothing but the database and can be run again from the start, so it has no other effect.
   * A statement that fails dooms the transaction, whatever `work` does with the error: it is rolled back and `tx` rejects.
   * @throws ForgeError `unavailable` when the database is out of reach or the disk is full; nothing was changed then.
   *   One exception, told by `meta.outcome: "unknown"`: the connection to PostgreSQL broke while COMMIT was under way.
   * @throws DbConstraintError for a broken unique or foreign key (`errors.ts`)
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Hears what transactions of this process {@link Tx.announce}. @returns the end of listening */
  listen(channel: Channel, listener: (value: unknown) => void): () => void;
  /**
   * Runs `handler` at the end of every transaction of this process that announced something on the channel, with all of it that the handler
   * `wants` (everything unless told): for what must be there with the change. A handler that throws undoes the transaction. @returns the end of it
   */
  beforeCommit(channel: Channel, handler: BeforeCommit, wants?: (value: unknown) => boolean): () => void;
  /** Makes this process visible to the others that serve the database. The caller closes the presence before the database. @throws ForgeError `unavailable` */
  join(): Promise<Presence>;
  close(): Promise<void>;
}

/** Like the work of a transaction: it awaits nothing but the database, and can be run again. */
export type BeforeCommit = (tx: Tx, values: readonly unknown[]) => Promise<void>;

/** Whom a committed transaction wakes in this process. */
export type Channel = "events" | "jobs" | "migrations" | "refs";

/** A handle for writing. A store function that writes takes this type: its signature says that it needs a transaction. */
export interface Tx extends Reader {
  readonly sql: WriteSql;
  readonly inTransaction: true;
  /** Runs any number of statements without parameters in one go, which counts as one statement: for changes of the schema. */
  script(text: string): Promise<void>;
  /** Runs after the commit is durable and before {@link Db.tx} resolves. Must not throw; used for wake-ups, never for facts. */
  onCommit(callback: () => void): void;
  /** Tells the listeners of this process after the commit is durable: a wake-up, the fact is in a table. */
  announce(channel: Channel, value: unknown): void;
  /** When the transaction began, by the database's clock. */
  readonly nowMs: number;
}

export interface DbCounters {
  /** Statements sent since the start, BEGIN and COMMIT not counted. */
  statements: number;
  transactions: number;
}
