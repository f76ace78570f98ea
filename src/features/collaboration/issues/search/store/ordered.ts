import { sql } from "kysely";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Reader } from "../../../../../db/db.ts";
import type { IssueOrder } from "../../model.ts";
import {
  buildConditions,
  buildCountQuery,
  buildIdsQuery,
  chooseDrivingTable,
  filterRows,
  type IssueFilter,
  matchesNothing,
  newestFirst,
  oldestFirst,
  type PageWindow,
  pageIssueIds,
  pageWindow,
  splitByLabel,
} from "./list.ts";
import { isOneRepository, type Sql } from "./scope.ts";

/**
 * Ids of a page of issues in some order, with the total. One statement. An index provides all issues of one or several repositories by
 * update time;
 * other filters scan the latest changes if they match many issues, or else sort the matches.
 * @param known the total if it is stored; otherwise it is counted
 */
export async function pageOrderedIds(db: Reader, filter: IssueFilter, order: IssueOrder, page: Page, known?: number): Promise<Paged<number>> {
  if (order === "newest") return pageIssueIds(db, filter, page, known);
  if (matchesNothing(filter)) return { items: [], total: 0 };
  const total = known === undefined ? buildCountQuery(db, filter) : sql`select cast(${known} as bigint)`;
  const { rows } = await sql<{
    id: number | null;
    at: number | null;
    total: number | null;
  }>`with total as materialized (select (${total}) as n), page as materialized (${buildOrderedQuery(db, filter, order, page)})
    select id, at, null as total from page union all select null, null, n from total`.execute(db.sql);
  const sign = order === "updated" ? -1 : 1;
  const found = rows.flatMap(({ id, at }) => (id === null ? [] : [{ id: Number(id), at: Number(at) }]));
  const items = found.sort((one, other) => sign * (one.at - other.at || one.id - other.id)).map(({ id }) => id);
  return { items, total: Number(rows.find(({ id }) => id === null)?.total ?? 0) };
}

/** Ids with their sort key, besides a `total` CTE. */
function buildOrderedQuery(db: Reader, filter: IssueFilter, order: IssueOrder, { limit, offset }: Page): Sql {
  if (order === "oldest") return sql`select id, id as at from (${buildIdsQuery(db, filter, pageWindow(oldestFirst, limit, offset))}) o`;
  const direction = order === "updated" ? newestFirst : oldestFirst;
  const window = pageWindow(direction, limit, offset);
  if ([filter.idCondition, filter.titleCondition, filter.texts].some((part) => part !== undefined)) return buildSortQuery(db, filter, window, sql`1 = 1`);
  const drivingTable = chooseDrivingTable(db, filter);
  return drivingTable === undefined || drivingTable.by === "change" ? buildChangesQuery(db, filter, window) : buildScanOrSortQuery(db, filter, window);
}

/** The sorted matches of a filter. @param condition if false, nothing is read */
function buildSortQuery(db: Reader, filter: IssueFilter, { direction, limit, offset }: PageWindow, condition: Sql): Sql {
  const { from, key, hasDuplicates } = filterRows(db, filter);
  const ids = sql`select ${hasDuplicates ? sql`distinct ` : sql``}${key} as id ${from}`;
  return sql`select m.id, u.updated_ms as at from (${ids}) m join issues u on u.id = m.id where ${condition}
    order by u.updated_ms ${direction}, u.id ${direction} limit ${limit} offset ${offset}`;
}

/** Up to this many matches are sorted instead of searched for. */
const maxSorted = 3_000;
/**
 * Number of latest changes to scan, of a repository or the whole server. A page of fifty is full if one issue in a hundred matches.
 */
const scannedChanges = 5_000;

/** A page of a filter with many matches: from the latest changes, or sorted if these contain too few of the matches. */
function buildScanOrSortQuery(db: Reader, filter: IssueFilter, { direction, limit, offset, end }: PageWindow): Sql {
  const { place, rest } = splitConditions(db, filter, sql`c.id`);
  const ofOne = isOneRepository(filter.within) ? sql` where repo_id = ${filter.within.repoId}` : sql``;
  const changes = sql`select id, updated_ms, repo_id, is_closed, is_pull from issues${ofOne} order by updated_ms ${direction}, id ${direction}
    limit (select case when n > ${maxSorted} then ${scannedChanges} else 0 end from total)`;
  // Labels, assignees and mentions are in other tables and do not need the issue's row.
  const row = filter.posterId === undefined && filter.milestoneIds === undefined ? sql`` : sql` join issues i on i.id = c.id`;
  const isEnough = sql`(select count(*) from among) >= ${end}`;
  return sql`with among as materialized (select c.id, c.at from (select i.id, i.updated_ms as at from (${changes}) i where ${place}) c${row}
      where ${rest} order by c.at ${direction}, c.id ${direction} limit ${end})
    select id, at from (select id, at from among where ${isEnough} order by at ${direction}, id ${direction} limit ${limit} offset ${offset}) near
    union all select id, at from (${buildSortQuery(db, filter, { direction, limit, offset, end, maxParts: 1 }, sql`not (${isEnough})`)}) far`;
}

/**
 * Splits the conditions of a filter: those on repository, kind, state and times of an issue `i`, and all others.
 * @param key the id of the issue, for the others
 */
function splitConditions(db: Reader, filter: IssueFilter, key: Sql): { readonly place: Sql; readonly rest: Sql } {
  const { labels, milestoneIds, posterId, assigneeId, mentionedId, areLabelsDisjoint: _apart, ...place } = filter;
  const rest = { labels, milestoneIds, posterId, assigneeId, mentionedId };
  return {
    place: sql.join(buildConditions(db, place, undefined, sql`i.id`), sql` and `),
    rest: sql.join(buildConditions(db, rest, undefined, key), sql` and `),
  };
}

/** All issues of some repositories: from each one's index if they are few, otherwise from the index of all changes. */
function buildChangesQuery(db: Reader, filter: IssueFilter, { direction, limit, offset, end, maxParts }: PageWindow): Sql {
  // All changes are recent, so the query uses an index of changes and no other index.
  const part = (of: IssueFilter, most: Sql, skipped: Sql): Sql => {
    const { from } = filterRows(db, { ...of, usesChangeIndex: true, sinceMs: of.sinceMs ?? 0 });
    return sql`select i.id, i.updated_ms as at ${from} order by i.updated_ms ${direction}, i.id ${direction} limit ${most} offset ${skipped}`;
  };
  const parts = splitByLabel(db, filter);
  if (parts.length <= 1 || parts.length > maxParts) return part(filter, limit, offset);
  const whole = parts.map((of) => sql`select * from (${part(of, end, sql`0`)}) p`);
  return sql`${sql.join(whole, sql` union all `)} order by at ${direction}, id ${direction} limit ${limit} offset ${offset}`;
}
