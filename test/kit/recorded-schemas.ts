import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CopiedRow, type CopiedTable, digestRows, type RowSource, readRowText } from "../../src/db/row-source.ts";

/**
 * Databases of earlier versions. Each file was written by the program of that version, which was filled through its API: the first line has the number
 * of migrations, and each table is followed by its rows. Values that the server generates for itself are left out.
 */
const folder = fileURLToPath(new URL("./schemas", import.meta.url));

/** The recorded numbers of migrations, the oldest first. */
export const recordedSchemas: readonly number[] = readdirSync(folder)
  .map((name) => Number.parseInt(name, 10))
  .toSorted((one, other) => one - other);

export interface RecordedSchema extends RowSource {
  readonly rows: ReadonlyMap<CopiedTable, readonly CopiedRow[]>;
}

export function readRecordedSchema(schema: number): RecordedSchema {
  const [head = "", ...lines] = readFileSync(join(folder, `${String(schema).padStart(4, "0")}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");
  const rows = new Map<CopiedTable, CopiedRow[]>();
  let last: CopiedRow[] = [];
  for (const line of lines) {
    if (line.startsWith("[")) last.push(readRowText(line));
    else {
      const { table, columns, key } = JSON.parse(line) as { table: string; columns: string[]; key: string[] };
      last = [];
      rows.set({ name: table, columns, key }, last);
    }
  }
  const rowsOf = (name: string): readonly CopiedRow[] => [...rows].find(([table]) => table.name === name)?.[1] ?? [];
  const read = async function* ({ name }: CopiedTable, { rows: from }: { readonly rows: number }): AsyncGenerator<readonly CopiedRow[]> {
    if (rowsOf(name).length > from) yield rowsOf(name).slice(from);
  };
  const { lastIds } = JSON.parse(head) as Pick<RowSource, "lastIds">;
  return { schema, lastIds, tables: [...rows.keys()], rows, read, digest: (table) => digestRows(read(table, { rows: 0 })) };
}
