import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { QueryResult } from "kysely";
import { foldSqliteError, unstorableText } from "./errors.ts";

/** One connection with its prepared statements. All calls are synchronous; every error is folded. */
export interface SqliteConnection {
  run(sql: string, parameters: readonly unknown[]): QueryResult<unknown>;
  /** Any number of statements without parameters, not kept prepared. */
  exec(sql: string): void;
  readonly isTransaction: boolean;
  close(): void;
}

/** Texts differ by the shape of a query only (lists are passed as one parameter), so a few hundred cover the program. */
const maxStatements = 500;

interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

export function openSqliteConnection(path: string, options: DatabaseSyncOptions): SqliteConnection {
  const database = folded(() => new DatabaseSync(path, options));
  const statements = new Map<string, Prepared>();

  const prepare = (sql: string): Prepared => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    if (statements.size >= maxStatements) {
      // The oldest goes: the hot ones come back at once, and the order costs nothing to keep.
      const oldest = statements.keys().next();
      if (!oldest.done) statements.delete(oldest.value);
    }
    statements.set(sql, prepared);
    return prepared;
  };

  return {
    run(sql, parameters) {
      return folded(() => {
        const { statement, returnsRows } = prepare(sql);
        for (const value of parameters) if (typeof value === "string" && value.includes("\0")) throw unstorableText();
        const values = parameters as readonly SQLInputValue[];
        if (returnsRows) return { rows: statement.all(...values) };
        const { changes, lastInsertRowid } = statement.run(...values);
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
      });
    },
    exec: (sql) => folded(() => database.exec(sql)),
    get isTransaction() {
      return database.isOpen && database.isTransaction;
    },
    close() {
      statements.clear();
      if (database.isOpen) folded(() => database.close());
    },
  };
}

function folded<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw foldSqliteError(error);
  }
}
