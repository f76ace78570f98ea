import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Reader } from "./db.ts";

/**
 * `reference in (values)` with all values in one parameter: the SQL is the same for every length, so it stays prepared,
 * and no limit on the number of parameters applies.
 *
 *     .where((eb) => anyOf(db, eb.ref("id"), ids))
 *
 * In a compiled query the values are a slot.
 */
export function anyOf<T extends number | string>(
  reader: Reader,
  reference: Expression<T>,
  values: readonly T[] | Expression<readonly T[]>,
): RawBuilder<SqlBool> {
  const list = Array.isArray(values) ? (reader.dialect === "sqlite" ? JSON.stringify(values) : [...values]) : values;
  if (reader.dialect === "sqlite") return sql<SqlBool>`${reference} in (select value from json_each(${list}))`;
  return sql<SqlBool>`${reference} = any(${list})`;
}

/** The table of `value`s of a list, in one parameter. */
export const valuesOf = (reader: Reader, values: readonly string[]): RawBuilder<unknown> =>
  reader.dialect === "sqlite" ? sql`json_each(${JSON.stringify(values)})` : sql`(select unnest(${[...values]}::text[]) as value)`;
