import { sql } from "kysely";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Reader } from "../../../../../db/db.ts";
import { changedSince } from "../../../../../db/update-time.ts";
import {
  buildConditions,
  chooseDrivingTable,
  type DrivingTable,
  empty,
  indexedBy,
  isOneOf,
  issueAlias,
  issuesByFilterIndex,
  issuesTable,
  needsIssueColumns,
} from "./driving-table.ts";
import { type IssueFilter, isNarrow, isOneRepository, matchesNothing, readsByRepository, repositoriesOf, type SearchedTexts, type Sql } from "./filter.ts";

/** Up to this many labels are read by index each and then merged. */
const maxMerged = 50;
/** Upper bound for the merged rows: each part yields all rows up to the end of the page. */
const maxMergedRows = 10_000;

/** A filter with the access path of its list: chosen once, for the page and for the total. */
export interface ListPlan {
  readonly filter: IssueFilter;
  /** Undefined: the index of the repository, or of all issues. */
  readonly drivingTable: DrivingTable | undefined;
  /** Parts of the filter that each come in order from an index; empty if splitting does not help. */
  readonly parts: readonly ListPlan[];
  /**
   * Whether the list follows the names of labels or milestones in several repositories. These can have any number of issues, so that at most
   * {@link countedAhead} are counted after the end of a page.
   */
  readonly isCountedAhead: boolean;
}

export const countedAhead = 1_000;

export function planList(db: Reader, filter: IssueFilter): ListPlan {
  const drivingTable = isSearch(filter) ? undefined : chooseDrivingTable(db, filter);
  const labels = drivingTable?.labels ?? [];
  const isSplit = labels.length > 1 && labels.length <= maxMerged;
  const withLabel = (label: number): IssueFilter => ({ ...filter, labels: filter.labels?.map((ids) => (ids === labels ? [label] : ids)) });
  const isCountedAhead = drivingTable?.by === "label name" || drivingTable?.by === "milestone title";
  const parts = isCountedAhead ? splitByName(filter, drivingTable.by === "label name") : isSplit ? labels.map(withLabel) : [];
  return { filter, drivingTable, parts: parts.map((part) => planList(db, part)), isCountedAhead };
}

/** The indexes of names are ordered by name, kind and state. A filter by these alone is not split further. */
function splitByName(filter: IssueFilter, isByLabel: boolean): readonly IssueFilter[] {
  if (repositoriesOf(filter.within) !== undefined) return [];
  const { labelNames = [], milestoneTitles = [], isPull, isClosed } = filter;
  const names = isByLabel ? labelNames.map((name) => ({ labelNames: [name] })) : milestoneTitles.map((title) => ({ milestoneTitles: [title] }));
  const kinds = isPull === undefined ? [false, true] : [isPull];
  const states = isClosed === undefined ? [false, true] : [isClosed];
  const parts = names.flatMap((name) => kinds.flatMap((kind) => states.map((state) => ({ ...filter, ...name, isPull: kind, isClosed: state }))));
  return parts.length === 1 || parts.length > maxMerged ? [] : parts;
}

/** Whether texts, titles or rows are searched. */
const isSearch = ({ titleCondition, texts, rowCondition }: IssueFilter): boolean =>
  [titleCondition, texts, rowCondition].some((condition) => condition !== undefined);

/** Whether the matches are found as a whole before they are sorted and counted. */
export const findsAllFirst = (filter: IssueFilter): boolean => filter.idCondition !== undefined || isSearch(filter);

interface FilteredRows {
  readonly from: Sql;
  /** Sort key of the list. */
  readonly key: Sql;
  readonly hasDuplicates: boolean;
}

/** Maximum number of titles scanned without an index. */
export const maxTitles = 5_000;
/** Maximum number of issues whose rows are compared with conditions that no index supports. */
export const maxCompared = 10_000;
/** Maximum number of texts that a search in one repository returns, of issues and of comments: a common word occurs in most of them. */
const maxTexts = 1_000;
/** The same across repositories, where the rights on the repository of each text are checked. */
const maxTextsOfAll = 500;

/** The filter as the clauses after `select`, with the sort key. */
export function filterRows(db: Reader, { filter, drivingTable }: ListPlan): FilteredRows {
  if (filter.rowCondition !== undefined) {
    const candidates = planList(db, { ...filter, rowCondition: undefined });
    const newest = buildIdsQuery(db, candidates, { ...pageWindow(newestFirst, maxCompared, 0), maxParts: maxMerged });
    const from = sql`from (${newest}) newest cross join issues i${indexedBy(db, "issues_details")} where i.id = newest.id and ${filter.rowCondition}`;
    return { from, key: sql`i.id`, hasDuplicates: false };
  }
  if (filter.titleCondition !== undefined) {
    const titles = planList(db, { ...filter, titleCondition: undefined, selectsTitles: true });
    const newest = buildIdsQuery(db, titles, pageWindow(newestFirst, maxTitles, 0));
    return { from: sql`from (${newest}) i where ${filter.titleCondition}`, key: sql`i.id`, hasDuplicates: false };
  }
  if (filter.texts !== undefined) return { from: sql`from (${idsOfMatchingTexts(db, filter, filter.texts)}) i`, key: sql`i.id`, hasDuplicates: false };
  // An expression instead of the column, so that no index provides the order.
  const key = drivingTable?.by === "change" ? sql`+i.id` : (drivingTable?.key ?? sql`i.id`);
  const conditions = [...(drivingTable === undefined ? [] : [drivingTable.where]), ...buildConditions(db, filter, drivingTable, key)];
  const from = drivingTable?.from ?? (readsByRepository(filter.within) ? issuesTable : issuesByFilterIndex(db));
  return { from: sql`from ${from} where ${sql.join(conditions, sql` and `)}`, key, hasDuplicates: drivingTable?.hasDuplicates === true };
}

/** A text leads to its issue by id. */
const drivenByText = { noIndex: empty, stateTable: issueAlias } as const;

interface IssuesOfTexts {
  readonly from: Sql;
  readonly id: Sql;
  readonly conditions: readonly Sql[];
}

/** The issues of texts. With names of labels alone, an index of labels has all columns that are compared, and SQLite needs no row. */
function issuesOfTexts(db: Reader, filter: IssueFilter, text: SearchedTexts): IssuesOfTexts {
  const { labelNames, ...others } = filter;
  if (db.dialect === "postgres" || labelNames === undefined || needsIssueColumns(filter) || text.readsTitle === true)
    return { from: issuesByFilterIndex(db), id: sql`i.id`, conditions: buildConditions(db, filter, drivenByText, sql`i.id`) };
  const id = sql`d.issue_id`;
  const isNamed = isOneOf(db, sql`d.name`, labelNames);
  return {
    from: sql`issue_labels d${indexedBy(db, "issue_labels_facts")}`,
    id,
    conditions: [isNamed, ...buildConditions(db, others, { noIndex: empty, stateTable: sql`d` }, id)],
  };
}

/** Whether the filter has a condition that few issues satisfy. */
const isSelective = (filter: IssueFilter): boolean =>
  isNarrow(filter) || filter.usesChangeIndex === true || [filter.labels, filter.milestoneIds, filter.milestoneTitles].some((part) => part !== undefined);

/**
 * Ids of the issues whose texts contain the words, each once. Texts are read from the newest on, until enough issues match. PostgreSQL would join
 * and sort all issues for a frequent word: it underestimates how many are readable. OFFSET makes it look up the issue of each text.
 */
function idsOfMatchingTexts(db: Reader, filter: IssueFilter, texts: readonly SearchedTexts[]): Sql {
  const joinsFreely = db.dialect === "sqlite" || isSelective(filter);
  const most = isOneRepository(filter.within) ? maxTexts : maxTextsOfAll;
  const parts = texts.map((text) => {
    const { from, where, issue, key } = text;
    const { from: issues, id, conditions } = issuesOfTexts(db, filter, text);
    const isMatching = sql.join([sql`${id} = ${issue}`, ...conditions], sql` and `);
    const matching = joinsFreely
      ? sql`cross join ${issues} where ${where} and ${isMatching}`
      : sql`cross join lateral (select i.* from issues i where ${isMatching} offset 0) i where ${where}`;
    return sql`select id from (select ${id} as id from ${from} ${matching} order by ${key} desc limit ${most}) t`;
  });
  return sql.join(parts, sql` union `);
}

/** A range of a list. */
export interface PageWindow {
  readonly direction: Sql;
  readonly limit: Sql;
  readonly offset: Sql;
  /** End of the range: each part of a filter yields rows up to it. */
  readonly end: Sql;
  /** Maximum number of parts to read; deep pages use fewer. */
  readonly maxParts: number;
}

export const pageWindow = (direction: Sql, limit: number, offset: number): PageWindow => ({
  direction,
  limit: sql`${limit}`,
  offset: sql`${offset}`,
  end: sql`${offset + limit}`,
  maxParts: maxMergedRows / (offset + limit),
});

export const newestFirst = sql`desc`;
export const oldestFirst = sql`asc`;

/**
 * Whether the parts of a list are merged while they are read. SQLite does not know that a subquery with a limit is in order: it would read and sort each
 * part up to the end of the page. A union in the order of an index ends with the page.
 */
const isMerged = (db: Reader, { filter }: ListPlan): boolean => db.dialect === "sqlite" && filter.selectsTitles !== true;

function unordered(db: Reader, plan: ListPlan): Sql {
  const { from, key } = filterRows(db, plan);
  return sql`select ${key} as id ${from}`;
}

/** A query for the ids in a range of a list. */
export function buildIdsQuery(db: Reader, plan: ListPlan, { direction, limit, offset, end, maxParts }: PageWindow): Sql {
  const part = (of: ListPlan, most: Sql, skipped: Sql): Sql => {
    const { from, key, hasDuplicates } = filterRows(db, of);
    const distinct = hasDuplicates ? sql`distinct ` : empty;
    const title = of.filter.selectsTitles === true ? sql`, i.title` : empty;
    return sql`select ${distinct}${key} as id${title} ${from} order by ${key} ${direction} limit ${most} offset ${skipped}`;
  };
  const { parts, drivingTable } = plan;
  if (parts.length === 0 || parts.length > maxParts) return part(plan, limit, offset);
  const whole = parts.map((of) => (isMerged(db, of) ? unordered(db, of) : sql`select * from (${part(of, end, sql`0`)}) p`));
  // Parts by label overlap in issues that have several of them. For disjoint parts PostgreSQL reads only the rows that the page
  // needs.
  const areDisjoint = db.dialect === "postgres" && drivingTable?.hasDuplicates !== true;
  return sql`${sql.join(whole, areDisjoint ? sql` union all ` : sql` union `)} order by id ${direction} limit ${limit} offset ${offset}`;
}

/** A query for the newest ids up to the end of a page, and those that are counted after it. */
const buildIdsAhead = (db: Reader, plan: ListPlan, end: number): Sql =>
  buildIdsQuery(db, plan, { ...pageWindow(newestFirst, end + countedAhead, 0), maxParts: maxMerged });

/** A query for the total. @param end number of issues up to the end of the page */
export function buildCountQuery(db: Reader, plan: ListPlan, end: number): Sql {
  if (plan.isCountedAhead) return sql`select count(*) from (${buildIdsAhead(db, plan, end)}) ahead`;
  const { from, key, hasDuplicates } = filterRows(db, plan);
  return hasDuplicates ? sql`select count(distinct ${key}) ${from}` : sql`select count(*) ${from}`;
}

/**
 * Ids of a page of issues, newest first, with the total. One statement.
 * Pages past the middle are read from the other end, so the last page costs the same as the first.
 * @param known the total if it is stored; otherwise it is counted
 */
export async function pageIssueIds(db: Reader, filter: IssueFilter, page: Page, known?: number): Promise<Paged<number>> {
  if (matchesNothing(filter)) return { items: [], total: 0 };
  const plan = planList(db, filter);
  if (findsAllFirst(filter)) return readPageRows(db, searchPage(db, plan, page));
  if (plan.isCountedAhead) return readPageRows(db, pageAhead(db, plan, page));
  if (page.offset === 0) return readPageRows(db, firstPage(db, plan, page.limit, known));
  return known === undefined ? readPageRows(db, laterPage(db, plan, page)) : pageWithKnownTotal(db, plan, page, known);
}

/** Number of issues that match; at most {@link countedAhead} if these are counted ahead. One statement. */
export async function countIssues(db: Reader, filter: IssueFilter): Promise<number> {
  if (matchesNothing(filter)) return 0;
  const { rows } = await sql<{ total: number }>`select (${buildCountQuery(db, planList(db, filter), 0)}) as total`.execute(db.sql);
  return Number(rows[0]?.total ?? 0);
}

/** Reads rows of ids and one row with the total. */
async function readPageRows(db: Reader, query: Sql): Promise<Paged<number>> {
  const { rows } = await sql<{ id: number | null; total: number | null }>`${query}`.execute(db.sql);
  const ids = rows.flatMap(({ id }) => id ?? []);
  return { items: ids.sort((one, other) => other - one), total: Number(rows.find(({ id }) => id === null)?.total ?? 0) };
}

/** Materializes a search result once, for the page and the total. */
function searchPage(db: Reader, plan: ListPlan, { limit, offset }: Page): Sql {
  const { from, key, hasDuplicates } = filterRows(db, plan);
  return sql`with found as materialized (select ${hasDuplicates ? sql`distinct ` : empty}${key} as id ${from})
    select id, null as total from (select id from found order by id desc limit ${limit} offset ${offset}) page
    union all select null, count(*) from found`;
}

/** Reads the rows that are counted once, for the page and the total. */
function pageAhead(db: Reader, plan: ListPlan, { limit, offset }: Page): Sql {
  return sql`with ahead as materialized (${buildIdsAhead(db, plan, offset + limit)})
    select id, null as total from (select id from ahead order by id desc limit ${limit} offset ${offset}) page
    union all select null, count(*) from ahead`;
}

/** A partial page yields the total itself; a full page needs a count. */
function firstPage(db: Reader, plan: ListPlan, limit: number, known: number | undefined): Sql {
  const total = known === undefined ? buildCountQuery(db, plan, limit) : sql`select cast(${known} as bigint)`;
  return sql`with page as materialized (${buildIdsQuery(db, plan, pageWindow(newestFirst, limit, 0))}), total as (select (${total}) as n)
    select id, null as total from page
    union all select null, case when (select count(*) from page) < ${limit} then (select count(*) from page) else (select n from total) end`;
}

/** Counts first, then reads from the nearer end; a limit of 0 costs nothing. */
function laterPage(db: Reader, plan: ListPlan, { limit, offset }: Page): Sql {
  const newest = { ...pageWindow(newestFirst, limit, offset), limit: sql`(select newest from ends)` };
  const skipped = sql`(select skipped from ends)`;
  const oldest: PageWindow = {
    direction: oldestFirst,
    limit: sql`(select oldest from ends)`,
    offset: skipped,
    end: sql`${skipped} + ${limit}`,
    maxParts: maxMerged,
  };
  return sql`with total as materialized (select (${buildCountQuery(db, plan, offset + limit)}) as n),
    ends as materialized (select n,
      case when n >= ${2 * offset} then ${limit} else 0 end as newest,
      case when n >= ${2 * offset} or n <= ${offset} then 0 when n < ${offset + limit} then n - ${offset} else ${limit} end as oldest,
      case when n > ${offset + limit} then n - ${offset + limit} else 0 end as skipped from total)
    select id, cast(null as bigint) as total from (${buildIdsQuery(db, plan, newest)}) near
    union all select id, null from (${buildIdsQuery(db, plan, oldest)}) far
    union all select null, n from ends`;
}

async function pageWithKnownTotal(db: Reader, plan: ListPlan, { limit, offset }: Page, total: number): Promise<Paged<number>> {
  const rest = total - offset;
  if (rest <= 0) return { items: [], total };
  if (offset <= total / 2) return { items: await readIds(db, buildIdsQuery(db, plan, pageWindow(newestFirst, limit, offset))), total };
  const items = await readIds(db, buildIdsQuery(db, plan, pageWindow(oldestFirst, Math.min(limit, rest), Math.max(0, rest - limit))));
  return { items: items.reverse(), total };
}

async function readIds(db: Reader, query: Sql): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${query}`.execute(db.sql);
  return rows.map(({ id }) => id);
}

/** Maximum number of changes that count as few. */
const fewChanges = 2_000;

/** Whether few enough issues of a repository changed since a time to read its index of changes. One bounded statement. */
export async function hasFewChangesSince(db: Reader, repoId: number, sinceMs: number): Promise<boolean> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from
    (select 1 from issues i where i.repo_id = ${repoId} and ${changedSince(db, "i", sinceMs)} limit ${fewChanges + 1}) few`.execute(db.sql);
  return Number(rows[0]?.total ?? 0) <= fewChanges;
}
