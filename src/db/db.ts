import type { Kysely } from "kysely";
import type { Presence } from "./presence.ts";
import type { Tables } from "./tables.ts";

/** The read-only part of the query builder. Writing outside a transaction does not compile (and fails at run time). */
export type ReadSql = Pick<
  Kysely<Tables>,
  "selectFrom" | "selectNoFrom" | "with" | "withRecursive" | "fn" | "case" | "dynamic" | "executeQuery" | "getExecutor"
>;
export type WriteSql = ReadSql & Pick<Kysely<Tables>, "insertInto" | "replaceInto" | "updateTable" | "deleteFrom" | "mergeInto">;

export type DialectName = "sqlite" | "postgres";

/**
 * A handle for reading. Store functions that only read take this type, so that they work both outside and inside a transaction.
 * `sql` is the query builder; every statement run through it is counted (see {@link DbCounters}).
 */
export interface Reader {
  readonly sql: ReadSql;
  readonly dialect: DialectName;
}

/** The database. Reads outside a transaction never see uncommitted changes. */
export interface Db extends Reader {
  readonly counters: DbCounters;
  /**
   * A reader for the lists of one page. Its statements that begin in the same turn of the event loop share connections, which costs this process less than
   * a connection for each. They wait for each other, but not for those of other requests.
   */
  together(): Reader;
  /** Frees the pages of the embedded database that are in memory. Later statements read them again. */
  releaseMemory(): void;
  /**
   * Runs `work` in one serialized (SQLite) or serializable, retried (PostgreSQL) transaction.
   * Resolves only when the commit is durable and the `onCommit` callbacks have been started.
   * `work` must await only the database, and may run several times, so it must have no other side effects.
   * A failed statement dooms the transaction, even if `work` catches the error: it is rolled back and `tx` rejects.
   * @throws ForgeError `unavailable` if the database is unreachable or the disk is full; no change was made then.
   * One exception has `meta.outcome: "unknown"`: the connection to PostgreSQL broke during COMMIT.
   * @throws DbConstraintError for a violated unique or foreign key (`errors.ts`)
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Receives values that transactions {@link Tx.announce}, and that other processes send. @returns a function that unsubscribes */
  listen(channel: Channel, listener: (value: unknown) => void): () => void;
  /**
   * Runs `handler` at the end of every transaction of this process that announced values on the channel, with all values accepted by
   * `wants` (default: all): for effects that must be stored with the change. A handler that throws rolls back the transaction.
   * @returns a function that unregisters it
   */
  beforeCommit(channel: Channel, handler: BeforeCommit, wants?: (value: unknown) => boolean): () => void;
  /**
   * Sends a value to the listeners of the other processes that are visible as this one is ({@link join}). It is JSON of at most a few thousand bytes. It can be
   * lost, so these processes must find the data in a table too, only later.
   */
  notifyOthers(channel: Channel, value: unknown): void;
  /**
   * Makes this process visible to the others that serve the database. Close the presence before the database. @throws ForgeError
   * `unavailable`
   */
  join(): Promise<Presence>;
  close(): Promise<void>;
}

/** Like the work of a transaction, it must await only the database, and may run several times. */
export type BeforeCommit = (tx: Tx, values: readonly unknown[]) => Promise<void>;

/** Channels on which a committed transaction notifies listeners in this process, and on `actions` and `migrations` those in others as well. */
export type Channel = "actions" | "events" | "jobs" | "migrations" | "refs" | "stores";

/** A handle for writing. Store functions that write take this type, so their signature shows that they need a transaction. */
export interface Tx extends Reader {
  readonly sql: WriteSql;
  readonly inTransaction: true;
  /** Runs any number of statements without parameters as one counted statement: for schema changes. */
  script(text: string): Promise<void>;
  /** Runs after the commit is durable and before {@link Db.tx} resolves. Must not throw; for wake-ups only, not for durable effects. */
  onCommit(callback: () => void): void;
  /** Notifies listeners after the commit is durable. Only a wake-up: the data is in a table. */
  announce(channel: Channel, value: unknown): void;
  /** Start of the transaction, by the database's clock. */
  readonly nowMs: number;
}

/** Called with the SQL and the parameters of a counted statement. */
export type StatementListener = (sql: string, parameters: readonly unknown[]) => void;

export interface DbCounters {
  /** Statements since the start, without BEGIN and COMMIT. */
  statements: number;
  transactions: number;
}
