import { type RawBuilder, sql } from "kysely";
import type { Reader, Tx } from "./db.ts";

/**
 * The time of the last change of a row that is listed by it, such as an issue. The order is that of `updated_ms`, which is in indexes. PostgreSQL adds an entry
 * to all indexes of a table when an indexed column changes, and transactions that read the same pages of these collide. There, the changes within an interval
 * share one `updated_ms`, and `changed_ms` has the exact time. Rows of imports have an exact `updated_ms` and no `changed_ms`.
 */
const intervalMs = 10_000;

const startOfInterval = (ms: number): number => ms - (ms % intervalMs);

/** Values of columns. */
export type ChangeTimes = { readonly updated_ms: number; readonly changed_ms: number };

/** The times of a row that changes now. */
export const changedNow = ({ dialect, nowMs: ms }: Pick<Tx, "dialect" | "nowMs">): ChangeTimes => ({
  updated_ms: dialect === "postgres" ? startOfInterval(ms) : ms,
  changed_ms: ms,
});

/** The exact time of the last change. @param alias of the table */
export function lastChange({ dialect }: Pick<Reader, "dialect">, alias: string): RawBuilder<number> {
  const [updated, changed] = [sql.ref<number>(`${alias}.updated_ms`), sql.ref<number>(`${alias}.changed_ms`)];
  return dialect === "postgres" ? sql<number>`greatest(${updated}, ${changed})` : updated;
}

/** Terms of an `order by`, before the id. An index has the first one. */
export function updateOrder({ dialect }: Pick<Reader, "dialect">, alias: string): readonly RawBuilder<number>[] {
  const [updated, changed] = [sql.ref<number>(`${alias}.updated_ms`), sql.ref<number>(`${alias}.changed_ms`)];
  return dialect === "postgres" ? [updated, changed] : [updated];
}

/** A condition for rows that changed at a time or later, with the index of the order. */
export function changedSince(db: Pick<Reader, "dialect">, alias: string, ms: number): RawBuilder<boolean> {
  const updated = sql.ref<number>(`${alias}.updated_ms`);
  return db.dialect === "postgres"
    ? sql<boolean>`${updated} >= ${startOfInterval(ms)} and ${lastChange(db, alias)} >= ${ms}`
    : sql<boolean>`${updated} >= ${ms}`;
}
