import { CompiledQuery } from "kysely";
import type { Db } from "../../src/db/db.ts";

/** Statements that scan a whole table in SQLite's query plan, whose cost grows with the database. @returns `table: statement` for each */
export async function tableScans(db: Db, statements: Iterable<string>): Promise<string[]> {
  const scans: string[] = [];
  for (const statement of new Set(statements)) {
    const { rows } = await db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`));
    for (const { detail } of rows) {
      const table = /^SCAN (\w+)$/.exec(detail)?.[1];
      if (table !== undefined) scans.push(`${table}: ${statement}`);
    }
  }
  return scans;
}

/** The parts of a plan node that PostgreSQL reports. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The number of rows that PostgreSQL reads from tables and indexes to run a statement that is planned for its values. It runs the statement. */
export async function rowsRead(db: Db, statement: string, parameters: readonly unknown[]): Promise<number> {
  const { rows } = await db.sql.executeQuery<Explained>(CompiledQuery.raw(`explain (analyze, format json) ${statement}`, [...parameters]));
  return sumOfRows(rows);
}

type Explained = Readonly<Record<"QUERY PLAN", readonly { readonly Plan: PlanNode }[]>>;

const sumOfRows = (rows: readonly Explained[]): number => rows.flatMap((row) => row["QUERY PLAN"]).reduce((sum, { Plan }) => sum + rowsOf(Plan), 0);

/** Executions after which PostgreSQL may keep a plan that is independent of the values. */
const plannedEachTime = 5;

/**
 * Like {@link rowsRead}, for the plan of a prepared statement that a connection has run often: PostgreSQL keeps a plan that suits any value if it
 * estimates that this costs no more than planning each time.
 */
export const rowsReadPrepared = (db: Db, statement: string, parameters: readonly unknown[]): Promise<number> =>
  db.tx(async (tx) => {
    const values = parameters.length === 0 ? "" : `(${parameters.map(literal).join(", ")})`;
    await tx.script(`prepare planned as ${statement}; ${`explain execute planned${values}; `.repeat(plannedEachTime)}`);
    const { rows } = await tx.sql.executeQuery<Explained>(CompiledQuery.raw(`explain (analyze, format json) execute planned${values}`));
    await tx.script("deallocate planned");
    return sumOfRows(rows);
  });

function literal(value: unknown): string {
  if (value === null) return "null";
  if (!Array.isArray(value)) return `'${String(value).replaceAll("'", "''")}'`;
  const items = value.map((item) => (item === null ? "null" : `"${String(item).replaceAll(/["\\]/g, "\\$&")}"`));
  return `'{${items.join(",").replaceAll("'", "''")}}'`;
}

function rowsOf(node: PlanNode): number {
  const children = (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);
  if (node["Relation Name"] === undefined && node["Node Type"] !== "Bitmap Index Scan") return children;
  const seen = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return children + seen * node["Actual Loops"];
}
