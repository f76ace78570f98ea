import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { QueryResult } from "kysely";
import { convertSqliteError, unstorableText } from "./errors.ts";

/** One connection with its prepared statements. All calls are synchronous; every error is converted. */
export interface SqliteConnection {
  run(sql: string, parameters: readonly unknown[]): QueryResult<unknown>;
  /** Runs any number of statements without parameters; they are not kept prepared. */
  exec(sql: string): void;
  readonly isTransaction: boolean;
  close(): void;
}

/** SQL differs only by the shape of a query (lists are one parameter), so a few hundred statements cover the program. */
const maxStatements = 500;

interface Prepared {
  readonly statement: StatementSync;
  /** Undefined for a statement without result rows. */
  rows: RowMaker | undefined;
}

interface RowMaker {
  readonly width: number;
  toRow(values: readonly unknown[]): unknown;
}

/**
 * Builds objects from rows of values. A generated function gives all rows one hidden class, which is faster to read and smaller than the
 * driver's objects; these were the largest cost of a list of comments. Column names come from the program's own queries only.
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
  // After a schema change SQLite re-prepares the statement, and `*` may return more columns.
  if (rows[0] === undefined || rows[0].length === maker.width) return rows.map(maker.toRow);
  prepared.rows = rowMakerOf(prepared.statement) ?? maker;
  return rows.map(prepared.rows.toRow);
}

/**
 * SQLite prepares a statement again for each execution if its plan may depend on the value of a parameter: of every `limit ?` and `like ?`. That costs
 * more than reading a page of a list. A unary plus hides the parameter from the planner.
 */
const withConstantPlan = (sql: string): string => sql.replace(/\b(limit|like) \?/g, "$1 +?");

export function openSqliteConnection(path: string, options: DatabaseSyncOptions): SqliteConnection {
  const database = withConvertedErrors(() => new DatabaseSync(path, options));
  const statements = new Map<string, Prepared>();

  const prepare = (sql: string): Prepared => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(withConstantPlan(sql));
    const prepared: Prepared = { statement, rows: rowMakerOf(statement) };
    if (statements.size >= maxStatements) {
      // Evicts the oldest: frequently used ones return at once, and insertion order is free.
      const oldest = statements.keys().next();
      if (!oldest.done) statements.delete(oldest.value);
    }
    statements.set(sql, prepared);
    return prepared;
  };

  return {
    run(sql, parameters) {
      return withConvertedErrors(() => {
        const prepared = prepare(sql);
        for (const value of parameters) if (typeof value === "string" && value.includes("\0")) throw unstorableText();
        const values = parameters as readonly SQLInputValue[];
        if (prepared.rows !== undefined) return { rows: rowsOf(prepared, prepared.rows, values) };
        const { changes, lastInsertRowid } = prepared.statement.run(...values);
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
      });
    },
    exec: (sql) => withConvertedErrors(() => database.exec(sql)),
    get isTransaction() {
      return database.isOpen && database.isTransaction;
    },
    close() {
      statements.clear();
      if (database.isOpen) withConvertedErrors(() => database.close());
    },
  };
}

function withConvertedErrors<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw convertSqliteError(error);
  }
}
