import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Reader } from "./db.ts";

/**
 * `reference in (values)` with all values in one parameter: the statement's text is the same for every length, so it stays prepared,
 * and no limit on the number of parameters applies.
 *
 *     .where((eb) => anyOf(db, eb.ref("id"), ids))
 */
export function anyOf<T extends number | string>(reader: Reader, reference: Expression<T>, values: readonly T[]): RawBuilder<SqlBool> {
  if (reader.dialect === "sqlite") return sql<SqlBool>`${reference} in (select value from json_each(${JSON.stringify(values)}))`;
  return sql<SqlBool>`${reference} = any(${[...values]})`;
}
