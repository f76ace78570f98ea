import { sql } from "kysely";
import type { Page, Paged } from "../../../core/paging.ts";
import type { Reader } from "../../../db/db.ts";
import type { IssueOrder } from "../view.ts";
import {
  driverOf,
  fitsNothing,
  type IssueFilter,
  idsOf,
  matching,
  newestFirst,
  oldestFirst,
  pageIssueIds,
  partsOf,
  type Sql,
  type Stretch,
  stretchOf,
  totalOf,
} from "./list.ts";

/**
 * Ids of a page of issues in some order, and how many there are. One statement. By the time of the last change, all of a repository, or of several,
 * come in order from an index; what else a filter leaves is put in order.
 * @param known how many there are, where that is kept; else they are counted
 */
export async function pageOrderedIds(db: Reader, filter: IssueFilter, order: IssueOrder, page: Page, known?: number): Promise<Paged<number>> {
  if (order === "newest") return pageIssueIds(db, filter, page, known);
  if (fitsNothing(filter)) return { items: [], total: 0 };
  const total = known === undefined ? totalOf(db, filter) : sql`select cast(${known} as bigint)`;
  const { rows } = await sql<{ id: number | null; at: number | null; total: number | null }>`with page as materialized (${orderedOf(db, filter, order, page)})
    select id, at, null as total from page union all select null, null, (${total})`.execute(db.sql);
  const sign = order === "updated" ? -1 : 1;
  const found = rows.flatMap(({ id, at }) => (id === null ? [] : [{ id: Number(id), at: Number(at) }]));
  const items = found.sort((one, other) => sign * (one.at - other.at || one.id - other.id)).map(({ id }) => id);
  return { items, total: Number(rows.find(({ id }) => id === null)?.total ?? 0) };
}

/** Ids, and by what they are ordered. */
function orderedOf(db: Reader, filter: IssueFilter, order: IssueOrder, { limit, offset }: Page): Sql {
  if (order === "oldest") return sql`select id, id as at from (${idsOf(db, filter, stretchOf(oldestFirst, limit, offset))}) o`;
  const direction = order === "updated" ? newestFirst : oldestFirst;
  if ([filter.foundBy, filter.titled, filter.texts].every((part) => part === undefined) && driverOf(db, filter) === undefined)
    return changesOf(db, filter, stretchOf(direction, limit, offset));
  const { from, key, isRepeating } = matching(db, filter);
  const ids = sql`select ${isRepeating ? sql`distinct ` : sql``}${key} as id ${from}`;
  const end = sql`limit ${limit} offset ${offset}`;
  return sql`select m.id, u.updated_ms as at from (${ids}) m join issues u on u.id = m.id order by u.updated_ms ${direction}, u.id ${direction} ${end}`;
}

/** All of some repositories: from the index of each, where they are few, else from that of all changes. */
function changesOf(db: Reader, filter: IssueFilter, { direction, limit, offset, end, maxParts }: Stretch): Sql {
  // All changes are recent: so an index of changes is read, and no other one.
  const part = (of: IssueFilter, most: Sql, skipped: Sql): Sql => {
    const { from } = matching(db, { ...of, isSinceRecent: true, sinceMs: of.sinceMs ?? 0 });
    return sql`select i.id, i.updated_ms as at ${from} order by i.updated_ms ${direction}, i.id ${direction} limit ${most} offset ${skipped}`;
  };
  const parts = partsOf(db, filter);
  if (parts.length <= 1 || parts.length > maxParts) return part(filter, limit, offset);
  const whole = parts.map((of) => sql`select * from (${part(of, end, sql`0`)}) p`);
  return sql`${sql.join(whole, sql` union all `)} order by at ${direction}, id ${direction} limit ${limit} offset ${offset}`;
}
