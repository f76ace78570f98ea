import type { Conversion } from "./context.ts";
import { type ForeignRow, numberOf } from "./source.ts";

const rowsAtOnce = 2_000;

/**
 * Reads a large table in parts, in the order of its ids.
 * @param statement with a condition on the id, which is its only parameter, and without an order
 * @param id its column
 */
export async function* parts({ source }: Pick<Conversion, "source">, statement: string, id = "id"): AsyncGenerator<readonly ForeignRow[]> {
  for (let last = 0; ; ) {
    const rows = await source.database.all(`${statement} order by ${id} limit ${rowsAtOnce}`, [last]);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) return;
    last = numberOf(rows.at(-1)?.id);
  }
}
