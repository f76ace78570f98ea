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

/** The number of rows that PostgreSQL reads from tables and indexes to run a statement. It runs the statement. */
export async function rowsRead(db: Db, statement: string, parameters: readonly unknown[]): Promise<number> {
  const { rows } = await db.sql.executeQuery<Readonly<Record<"QUERY PLAN", readonly { readonly Plan: PlanNode }[]>>>(
    CompiledQuery.raw(`explain (analyze, format json) ${statement}`, [...parameters]),
  );
  return rows.flatMap((row) => row["QUERY PLAN"]).reduce((sum, { Plan }) => sum + rowsOf(Plan), 0);
}

function rowsOf(node: PlanNode): number {
  const children = (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);
  if (node["Relation Name"] === undefined && node["Node Type"] !== "Bitmap Index Scan") return children;
  const seen = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return children + seen * node["Actual Loops"];
}
