import { type ForgeError, invalid, isForgeError, unavailable } from "../core/errors.ts";

/** A violated schema constraint, the same for both dialects. Services convert it into their own error. */
export class DbConstraintError extends Error {
  readonly kind: ConstraintKind;
  /** Unique: `table.column,column` in the index's order; otherwise empty (SQLite does not name foreign keys). */
  readonly key: string;

  constructor(kind: ConstraintKind, key: string, cause: unknown) {
    super(`${kind} constraint broken${key === "" ? "" : `: ${key}`}`, { cause });
    this.name = "DbConstraintError";
    this.kind = kind;
    this.key = key;
  }
}

export type ConstraintKind = "unique" | "foreign_key" | "not_null" | "check";

/** @param key `accounts.name_folded`, `repositories.owner_id,name_folded`; absent: any */
export function isUniqueViolation(error: unknown, key?: string): boolean {
  return error instanceof DbConstraintError && error.kind === "unique" && (key === undefined || error.key === key);
}

/** A referenced row is missing, or a row referenced with `restrict` was to be deleted. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof DbConstraintError && error.kind === "foreign_key";
}

/** Retry-After in seconds if the database is unavailable. */
const retryAfter = 5;

export const databaseUnavailable = (cause: unknown, meta: Readonly<Record<string, unknown>> = {}): ForgeError =>
  unavailable("the database is not available at the moment", { retryAfter, cause, meta });

/** Other transactions changed the same rows during every attempt. */
export const retriesExhausted = (cause: unknown): ForgeError =>
  unavailable("the same data was changed by too many requests at once; try again", { retryAfter: 1, cause, meta: { reason: "transactions collide" } });

export const uncertainOutcome = (cause: unknown): ForgeError =>
  unavailable("the connection to the database broke during the commit: check whether the change took effect", {
    retryAfter,
    cause,
    meta: { outcome: "unknown" },
  });

export const unstorableText = (cause?: unknown): ForgeError => invalid("a text must not contain the character U+0000", { cause });

/** Primary result codes (https://www.sqlite.org/rescode.html) caused by the machine, not by the statement. */
const sqliteUnavailable = new Map([
  [5, "busy"],
  [6, "locked"],
  [7, "out of memory"],
  [8, "read-only"],
  [10, "input/output error"],
  [13, "disk full"],
  [14, "cannot open"],
  [15, "locking protocol"],
]);

/** Converts an error of node:sqlite. Unknown errors are returned unchanged: they are bugs. */
export function convertSqliteError(error: unknown): unknown {
  if (!isSqliteError(error)) return error;
  const reason = sqliteUnavailable.get(error.errcode & 0xff);
  if (reason !== undefined) return databaseUnavailable(error, { reason });
  switch (error.errcode) {
    case 2067: // SQLITE_CONSTRAINT_UNIQUE
    case 1555: // SQLITE_CONSTRAINT_PRIMARYKEY
    case 2579: // SQLITE_CONSTRAINT_ROWID
      return new DbConstraintError("unique", sqliteUniqueKey(error.message), error);
    case 787: // SQLITE_CONSTRAINT_FOREIGNKEY
    case 1811: // SQLITE_CONSTRAINT_TRIGGER: reported for `on delete restrict`
      return new DbConstraintError("foreign_key", "", error);
    case 1299:
      return new DbConstraintError("not_null", "", error);
    case 275:
      return new DbConstraintError("check", "", error);
    default:
      return error;
  }
}

interface SqliteError extends Error {
  readonly errcode: number;
}

const isSqliteError = (error: unknown): error is SqliteError =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" && "code" in error && error.code === "ERR_SQLITE_ERROR";

/** The codes of SQLite for a full disk: when it writes pages, and when it extends the shared index of the log. */
const sqliteFull = new Set([13, 4874]);

/** Whether a database, or the disk of its files, is full. Looks at all causes of an error. */
export function isFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ((isSqliteError(cause) && sqliteFull.has(cause.errcode)) || ("code" in cause && cause.code === "ENOSPC")) return true;
  return false;
}

/** Another process has the write lock of a SQLite database. */
export function isBusy(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return isSqliteError(cause) && (cause.errcode & 0xff) === 5;
}

/** `UNIQUE constraint failed: t.a, t.b` -> `t.a,b` */
function sqliteUniqueKey(message: string): string {
  const columns = message.slice(message.indexOf(":") + 2).split(", ");
  const table = columns[0]?.split(".")[0] ?? "";
  return `${table}.${columns.map((column) => column.slice(table.length + 1)).join(",")}`;
}

/** SQLSTATE classes (PostgreSQL documentation, appendix A) caused by the machine: connection, resources, operator, system. */
const postgresUnavailableClasses = new Set(["08", "53", "57", "58"]);
const networkCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOENT", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN", "ENOTFOUND"]);

/** Converts an error of `pg`. Unknown errors are returned unchanged: they are bugs. */
export function convertPostgresError(error: unknown): unknown {
  if (isLostConnection(error)) return databaseUnavailable(error, { reason: "connection lost" });
  const code = errorCodeOf(error);
  if (code === undefined) return error;
  if (code.length === 5 && postgresUnavailableClasses.has(code.slice(0, 2))) return databaseUnavailable(error, { reason: code });
  switch (code) {
    case "23505":
      return new DbConstraintError("unique", postgresUniqueKey(error), error);
    case "23503":
    case "23001":
      return new DbConstraintError("foreign_key", "", error);
    case "23502":
      return new DbConstraintError("not_null", "", error);
    case "23514":
      return new DbConstraintError("check", "", error);
    case "55P03": // lock_not_available
      return databaseUnavailable(error, { reason: "lock timeout" });
    case "22021":
    case "22P05":
      return unstorableText(error);
    default:
      return error;
  }
}

/** Serialization failure, deadlock or outdated plan: the transaction was rolled back and may be retried. */
export function isRetryable(error: unknown): boolean {
  const code = errorCodeOf(error);
  return code === "40001" || code === "40P01" || isOutdatedPlan(error);
}

/** A prepared statement returns other columns since the schema changed. It has to be prepared again. */
export const isOutdatedPlan = (error: unknown): boolean =>
  errorCodeOf(error) === "0A000" && (error as { readonly routine?: unknown }).routine === "RevalidateCachedQuery";

/** A statement did not get a lock of a PostgreSQL table within its limit. */
export const isLockTimeout = (error: unknown): boolean => error instanceof Error && errorCodeOf(error.cause) === "55P03";

/** The statement did not reach the server, or its result did not arrive. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCodeOf(error);
  if (code !== undefined) return networkCodes.has(code) || code === "57P01" || code === "57P02" || code === "57P03";
  // pg has no error codes for these.
  return /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout)/.test(
    error.message,
  );
}

/** The driver's error, below the error that it was converted to. */
export const driverError = (error: unknown): unknown => (isForgeError(error, "unavailable") ? error.cause : error);

/** The connection was known to be lost before the statement: it was not sent. */
export const wasNotSent = (error: unknown): boolean => error instanceof Error && error.message.startsWith("Client has encountered a connection error");

const errorCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** The detail is `Key (a, b)=(1, x) already exists.` in the server's language; the columns before `)=(` are the same in all languages. */
function postgresUniqueKey(error: unknown): string {
  const { table, detail } = error as { table?: string; detail?: string };
  const columns = /\((.*?)\)=\(/s.exec(detail ?? "")?.[1] ?? "";
  return `${table ?? ""}.${columns.replaceAll(", ", ",")}`;
}
