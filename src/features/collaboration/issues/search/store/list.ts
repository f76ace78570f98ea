import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Page, Paged } from "../../../../../core/paging.ts";
import { anyOf } from "../../../../../db/any-of.ts";
import type { Reader } from "../../../../../db/db.ts";
import { buildScopeConditions, type IssueScope, isOneRepository, readsByRepository, type Sql } from "./scope.ts";

/** Filters of a list; an absent filter matches everything. */
export interface IssueFilter {
  /** Only issues of these repositories; absent if another part of the statement restricts them. */
  readonly within?: IssueScope | undefined;
  readonly isClosed?: boolean | undefined;
  readonly isPull?: boolean | undefined;
  /** For each requested name, the labels with that name: an issue must have one of each. */
  readonly labels?: readonly (readonly number[])[] | undefined;
  /** All labels belong to repositories of the scope, at most one to each: no issue has two of them, and all their issues are in the scope. */
  readonly areLabelsDisjoint?: boolean | undefined;
  readonly milestoneIds?: readonly number[] | undefined;
  readonly posterId?: number | undefined;
  readonly assigneeId?: number | undefined;
  readonly mentionedId?: number | undefined;
  readonly sinceMs?: number | undefined;
  /** Whether so few issues changed since then that the index of changes is faster than that of ids. */
  readonly usesChangeIndex?: boolean | undefined;
  readonly beforeMs?: number | undefined;
  /** Only these issues `i`. */
  readonly idCondition?: RawBuilder<SqlBool> | undefined;
  /** Texts that contain the search words: limited to the newest that pass all other filters. */
  readonly texts?: readonly SearchedTexts[] | undefined;
  /** Condition on the title, checked only for the newest issues that pass all other filters. */
  readonly titleCondition?: RawBuilder<SqlBool> | undefined;
  /** Whether titles are read with the ids. */
  readonly selectsTitles?: true;
}

/** Texts that contain the search words. */
export interface SearchedTexts {
  /** A table with its join to the issue. */
  readonly from: Sql;
  readonly where: Sql;
  /** The id of the text's issue. */
  readonly issue: Sql;
  /** Indexed key that ascends from the oldest to the newest text. */
  readonly key: Sql;
}

/**
 * The driving table of a join: its index yields the matching issues in order. By default it is the index of the repository. The planners of
 * both databases choose it badly.
 */
interface DrivingTable {
  readonly from: Sql;
  readonly where: Sql;
  /** The id of the issue in the index of the driving table. */
  readonly key: Sql;
  /** Prefix of columns of the issue that must not use an index: a unary plus, which both planners honor, or nothing. */
  readonly noIndex: Sql;
  /** The table whose repository, kind and state are compared: the issue, or the driving table if it duplicates them. */
  readonly stateTable: Sql;
  /** Indexed by `change` (the update time, in one or all repositories) or by `poster`, which contains repositories too. */
  readonly by?: "assignee" | "mention" | "poster" | "change";
  /** Labels of the filter that the driving table already checks. */
  readonly labels?: readonly number[] | undefined;
  /** Whether the driving table can yield an issue twice. */
  readonly hasDuplicates?: boolean;
}

const issuesTable = sql`issues i`;
const issueAlias = sql`i`;
const empty = sql``;
const unaryPlus = sql`+`;

/**
 * Joins the issues of a driving table through a narrow index with the filtered columns. SQLite would read the row including its texts and needs
 * the index by name; PostgreSQL finds it.
 */
const issuesByFilterIndex = (db: Reader): Sql => (db.dialect === "sqlite" ? sql`issues i indexed by issues_facts` : issuesTable);

/** Whether a filter needs columns that only the issue has, which labels and assignees do not duplicate. */
const needsIssueColumns = ({ milestoneIds, posterId, sinceMs, beforeMs, idCondition, selectsTitles }: IssueFilter): boolean =>
  [milestoneIds, posterId, sinceMs, beforeMs, idCondition, selectsTitles].some((part) => part !== undefined);

/** Labels and assignees duplicate filtered columns of their issues, so many lists need no other table. */
function drivingLinkTable(db: Reader, filter: IssueFilter, table: "issue_labels" | "issue_assignees", where: Sql): DrivingTable {
  const listed = db.dialect === "sqlite" ? sql` indexed by ${sql.ref(`${table}_listed`)}` : empty;
  const links = sql`${sql.table(table)} d${listed}`;
  return {
    from: needsIssueColumns(filter) ? sql`${links} cross join ${issuesByFilterIndex(db)}` : links,
    where: needsIssueColumns(filter) ? sql`${where} and i.id = d.issue_id` : where,
    key: sql`d.issue_id`,
    noIndex: empty,
    stateTable: sql`d`,
  };
}

export function chooseDrivingTable(db: Reader, filter: IssueFilter): DrivingTable | undefined {
  if (filter.assigneeId !== undefined) return { ...drivingLinkTable(db, filter, "issue_assignees", sql`d.account_id = ${filter.assigneeId}`), by: "assignee" };
  if (filter.mentionedId !== undefined)
    return {
      from: sql`issue_mentions d cross join ${issuesByFilterIndex(db)}`,
      where: sql`d.account_id = ${filter.mentionedId} and i.id = d.issue_id`,
      key: sql`d.issue_id`,
      noIndex: unaryPlus,
      stateTable: issueAlias,
      by: "mention",
    };
  if (filter.posterId !== undefined)
    return {
      from: issuesTable,
      where: sql`i.poster_id = ${filter.posterId}`,
      key: sql`i.id`,
      noIndex: isOneRepository(filter.within) ? empty : unaryPlus,
      stateTable: issueAlias,
      by: "poster",
    };
  const [milestoneId, ...moreMilestones] = filter.milestoneIds ?? [];
  if (milestoneId !== undefined && moreMilestones.length === 0)
    return { from: issuesTable, where: sql`i.milestone_id = ${milestoneId}`, key: sql`i.id`, noIndex: unaryPlus, stateTable: issueAlias };
  const single = filter.labels?.find((ids) => ids.length === 1);
  if (single !== undefined) return { ...drivingLinkTable(db, filter, "issue_labels", sql`d.label_id = ${single[0]}`), labels: single };
  if (filter.usesChangeIndex === true)
    return {
      from: issuesTable,
      where: sql`i.updated_ms >= ${filter.sinceMs}`,
      key: sql`i.id`,
      noIndex: isOneRepository(filter.within) ? empty : unaryPlus,
      stateTable: issueAlias,
      by: "change",
    };
  const [labels] = filter.labels ?? [];
  if (labels === undefined) return undefined;
  const ofLabels = anyOf(db, sql<number>`d.label_id`, labels);
  return { ...drivingLinkTable(db, filter, "issue_labels", ofLabels), labels, hasDuplicates: filter.areLabelsDisjoint !== true };
}

/** Up to this many labels are read by index each and then merged. */
const maxMerged = 50;
/** Upper bound for the merged rows: each part yields all rows up to the end of the page. */
const maxMergedRows = 10_000;

interface FilteredRows {
  readonly from: Sql;
  /** Sort key of the list. */
  readonly key: Sql;
  readonly hasDuplicates: boolean;
}

/** Maximum number of titles scanned without an index. */
export const maxTitles = 5_000;
/** Maximum number of texts scanned per search, of issues and of comments: a common word occurs in most of them. */
const maxTexts = 1_000;

/** The filter as the clauses after `select`, with the sort key. */
export function filterRows(db: Reader, filter: IssueFilter): FilteredRows {
  if (filter.titleCondition !== undefined) {
    const newest = buildIdsQuery(db, { ...filter, titleCondition: undefined, selectsTitles: true }, pageWindow(newestFirst, maxTitles, 0));
    return { from: sql`from (${newest}) i where ${filter.titleCondition}`, key: sql`i.id`, hasDuplicates: false };
  }
  if (filter.texts !== undefined) return { from: sql`from (${idsOfMatchingTexts(db, filter, filter.texts)}) i`, key: sql`i.id`, hasDuplicates: false };
  const drivingTable = chooseDrivingTable(db, filter);
  // An expression instead of the column, so that no index provides the order.
  const key = drivingTable?.by === "change" ? sql`+i.id` : (drivingTable?.key ?? sql`i.id`);
  const conditions = [...(drivingTable === undefined ? [] : [drivingTable.where]), ...buildConditions(db, filter, drivingTable, key)];
  const from = drivingTable?.from ?? (readsByRepository(filter.within) ? issuesTable : issuesByFilterIndex(db));
  return { from: sql`from ${from} where ${sql.join(conditions, sql` and `)}`, key, hasDuplicates: drivingTable?.hasDuplicates === true };
}

/** A text leads to its issue by id. */
const drivenByText = { noIndex: empty, stateTable: issueAlias } as const;

/** Ids of the issues whose texts contain the words, each once. */
function idsOfMatchingTexts(db: Reader, filter: IssueFilter, texts: readonly SearchedTexts[]): Sql {
  const conditions = sql.join(buildConditions(db, filter, drivenByText, sql`i.id`), sql` and `);
  const parts = texts.map(
    ({ from, where, issue, key }) => sql`select id from (select i.id from ${from} cross join ${issuesByFilterIndex(db)}
      where i.id = ${issue} and ${where} and ${conditions} order by ${key} desc limit ${maxTexts}) t`,
  );
  return sql.join(parts, sql` union `);
}

/** Conditions of a filter that its driving table does not already check. */
export function buildConditions(
  db: Reader,
  filter: IssueFilter,
  drivingTable: Pick<DrivingTable, "noIndex" | "stateTable" | "by" | "labels"> | undefined,
  key: Sql,
): readonly Sql[] {
  const conditions: Sql[] = [];
  const isOne = isOneRepository(filter.within);
  // Issues of many repositories are read from the newest on; an index by repository would return and sort all of them. PostgreSQL
  // estimates their number, unless a unary plus hides the column.
  const noIndex = drivingTable?.noIndex ?? (isOne || db.dialect === "postgres" ? empty : unaryPlus);
  const stateTable = drivingTable?.stateTable ?? issueAlias;
  // With the index of changes, the order and the other columns are checked last.
  const noOtherIndex = drivingTable?.by === "change" || drivingTable?.by === "poster" ? unaryPlus : noIndex;
  if (filter.within !== undefined && (isOne || filter.areLabelsDisjoint !== true))
    conditions.push(...buildScopeConditions(filter.within, filter, { stateTable, noIndex, hasDrivingTable: drivingTable !== undefined }));
  if (filter.isClosed !== undefined) conditions.push(sql`${noOtherIndex}${stateTable}.is_closed = ${filter.isClosed ? 1 : 0}`);
  if (filter.isPull !== undefined) conditions.push(sql`${noOtherIndex}${stateTable}.is_pull = ${filter.isPull ? 1 : 0}`);
  if (filter.posterId !== undefined) conditions.push(sql`${drivingTable?.by === "poster" ? empty : unaryPlus}i.poster_id = ${filter.posterId}`);
  if (filter.milestoneIds !== undefined) {
    const [only, ...more] = filter.milestoneIds;
    conditions.push(only !== undefined && more.length === 0 ? sql`i.milestone_id = ${only}` : anyOf(db, sql<number>`+i.milestone_id`, filter.milestoneIds));
  }
  for (const ids of filter.labels ?? []) {
    if (ids === drivingTable?.labels) continue;
    const [only, ...more] = ids;
    const isOneOf = only !== undefined && more.length === 0 ? sql`l.label_id = ${only}` : anyOf(db, sql<number>`l.label_id`, ids);
    conditions.push(sql`exists (select 1 from issue_labels l where l.issue_id = ${key} and ${isOneOf})`);
  }
  if (filter.assigneeId !== undefined && drivingTable?.by !== "assignee")
    conditions.push(sql`exists (select 1 from issue_assignees a where a.account_id = ${filter.assigneeId} and a.issue_id = ${key})`);
  if (filter.mentionedId !== undefined && drivingTable?.by !== "mention")
    conditions.push(sql`exists (select 1 from issue_mentions m where m.account_id = ${filter.mentionedId} and m.issue_id = ${key})`);
  if (filter.sinceMs !== undefined && drivingTable?.by !== "change") conditions.push(sql`+i.updated_ms >= ${filter.sinceMs}`);
  if (filter.beforeMs !== undefined) conditions.push(sql`+i.updated_ms <= ${filter.beforeMs}`);
  if (filter.idCondition !== undefined) conditions.push(filter.idCondition);
  return conditions;
}

/** Splits a filter into parts that each come in order from an index; a single part if splitting does not help. */
export function splitByLabel(db: Reader, filter: IssueFilter): readonly IssueFilter[] {
  if (filter.titleCondition !== undefined || filter.texts !== undefined) return [filter];
  const drivingTable = chooseDrivingTable(db, filter);
  if (drivingTable?.labels === undefined || drivingTable.labels.length > maxMerged) return [filter];
  return drivingTable.labels.map((label) => ({ ...filter, labels: filter.labels?.map((ids) => (ids === drivingTable.labels ? [label] : ids)) }));
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

/** A query for the ids in a range of a list. */
export function buildIdsQuery(db: Reader, filter: IssueFilter, { direction, limit, offset, end, maxParts }: PageWindow): Sql {
  const part = (of: IssueFilter, most: Sql, skipped: Sql): Sql => {
    const { from, key, hasDuplicates } = filterRows(db, of);
    const distinct = hasDuplicates ? sql`distinct ` : empty;
    const title = filter.selectsTitles === true ? sql`, i.title` : empty;
    return sql`select ${distinct}${key} as id${title} ${from} order by ${key} ${direction} limit ${most} offset ${skipped}`;
  };
  const parts = splitByLabel(db, filter);
  if (parts.length <= 1 || parts.length > maxParts) return part(filter, limit, offset);
  const whole = parts.map((of) => sql`select * from (${part(of, end, sql`0`)}) p`);
  // Parts by label overlap in issues that have several of them. For disjoint parts PostgreSQL reads only the rows that the page
  // needs.
  const areDisjoint = db.dialect === "postgres" && chooseDrivingTable(db, filter)?.hasDuplicates !== true;
  return sql`${sql.join(whole, areDisjoint ? sql` union all ` : sql` union `)} order by id ${direction} limit ${limit} offset ${offset}`;
}

/** A query for the total. */
export function buildCountQuery(db: Reader, filter: IssueFilter): Sql {
  const { from, key, hasDuplicates } = filterRows(db, filter);
  return hasDuplicates ? sql`select count(distinct ${key}) ${from}` : sql`select count(*) ${from}`;
}

export const matchesNothing = ({ milestoneIds, labels }: IssueFilter): boolean =>
  milestoneIds?.length === 0 || labels?.some((ids) => ids.length === 0) === true;

/**
 * Ids of a page of issues, newest first, with the total. One statement.
 * Pages past the middle are read from the other end, so the last page costs the same as the first.
 * @param known the total if it is stored; otherwise it is counted
 */
export async function pageIssueIds(db: Reader, filter: IssueFilter, page: Page, known?: number): Promise<Paged<number>> {
  if (matchesNothing(filter)) return { items: [], total: 0 };
  if ([filter.idCondition, filter.titleCondition, filter.texts].some((part) => part !== undefined)) return readPageRows(db, searchPage(db, filter, page));
  if (page.offset === 0) return readPageRows(db, firstPage(db, filter, page.limit, known));
  return known === undefined ? readPageRows(db, laterPage(db, filter, page)) : pageWithKnownTotal(db, filter, page, known);
}

/** Reads rows of ids and one row with the total. */
async function readPageRows(db: Reader, query: Sql): Promise<Paged<number>> {
  const { rows } = await sql<{ id: number | null; total: number | null }>`${query}`.execute(db.sql);
  const ids = rows.flatMap(({ id }) => id ?? []);
  return { items: ids.sort((one, other) => other - one), total: Number(rows.find(({ id }) => id === null)?.total ?? 0) };
}

/** Materializes a search result once, for the page and the total. */
function searchPage(db: Reader, filter: IssueFilter, { limit, offset }: Page): Sql {
  const { from, key, hasDuplicates } = filterRows(db, filter);
  return sql`with found as materialized (select ${hasDuplicates ? sql`distinct ` : empty}${key} as id ${from})
    select id, null as total from (select id from found order by id desc limit ${limit} offset ${offset}) page
    union all select null, count(*) from found`;
}

/** A partial page yields the total itself; a full page needs a count. */
function firstPage(db: Reader, filter: IssueFilter, limit: number, known: number | undefined): Sql {
  const total = known === undefined ? buildCountQuery(db, filter) : sql`select cast(${known} as bigint)`;
  return sql`with page as materialized (${buildIdsQuery(db, filter, pageWindow(newestFirst, limit, 0))}), total as (select (${total}) as n)
    select id, null as total from page
    union all select null, case when (select count(*) from page) < ${limit} then (select count(*) from page) else (select n from total) end`;
}

/** Counts first, then reads from the nearer end; a limit of 0 costs nothing. */
function laterPage(db: Reader, filter: IssueFilter, { limit, offset }: Page): Sql {
  const newest = { ...pageWindow(newestFirst, limit, offset), limit: sql`(select newest from ends)` };
  const skipped = sql`(select skipped from ends)`;
  const oldest: PageWindow = {
    direction: oldestFirst,
    limit: sql`(select oldest from ends)`,
    offset: skipped,
    end: sql`${skipped} + ${limit}`,
    maxParts: maxMerged,
  };
  return sql`with total as materialized (select (${buildCountQuery(db, filter)}) as n),
    ends as materialized (select n,
      case when n >= ${2 * offset} then ${limit} else 0 end as newest,
      case when n >= ${2 * offset} or n <= ${offset} then 0 when n < ${offset + limit} then n - ${offset} else ${limit} end as oldest,
      case when n > ${offset + limit} then n - ${offset + limit} else 0 end as skipped from total)
    select id, cast(null as bigint) as total from (${buildIdsQuery(db, filter, newest)}) near
    union all select id, null from (${buildIdsQuery(db, filter, oldest)}) far
    union all select null, n from ends`;
}

async function pageWithKnownTotal(db: Reader, filter: IssueFilter, { limit, offset }: Page, total: number): Promise<Paged<number>> {
  const rest = total - offset;
  if (rest <= 0) return { items: [], total };
  if (offset <= total / 2) return { items: await readIds(db, buildIdsQuery(db, filter, pageWindow(newestFirst, limit, offset))), total };
  const items = await readIds(db, buildIdsQuery(db, filter, pageWindow(oldestFirst, Math.min(limit, rest), Math.max(0, rest - limit))));
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
    (select 1 from issues i where i.repo_id = ${repoId} and i.updated_ms >= ${sinceMs} limit ${fewChanges + 1}) few`.execute(db.sql);
  return Number(rows[0]?.total ?? 0) <= fewChanges;
}
