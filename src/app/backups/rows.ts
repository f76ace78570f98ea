import { createHash } from "node:crypto";
import { type CopiedRow, type CopiedTable, type RowPosition, type RowSource, readRowText, rowText, type TableDigest } from "../../db/row-source.ts";
import type { ObjectReader, ObjectWriter } from "./store.ts";

/** Consecutive rows in one object, one JSON text per line. */
interface RowChunk {
  readonly name: string;
  readonly rows: number;
}

/** Rows in objects. */
export interface StoredRows extends TableDigest {
  readonly chunks: readonly RowChunk[];
}

export interface StoredTable extends CopiedTable, StoredRows {}

/** Mean size of a chunk before compression: larger ones repeat more unchanged rows, smaller ones are more objects. */
const meanBytes = 32 * 1_024;
const maxBytes = 1_048_576;

/**
 * Stores rows in chunks. The end of a chunk depends on the key of its last row, so that rows before and after a change have the same chunks as in
 * an earlier backup.
 */
export async function storeRows(
  pages: AsyncIterable<readonly CopiedRow[]>,
  objects: Pick<ObjectWriter, "put">,
  keyOf: (row: CopiedRow) => unknown,
): Promise<StoredRows & { readonly bytes: number }> {
  const chunks: RowChunk[] = [];
  const hash = createHash("sha256");
  let lines: string[] = [];
  let bytes = 0;
  let rows = 0;
  let total = 0;
  const end = async (): Promise<void> => {
    if (lines.length === 0) return;
    chunks.push({ name: await objects.put(Buffer.from(lines.join("\n")), { compresses: true }), rows: lines.length });
    lines = [];
    bytes = 0;
  };
  for await (const page of pages)
    for (const row of page) {
      const text = rowText(row);
      hash.update(text);
      lines.push(text);
      bytes += text.length + 1;
      total += text.length + 1;
      rows += 1;
      if (bytes > maxBytes || endsChunk(keyOf(row), text.length)) await end();
    }
  await end();
  return { rows, sum: hash.digest("hex"), chunks, bytes: total };
}

/** With a probability that grows with the size of the row. */
function endsChunk(key: unknown, bytes: number): boolean {
  const draw = createHash("md5").update(JSON.stringify(key)).digest().readUInt32LE(0) / 2 ** 32;
  return draw < bytes / meanBytes;
}

/** @throws ForgeError `unavailable` for a missing or damaged object */
export async function* readRows(stored: StoredRows, objects: ObjectReader, after: RowPosition = { rows: 0 }): AsyncGenerator<readonly CopiedRow[]> {
  let skipped = after.rows;
  for (const { name, rows } of stored.chunks) {
    if (skipped >= rows) {
      skipped -= rows;
      continue;
    }
    const page = (await objects.read(name)).toString("utf8").split("\n").map(readRowText);
    yield page.slice(skipped);
    skipped = 0;
  }
}

/** The database of a backup. */
export const sourceOf = (
  { schema, lastIds, tables }: { readonly schema: number; readonly lastIds: Readonly<Record<string, number>>; readonly tables: readonly StoredTable[] },
  objects: ObjectReader,
): RowSource => {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const storedOf = ({ name }: CopiedTable): StoredTable => byName.get(name) as StoredTable;
  return {
    schema,
    lastIds,
    tables: tables.map(({ name, columns, key }) => ({ name, columns, key })),
    read: (table, after) => readRows(storedOf(table), objects, after),
    digest: async (table) => storedOf(table),
  };
};
