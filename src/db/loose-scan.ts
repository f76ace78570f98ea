import { type RawBuilder, sql } from "kysely";

export interface LooseScan {
  readonly table: string;
  /** The first two columns of an index on the table with the condition `where`. Neither is null in it. */
  readonly key: string;
  readonly value: string;
  readonly where: RawBuilder<unknown>;
  /** A query with one column `k`: the keys. */
  readonly keys: RawBuilder<unknown>;
}

/**
 * The distinct values of each key, as a query of `key` and `value`: one index lookup per distinct value, where `select distinct` would read
 * every row. For columns with few distinct values, such as the authors of a conversation.
 */
export function looseScan({ table, key, value, where, keys }: LooseScan): RawBuilder<unknown> {
  const [rows, k, v] = [sql.table(table), sql.ref(key), sql.ref(value)];
  const least = (of: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select min(${v}) from ${rows} where ${k} = ${of} and ${where})`;
  const next = sql`(select min(${v}) from ${rows} where ${k} = scanned.k and ${v} > scanned.v and ${where})`;
  return sql`(
    with recursive scanned (k, v) as (
      select given.k, ${least(sql`given.k`)} from (${keys}) given
      union all select scanned.k, ${next} from scanned where scanned.v is not null)
    select k as ${k}, v as ${v} from scanned where v is not null)`;
}
