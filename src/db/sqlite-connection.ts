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
  /** Undefined for a statement that returns none. */
  rows: RowMaker | undefined;
}

interface RowMaker {
  readonly width: number;
  toRow(values: readonly unknown[]): unknown;
}

/**
 * Makes an object of a row's values. One that is written out has all its rows in one shape of the engine's, which is read faster and takes
 * less room than what the driver makes: of a list of comments that was the largest part. The names are those of the program's own queries.
 */
function rowMakerOf(statement: StatementSync): RowMaker | undefined {
  const names = statement.columns().map(({ name }) => name);
  if (names.length === 0) return undefined;
  statement.setReturnArrays(true);
  const fields = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return { width: names.length, toRow: new Function("values", `return { ${fields.join(", ")} };`) as RowMaker["toRow"] };
}

function rowsOf(prepared: Prepared, maker: RowMaker, values: readonly SQLInputValue[]): unknown[] {
  const rows = prepared.statement.all(...values) as unknown as unknown[][];
  // SQLite prepares anew what a change of the schema has touched; `*` may stand for more columns then.
  if (rows[0] === undefined || rows[0].length === maker.width) return rows.map(maker.toRow);
  prepared.rows = rowMakerOf(prepared.statement) ?? maker;
  return rows.map(prepared.rows.toRow);
}

export function openSqliteConnection(path: string, options: DatabaseSyncOptions): SqliteConnection {
  const database = folded(() => new DatabaseSync(path, options));
  const statements = new Map<string, Prepared>();

  const prepare = (sql: string): Prepared => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    const prepared: Prepared = { statement, rows: rowMakerOf(statement) };
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
        const prepared = prepare(sql);
        for (const value of parameters) if (typeof value === "string" && value.includes("\0")) throw unstorableText();
        const values = parameters as readonly SQLInputValue[];
        if (prepared.rows !== undefined) return { rows: rowsOf(prepared, prepared.rows, values) };
        const { changes, lastInsertRowid } = prepared.statement.run(...values);
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
