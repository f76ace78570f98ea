import { sql } from "kysely";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Reader } from "../../../../../db/db.ts";
import { lastChange, updateOrder } from "../../../../../db/update-time.ts";
import type { IssueOrder } from "../../model.ts";
import { buildConditions } from "./driving-table.ts";
import { type IssueFilter, isOneRepository, matchesNothing, type Sql } from "./filter.ts";
import {
  buildCountQuery,
  buildIdsQuery,
  countedAhead,
  filterRows,
  findsAllFirst,
  type ListPlan,
  newestFirst,
  oldestFirst,
  type PageWindow,
  pageIssueIds,
  pageWindow,
  planList,
} from "./list.ts";

/**
 * Ids of a page of issues in some order, with the total. One statement. An index provides all issues of one or several repositories by
 * update time; other filters scan the latest changes if they match many issues, or else sort the matches.
 * @param known the total if it is stored; otherwise it is counted
 */
export async function pageOrderedIds(db: Reader, filter: IssueFilter, order: IssueOrder, page: Page, known?: number): Promise<Paged<number>> {
  if (order === "newest") return pageIssueIds(db, filter, page, known);
  if (matchesNothing(filter)) return { items: [], total: 0 };
  // No index has the number of comments: the newest issues are compared.
  const plan = planList(db, isByComments(order) ? { ...filter, rowCondition: filter.rowCondition ?? sql`1 = 1` } : filter);
  const total = known === undefined ? buildCountQuery(db, plan, page.offset + page.limit) : sql`select cast(${known} as bigint)`;
  const { rows } = await sql<{
    id: number | null;
    at: number | null;
    total: number | null;
  }>`with total as materialized (select (${total}) as n), page as materialized (${buildOrderedQuery(db, plan, order, page)})
    select id, at, null as total from page union all select null, null, n from total`.execute(db.sql);
  const sign = isDescending(order) ? -1 : 1;
  const found = rows.flatMap(({ id, at }) => (id === null ? [] : [{ id: Number(id), at: Number(at) }]));
  const items = found.sort((one, other) => sign * (one.at - other.at || one.id - other.id)).map(({ id }) => id);
  return { items, total: Number(rows.find(({ id }) => id === null)?.total ?? 0) };
}

const isByComments = (order: IssueOrder): boolean => order === "most-commented" || order === "least-commented";
const isDescending = (order: IssueOrder): boolean => order === "updated" || order === "most-commented";

/** Ids with their sort key, besides a `total` CTE. */
function buildOrderedQuery(db: Reader, plan: ListPlan, order: IssueOrder, { limit, offset }: Page): Sql {
  if (order === "oldest") return sql`select id, id as at from (${buildIdsQuery(db, plan, pageWindow(oldestFirst, limit, offset))}) o`;
  const direction = isDescending(order) ? newestFirst : oldestFirst;
  const window = pageWindow(direction, limit, offset);
  if (findsAllFirst(plan.filter)) return buildSortQuery(db, plan, { ...window, isByComments: isByComments(order) }, sql`1 = 1`);
  const { drivingTable } = plan;
  if (drivingTable === undefined || drivingTable.by === "change") return buildChangesQuery(db, plan.filter, window);
  return buildScanOrSortQuery(db, plan, window, plan.isCountedAhead ? offset + limit + countedAhead - 1 : maxSorted);
}

interface SortWindow extends Pick<PageWindow, "direction" | "limit" | "offset"> {
  /** Otherwise by the last change. */
  readonly isByComments?: boolean;
}

/** The sorted matches of a filter; of names in several repositories, the newest ones. @param condition if false, nothing is read */
function buildSortQuery(db: Reader, plan: ListPlan, { direction, limit, offset, isByComments = false }: SortWindow, condition: Sql): Sql {
  const { from, key, hasDuplicates } = filterRows(db, plan);
  const ids = plan.isCountedAhead
    ? buildIdsQuery(db, plan, { ...pageWindow(newestFirst, maxSorted, 0), maxParts: maxSorted })
    : sql`select ${hasDuplicates ? sql`distinct ` : sql``}${key} as id ${from}`;
  const at = isByComments ? sql`u.comments_count` : lastChange(db, "u");
  return sql`select m.id, ${at} as at from (${ids}) m join issues u on u.id = m.id where ${condition}
    order by ${at} ${direction}, u.id ${direction} limit ${limit} offset ${offset}`;
}

/** The order of an index of changes, of issues with an alias. */
const byChange = (db: Reader, alias: string, direction: Sql): Sql =>
  sql.join([...updateOrder(db, alias), sql.ref(`${alias}.id`)].map((term) => sql`${term} ${direction}`));

/** Up to this many matches are sorted instead of searched for. */
const maxSorted = 3_000;
/**
 * Number of latest changes to scan, of a repository or the whole server. A page of fifty is full if one issue in a hundred matches.
 */
const scannedChanges = 5_000;

/**
 * A page of a filter with many matches: from the latest changes, or sorted if these contain too few of the matches.
 * @param maxFew a larger total counts as many
 */
function buildScanOrSortQuery(db: Reader, plan: ListPlan, { direction, limit, offset, end }: PageWindow, maxFew: number): Sql {
  const { filter } = plan;
  const { place, rest } = splitConditions(db, filter, sql`c.id`);
  const ofOne = isOneRepository(filter.within) ? sql` where i.repo_id = ${filter.within.repoId}` : sql``;
  const changes = sql`select i.id, ${sql.join(updateOrder(db, "i"))}, i.repo_id, i.is_closed, i.is_pull from issues i${ofOne} order by ${byChange(db, "i", direction)}
    limit (select case when n > ${maxFew} then ${scannedChanges} else 0 end from total)`;
  // Labels, assignees and mentions are in other tables and do not need the issue's row.
  const row = [filter.posterId, filter.milestoneIds, filter.milestoneTitles].every((part) => part === undefined) ? sql`` : sql` join issues i on i.id = c.id`;
  const isEnough = sql`(select count(*) from among) >= ${end}`;
  return sql`with among as materialized (select c.id, c.at from (select i.id, ${lastChange(db, "i")} as at from (${changes}) i where ${place}) c${row}
      where ${rest} order by c.at ${direction}, c.id ${direction} limit ${end})
    select id, at from (select id, at from among where ${isEnough} order by at ${direction}, id ${direction} limit ${limit} offset ${offset}) near
    union all select id, at from (${buildSortQuery(db, plan, { direction, limit, offset }, sql`not (${isEnough})`)}) far`;
}

/**
 * Splits the conditions of a filter: those on repository, kind, state and times of an issue `i`, and all others.
 * @param key the id of the issue, for the others
 */
function splitConditions(db: Reader, filter: IssueFilter, key: Sql): { readonly place: Sql; readonly rest: Sql } {
  const { labels, labelNames, milestoneIds, milestoneTitles, posterId, assigneeId, mentionedId, ...place } = filter;
  const rest = { labels, labelNames, milestoneIds, milestoneTitles, posterId, assigneeId, mentionedId };
  return {
    place: sql.join(buildConditions(db, place, undefined, sql`i.id`), sql` and `),
    rest: sql.join(buildConditions(db, rest, undefined, key), sql` and `),
  };
}

/** All issues of some repositories, from an index of changes and no other index: all of them are recent enough. */
function buildChangesQuery(db: Reader, filter: IssueFilter, { direction, limit, offset }: PageWindow): Sql {
  const { from } = filterRows(db, planList(db, { ...filter, usesChangeIndex: true, sinceMs: filter.sinceMs ?? 0 }));
  return sql`select i.id, ${lastChange(db, "i")} as at ${from} order by ${byChange(db, "i", direction)} limit ${limit} offset ${offset}`;
}
