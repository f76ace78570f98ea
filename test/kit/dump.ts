import { sql } from "kysely";
import type { Db } from "../../src/db/db.ts";
import { openDatabase } from "../../src/db/open.ts";
import { silentLog } from "./logs.ts";

/** Columns that differ between two servers with the same data: keys of a server, and ids of stores. */
const ofServer: readonly string[] = ["sealed_secret", "value", "secret", "credentials", "authorization_header", "code_store_id", "wiki_store_id", "file"];
/** Tables without imported data. */
const isOfServer = (table: string): boolean =>
  /^(sqlite_.*|migrations|server_.*|job.*|events?.*|outbox.*|git_stores|ref_moves|store_.*|stored_files|commit_counts|.*_texts(_.*)?|audit_.*|schedules?|nodes?.*|instance.*)$/.test(
    table,
  );

/** Counters are split into shards, one for each process. */
function withoutShards(rows: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] {
  if (rows.every((row) => !("shard" in row))) return rows;
  const groups = Map.groupBy(rows, ({ shard, n, ...key }) => JSON.stringify(key));
  const sums = [...groups].map(([key, all]) => ({ ...(JSON.parse(key) as object), n: all.reduce((sum, { n }) => sum + Number(n), 0) }));
  return sums.filter(({ n }) => n !== 0);
}

/** All rows of a server by table, as text, without columns and tables that differ between two servers with the same data. */
export async function dump(url: string): Promise<Record<string, readonly string[]>> {
  const db: Db = await openDatabase({ url, log: silentLog, role: "tool" });
  try {
    const names =
      db.dialect === "sqlite"
        ? await sql<{ name: string }>`select name from sqlite_master where type = 'table' order by name`.execute(db.sql)
        : await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema() order by tablename`.execute(db.sql);
    const tables: Record<string, readonly string[]> = {};
    const rowsOf = async (statement: string): Promise<readonly string[]> => {
      const { rows } = await sql<Record<string, unknown>>`${sql.raw(statement)}`.execute(db.sql);
      return withoutShards(rows)
        .map((row) => JSON.stringify(Object.entries(row).filter(([name]) => !ofServer.includes(name))))
        .toSorted();
    };
    for (const { name } of names.rows) if (!isOfServer(name) && name !== "refs") tables[name] = await rowsOf(`select * from ${name}`);
    tables.refs = await rowsOf(
      "select r.id, r.code_store_id = f.store_id as is_code, f.name, f.oid, f.type, f.peeled_oid from refs f join repositories r on f.store_id in (r.code_store_id, r.wiki_store_id)",
    );
    tables.heads = await rowsOf("select r.id, s.head_ref, s.object_format from git_stores s join repositories r on s.id in (r.code_store_id, r.wiki_store_id)");
    return tables;
  } finally {
    await db.close();
  }
}
