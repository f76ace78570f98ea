import { sql } from "kysely";
import type { Reader, Tx } from "./db.ts";
import { listCopiedTables } from "./row-source.ts";
import { describeTable } from "./table-sums.ts";

/** A column with values that the secret key of the server encrypts. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly values: number;
}

/** Finds encrypted values by their form. Reads all rows. */
export async function listSealedColumns(db: Reader): Promise<readonly SealedColumn[]> {
  const found: SealedColumn[] = [];
  for (const table of await listCopiedTables(db)) {
    if (table === "server_values") continue;
    const { columns } = await describeTable(db, table);
    // No text of a user has this form by chance: a prefix, and at least 28 bytes without a space.
    const counts = columns.map((column) => {
      const text = sql`cast(${sql.ref(column)} as text)`;
      return sql`count(case when ${text} like 's1.%' and ${text} not like '% %' and length(${text}) > 40 then 1 end) as ${sql.ref(column)}`;
    });
    const { rows } = await sql<Readonly<Record<string, number>>>`select ${sql.join(counts)} from ${sql.table(table)}`.execute(db.sql);
    for (const column of columns) {
      const values = Number(rows[0]?.[column] ?? 0);
      if (values > 0) found.push({ table, column, values });
    }
  }
  return found;
}

/** Deletes the encrypted keys of the server, which the next start creates again. @returns their names */
export async function deleteSealedServerValues(tx: Tx): Promise<readonly string[]> {
  const kept = await tx.sql.selectFrom("server_values").select("name").where("value", "like", "%s1.%").orderBy("name").execute();
  const names = kept.map(({ name }) => name);
  if (names.length > 0) await tx.sql.deleteFrom("server_values").where("name", "in", names).execute();
  return names;
}
