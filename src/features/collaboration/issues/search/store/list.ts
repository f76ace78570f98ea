import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Page, Paged } from "../../../../../core/paging.ts";
import { anyOf } from "../../../../../db/any-of.ts";
import type { Reader } from "../../../../../db/db.ts";
import { type IssueScope, inScope, isOneRepository, readsByRepository, type Sql } from "./scope.ts";

/** Filters of a list; an absent filter matches everything. */
export interface IssueFilter {
  /** Only issues of these repositories; absent if another part of the statement restricts them. */
  readonly within?: IssueScope | undefined;
  readonly isClosed?: boolean | undefined;
  readonly isPull?: boolean | undefined;
  /** For each requested name, the labels with that name: an issue must have one of each. */
  readonly labels?: readonly (readonly number[])[] | undefined;
  /** All labels belong to repositories of the scope, at most one to each: no issue has two of them, and all their issues are in the scope. */
  readonly areLabelsApart?: boolean | undefined;
  readonly milestoneIds?: readonly number[] | undefined;
  readonly posterId?: number | undefined;
  readonly assigneeId?: number | undefined;
  readonly mentionedId?: number | undefined;
  readonly sinceMs?: number | undefined;
  /** Whether so few issues changed since then that the index of changes is faster than that of ids. */
  readonly isSinceRecent?: boolean | undefined;
  readonly beforeMs?: number | undefined;
  /** Only these issues `i`. */
  readonly foundBy?: RawBuilder<SqlBool> | undefined;
  /** Texts that contain the search words: limited to the newest that pass all other filters. */
  readonly texts?: readonly SearchedTexts[] | undefined;
  /** Condition on the title, checked only for the newest issues that pass all other filters. */
  readonly titled?: RawBuilder<SqlBool> | undefined;
  /** Whether titles are read with the ids. */
  readonly showsTitles?: true;
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

/** The table whose index yields the matching issues in order, by default that of the repository. Both databases choose it badly. */
interface Driver {
  readonly from: Sql;
  readonly where: Sql;
  /** The id of the issue in the driver's index. */
  readonly key: Sql;
  /** Unary plus for columns of the issue that must not take part in the index choice; both databases honor it. */
  readonly aside: Sql;
  /** Table with repository, kind and state: the issue, or the driver that duplicates them. */
  readonly facts: Sql;
  /** Indexed by `change` (the update time, in one or all repositories) or by `poster`, which contains repositories too. */
  readonly by?: "assignee" | "mention" | "poster" | "change";
  /** Labels of the filter that the driver already checks. */
  readonly labels?: readonly number[] | undefined;
  /** Whether the driver can yield an issue twice. */
  readonly isRepeating?: boolean;
}

const issuesAlone = sql`issues i`;
const ofIssue = sql`i`;
const none = sql``;
const behindSign = sql`+`;

/**
 * Joins the issues of a driver through a narrow index with the filtered columns. SQLite would read the row including its texts and needs
 * the index by name; PostgreSQL finds it.
 */
const issuesBehind = (db: Reader): Sql => (db.dialect === "sqlite" ? sql`issues i indexed by issues_facts` : issuesAlone);

/** Whether a filter needs columns that only the issue has, which labels and assignees do not duplicate. */
const looksAtIssue = ({ milestoneIds, posterId, sinceMs, beforeMs, foundBy, showsTitles }: IssueFilter): boolean =>
  [milestoneIds, posterId, sinceMs, beforeMs, foundBy, showsTitles].some((part) => part !== undefined);

/** Labels and assignees duplicate filtered columns of their issues, so many lists need no other table. */
function carriedDriver(db: Reader, filter: IssueFilter, table: "issue_labels" | "issue_assignees", where: Sql): Driver {
  const listed = db.dialect === "sqlite" ? sql` indexed by ${sql.ref(`${table}_listed`)}` : none;
  const links = sql`${sql.table(table)} d${listed}`;
  return {
    from: looksAtIssue(filter) ? sql`${links} cross join ${issuesBehind(db)}` : links,
    where: looksAtIssue(filter) ? sql`${where} and i.id = d.issue_id` : where,
    key: sql`d.issue_id`,
    aside: none,
    facts: sql`d`,
  };
}

export function driverOf(db: Reader, filter: IssueFilter): Driver | undefined {
  if (filter.assigneeId !== undefined) return { ...carriedDriver(db, filter, "issue_assignees", sql`d.account_id = ${filter.assigneeId}`), by: "assignee" };
  if (filter.mentionedId !== undefined)
    return {
      from: sql`issue_mentions d cross join ${issuesBehind(db)}`,
      where: sql`d.account_id = ${filter.mentionedId} and i.id = d.issue_id`,
      key: sql`d.issue_id`,
      aside: behindSign,
      facts: ofIssue,
      by: "mention",
    };
  if (filter.posterId !== undefined)
    return {
      from: issuesAlone,
      where: sql`i.poster_id = ${filter.posterId}`,
      key: sql`i.id`,
      aside: isOneRepository(filter.within) ? none : behindSign,
      facts: ofIssue,
      by: "poster",
    };
  const [milestoneId, ...moreMilestones] = filter.milestoneIds ?? [];
  if (milestoneId !== undefined && moreMilestones.length === 0)
    return { from: issuesAlone, where: sql`i.milestone_id = ${milestoneId}`, key: sql`i.id`, aside: behindSign, facts: ofIssue };
  const single = filter.labels?.find((ids) => ids.length === 1);
  if (single !== undefined) return { ...carriedDriver(db, filter, "issue_labels", sql`d.label_id = ${single[0]}`), labels: single };
  if (filter.isSinceRecent === true)
    return {
      from: issuesAlone,
      where: sql`i.updated_ms >= ${filter.sinceMs}`,
      key: sql`i.id`,
      aside: isOneRepository(filter.within) ? none : behindSign,
      facts: ofIssue,
      by: "change",
    };
  const [labels] = filter.labels ?? [];
  if (labels === undefined) return undefined;
  const ofLabels = anyOf(db, sql<number>`d.label_id`, labels);
  return { ...carriedDriver(db, filter, "issue_labels", ofLabels), labels, isRepeating: filter.areLabelsApart !== true };
}

/** Up to this many labels are read by index each and then merged. */
const maxMerged = 50;
/** Upper bound for the merged rows: each part yields all rows up to the end of the page. */
const maxMergedRows = 10_000;

interface Matching {
  readonly from: Sql;
  /** Sort key of the list. */
  readonly key: Sql;
  readonly isRepeating: boolean;
}

/** Maximum number of titles scanned without an index. */
export const maxTitles = 5_000;
/** Maximum number of texts scanned per search, of issues and of comments: a common word occurs in most of them. */
const maxTexts = 1_000;

/** The filter as the clauses after `select`, with the sort key. */
export function matching(db: Reader, filter: IssueFilter): Matching {
  if (filter.titled !== undefined) {
    const newest = idsOf(db, { ...filter, titled: undefined, showsTitles: true }, stretchOf(newestFirst, maxTitles, 0));
    return { from: sql`from (${newest}) i where ${filter.titled}`, key: sql`i.id`, isRepeating: false };
  }
  if (filter.texts !== undefined) return { from: sql`from (${foundTexts(db, filter, filter.texts)}) i`, key: sql`i.id`, isRepeating: false };
  const driver = driverOf(db, filter);
  // An expression instead of the column, so that no index provides the order.
  const key = driver?.by === "change" ? sql`+i.id` : (driver?.key ?? sql`i.id`);
  const conditions = [...(driver === undefined ? [] : [driver.where]), ...conditionsOf(db, filter, driver, key)];
  const from = driver?.from ?? (readsByRepository(filter.within) ? issuesAlone : issuesBehind(db));
  return { from: sql`from ${from} where ${sql.join(conditions, sql` and `)}`, key, isRepeating: driver?.isRepeating === true };
}

/** A text leads to its issue by id. */
const behindText = { aside: none, facts: ofIssue } as const;

/** Ids of the issues whose texts contain the words, each once. */
function foundTexts(db: Reader, filter: IssueFilter, texts: readonly SearchedTexts[]): Sql {
  const conditions = sql.join(conditionsOf(db, filter, behindText, sql`i.id`), sql` and `);
  const parts = texts.map(
    ({ from, where, issue, key }) => sql`select id from (select i.id from ${from} cross join ${issuesBehind(db)}
      where i.id = ${issue} and ${where} and ${conditions} order by ${key} desc limit ${maxTexts}) t`,
  );
  return sql.join(parts, sql` union `);
}

/** Conditions of a filter that its driver does not already check. */
export function conditionsOf(db: Reader, filter: IssueFilter, driver: Pick<Driver, "aside" | "facts" | "by" | "labels"> | undefined, key: Sql): readonly Sql[] {
  const conditions: Sql[] = [];
  const isOne = isOneRepository(filter.within);
  // Issues of many repositories are read from the newest on; an index by repository would return and sort all of them. PostgreSQL
  // estimates their number, unless a unary plus hides the column.
  const aside = driver?.aside ?? (isOne || db.dialect === "postgres" ? none : behindSign);
  const facts = driver?.facts ?? ofIssue;
  // With the index of changes, the order and the other columns are checked last.
  const later = driver?.by === "change" || driver?.by === "poster" ? behindSign : aside;
  if (filter.within !== undefined && (isOne || filter.areLabelsApart !== true))
    conditions.push(...inScope(filter.within, filter, { facts, aside, hasDriver: driver !== undefined }));
  if (filter.isClosed !== undefined) conditions.push(sql`${later}${facts}.is_closed = ${filter.isClosed ? 1 : 0}`);
  if (filter.isPull !== undefined) conditions.push(sql`${later}${facts}.is_pull = ${filter.isPull ? 1 : 0}`);
  if (filter.posterId !== undefined) conditions.push(sql`${driver?.by === "poster" ? none : behindSign}i.poster_id = ${filter.posterId}`);
  if (filter.milestoneIds !== undefined) {
    const [only, ...more] = filter.milestoneIds;
    conditions.push(only !== undefined && more.length === 0 ? sql`i.milestone_id = ${only}` : anyOf(db, sql<number>`+i.milestone_id`, filter.milestoneIds));
  }
  for (const ids of filter.labels ?? []) {
    if (ids === driver?.labels) continue;
    const [only, ...more] = ids;
    const isOneOf = only !== undefined && more.length === 0 ? sql`l.label_id = ${only}` : anyOf(db, sql<number>`l.label_id`, ids);
    conditions.push(sql`exists (select 1 from issue_labels l where l.issue_id = ${key} and ${isOneOf})`);
  }
  if (filter.assigneeId !== undefined && driver?.by !== "assignee")
    conditions.push(sql`exists (select 1 from issue_assignees a where a.account_id = ${filter.assigneeId} and a.issue_id = ${key})`);
  if (filter.mentionedId !== undefined && driver?.by !== "mention")
    conditions.push(sql`exists (select 1 from issue_mentions m where m.account_id = ${filter.mentionedId} and m.issue_id = ${key})`);
  if (filter.sinceMs !== undefined && driver?.by !== "change") conditions.push(sql`+i.updated_ms >= ${filter.sinceMs}`);
  if (filter.beforeMs !== undefined) conditions.push(sql`+i.updated_ms <= ${filter.beforeMs}`);
  if (filter.foundBy !== undefined) conditions.push(filter.foundBy);
  return conditions;
}

/** Splits a filter into parts that each come in order from an index; a single part if splitting does not help. */
export function partsOf(db: Reader, filter: IssueFilter): readonly IssueFilter[] {
  if (filter.titled !== undefined || filter.texts !== undefined) return [filter];
  const driver = driverOf(db, filter);
  if (driver?.labels === undefined || driver.labels.length > maxMerged) return [filter];
  return driver.labels.map((label) => ({ ...filter, labels: filter.labels?.map((ids) => (ids === driver.labels ? [label] : ids)) }));
}

/** A range of a list. */
export interface Stretch {
  readonly direction: Sql;
  readonly limit: Sql;
  readonly offset: Sql;
  /** End of the range: each part of a filter yields rows up to it. */
  readonly end: Sql;
  /** Maximum number of parts to read; deep pages use fewer. */
  readonly maxParts: number;
}

export const stretchOf = (direction: Sql, limit: number, offset: number): Stretch => ({
  direction,
  limit: sql`${limit}`,
  offset: sql`${offset}`,
  end: sql`${offset + limit}`,
  maxParts: maxMergedRows / (offset + limit),
});

export const newestFirst = sql`desc`;
export const oldestFirst = sql`asc`;

/** A query for the ids in a range of a list. */
export function idsOf(db: Reader, filter: IssueFilter, { direction, limit, offset, end, maxParts }: Stretch): Sql {
  const part = (of: IssueFilter, most: Sql, skipped: Sql): Sql => {
    const { from, key, isRepeating } = matching(db, of);
    const word = isRepeating ? sql`distinct ` : none;
    const title = filter.showsTitles === true ? sql`, i.title` : none;
    return sql`select ${word}${key} as id${title} ${from} order by ${key} ${direction} limit ${most} offset ${skipped}`;
  };
  const parts = partsOf(db, filter);
  if (parts.length <= 1 || parts.length > maxParts) return part(filter, limit, offset);
  const whole = parts.map((of) => sql`select * from (${part(of, end, sql`0`)}) p`);
  // Parts by label overlap in issues that have several of them. For disjoint parts PostgreSQL reads only the rows that the page
  // needs.
  const isApart = db.dialect === "postgres" && driverOf(db, filter)?.isRepeating !== true;
  return sql`${sql.join(whole, isApart ? sql` union all ` : sql` union `)} order by id ${direction} limit ${limit} offset ${offset}`;
}

/** A query for the total. */
export function totalOf(db: Reader, filter: IssueFilter): Sql {
  const { from, key, isRepeating } = matching(db, filter);
  return isRepeating ? sql`select count(distinct ${key}) ${from}` : sql`select count(*) ${from}`;
}

export const fitsNothing = ({ milestoneIds, labels }: IssueFilter): boolean => milestoneIds?.length === 0 || labels?.some((ids) => ids.length === 0) === true;

/**
 * Ids of a page of issues, newest first, with the total. One statement.
 * Pages past the middle are read from the other end, so the last page costs the same as the first.
 * @param known the total if it is stored; otherwise it is counted
 */
export async function pageIssueIds(db: Reader, filter: IssueFilter, page: Page, known?: number): Promise<Paged<number>> {
  if (fitsNothing(filter)) return { items: [], total: 0 };
  if ([filter.foundBy, filter.titled, filter.texts].some((part) => part !== undefined)) return readPage(db, foundPage(db, filter, page));
  if (page.offset === 0) return readPage(db, firstPage(db, filter, page.limit, known));
  return known === undefined ? readPage(db, laterPage(db, filter, page)) : pageOfKnown(db, filter, page, known);
}

/** Reads rows of ids and one row with the total. */
async function readPage(db: Reader, query: Sql): Promise<Paged<number>> {
  const { rows } = await sql<{ id: number | null; total: number | null }>`${query}`.execute(db.sql);
  const ids = rows.flatMap(({ id }) => id ?? []);
  return { items: ids.sort((one, other) => other - one), total: Number(rows.find(({ id }) => id === null)?.total ?? 0) };
}

/** Materializes a search result once, for the page and the total. */
function foundPage(db: Reader, filter: IssueFilter, { limit, offset }: Page): Sql {
  const { from, key, isRepeating } = matching(db, filter);
  return sql`with found as materialized (select ${isRepeating ? sql`distinct ` : none}${key} as id ${from})
    select id, null as total from (select id from found order by id desc limit ${limit} offset ${offset}) page
    union all select null, count(*) from found`;
}

/** A partial page yields the total itself; a full page needs a count. */
function firstPage(db: Reader, filter: IssueFilter, limit: number, known: number | undefined): Sql {
  const total = known === undefined ? totalOf(db, filter) : sql`select cast(${known} as bigint)`;
  return sql`with page as materialized (${idsOf(db, filter, stretchOf(newestFirst, limit, 0))}), total as (select (${total}) as n)
    select id, null as total from page
    union all select null, case when (select count(*) from page) < ${limit} then (select count(*) from page) else (select n from total) end`;
}

/** Counts first, then reads from the nearer end; a limit of 0 costs nothing. */
function laterPage(db: Reader, filter: IssueFilter, { limit, offset }: Page): Sql {
  const newest = { ...stretchOf(newestFirst, limit, offset), limit: sql`(select newest from ends)` };
  const skipped = sql`(select skipped from ends)`;
  const oldest: Stretch = {
    direction: oldestFirst,
    limit: sql`(select oldest from ends)`,
    offset: skipped,
    end: sql`${skipped} + ${limit}`,
    maxParts: maxMerged,
  };
  return sql`with total as materialized (select (${totalOf(db, filter)}) as n),
    ends as materialized (select n,
      case when n >= ${2 * offset} then ${limit} else 0 end as newest,
      case when n >= ${2 * offset} or n <= ${offset} then 0 when n < ${offset + limit} then n - ${offset} else ${limit} end as oldest,
      case when n > ${offset + limit} then n - ${offset + limit} else 0 end as skipped from total)
    select id, cast(null as bigint) as total from (${idsOf(db, filter, newest)}) near
    union all select id, null from (${idsOf(db, filter, oldest)}) far
    union all select null, n from ends`;
}

async function pageOfKnown(db: Reader, filter: IssueFilter, { limit, offset }: Page, total: number): Promise<Paged<number>> {
  const rest = total - offset;
  if (rest <= 0) return { items: [], total };
  if (offset <= total / 2) return { items: await readIds(db, idsOf(db, filter, stretchOf(newestFirst, limit, offset))), total };
  const items = await readIds(db, idsOf(db, filter, stretchOf(oldestFirst, Math.min(limit, rest), Math.max(0, rest - limit))));
  return { items: items.reverse(), total };
}

async function readIds(db: Reader, query: Sql): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${query}`.execute(db.sql);
  return rows.map(({ id }) => id);
}

/** Maximum number of changes that count as few. */
const fewChanges = 2_000;

/** Whether few enough issues of a repository changed since a time to read its index of changes. One bounded statement. */
export async function isSinceRecent(db: Reader, repoId: number, sinceMs: number): Promise<boolean> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from
    (select 1 from issues i where i.repo_id = ${repoId} and i.updated_ms >= ${sinceMs} limit ${fewChanges + 1}) few`.execute(db.sql);
  return Number(rows[0]?.total ?? 0) <= fewChanges;
}
