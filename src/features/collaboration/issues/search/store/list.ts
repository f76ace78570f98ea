import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Page, Paged } from "../../../../../core/paging.ts";
import { anyOf } from "../../../../../db/any-of.ts";
import type { Reader } from "../../../../../db/db.ts";

/** Which issues are listed. What is absent filters nothing. */
export interface IssueFilter {
  /** Issues of these repositories alone. */
  readonly repoIds: readonly number[];
  /** Of these among them no issues. */
  readonly withoutIssues?: readonly number[] | undefined;
  /** Of these among them no pull requests. */
  readonly withoutPulls?: readonly number[] | undefined;
  readonly isClosed?: boolean | undefined;
  readonly isPull?: boolean | undefined;
  /** For each name that is asked for, the labels that bear it: an issue has one of each. */
  readonly labels?: readonly (readonly number[])[] | undefined;
  /** The labels are those of the repositories themselves, of each one at most: no issue bears two of them, and none elsewhere bears one. */
  readonly areLabelsApart?: boolean | undefined;
  readonly milestoneIds?: readonly number[] | undefined;
  readonly posterId?: number | undefined;
  readonly assigneeId?: number | undefined;
  readonly mentionedId?: number | undefined;
  readonly sinceMs?: number | undefined;
  /** So little has changed since then that the index of changes leads to it sooner than that of ids. */
  readonly isSinceRecent?: boolean | undefined;
  readonly beforeMs?: number | undefined;
  /** These issues `i` alone. */
  readonly foundBy?: RawBuilder<SqlBool> | undefined;
  /** What has the words of a search: the newest of it that all else lets through. */
  readonly texts?: readonly SearchedTexts[] | undefined;
  /** What only the title can tell: asked of the newest issues alone that all else lets through. */
  readonly titled?: RawBuilder<SqlBool> | undefined;
  /** Titles are read with the ids. */
  readonly showsTitles?: true;
}

export type Sql = RawBuilder<unknown>;

/** Texts with the words of a search. */
export interface SearchedTexts {
  /** A table, and what leads from it to an issue. */
  readonly from: Sql;
  readonly where: Sql;
  /** The id of the text's issue. */
  readonly issue: Sql;
  /** Rises from the oldest text to the newest; an index has it in order. */
  readonly key: Sql;
}

/**
 * Where the reading of a list begins: the table whose index holds the matching issues in their order. Without one it is the index of the
 * repository. The databases choose badly between them: one knows nothing of how often a value occurs, so the choice is made here.
 */
interface Driver {
  readonly from: Sql;
  readonly where: Sql;
  /** The id of the issue, as the driver's index has it. */
  readonly key: Sql;
  /** Columns of the issue that take no part in the choice of an index: a sign before them says so to both databases. */
  readonly aside: Sql;
  /** Where repository, kind and state stand: with the issue, or carried over to the driver. */
  readonly facts: Sql;
  /** What it is the index of: `change`, the time of the last one, in a repository or in all; `poster`, an author, who is known with repositories too. */
  readonly by?: "assignee" | "mention" | "poster" | "change";
  /** Of the filter's labels those that it has looked at. */
  readonly labels?: readonly number[] | undefined;
  /** An issue may be led to twice. */
  readonly isRepeating?: boolean;
}

const issuesAlone = sql`issues i`;
const ofIssue = sql`i`;
const none = sql``;
const behindSign = sql`+`;

/**
 * Issues that a driver leads to: what is looked at of each stands in a narrow index. SQLite would go to the row, past its texts, and is told;
 * PostgreSQL finds it.
 */
const issuesBehind = (db: Reader): Sql => (db.dialect === "sqlite" ? sql`issues i indexed by issues_facts` : issuesAlone);

/** Whether a filter asks what stands with the issue alone, and is not carried over to its labels and assignees. */
const looksAtIssue = ({ milestoneIds, posterId, sinceMs, beforeMs, foundBy, showsTitles }: IssueFilter): boolean =>
  [milestoneIds, posterId, sinceMs, beforeMs, foundBy, showsTitles].some((part) => part !== undefined);

/** Labels and assignees know what lists ask of their issues: many lists need to look at nothing else. */
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
      aside: filter.repoIds.length === 1 ? none : behindSign,
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
      aside: filter.repoIds.length === 1 ? none : behindSign,
      facts: ofIssue,
      by: "change",
    };
  const [labels] = filter.labels ?? [];
  if (labels === undefined) return undefined;
  const ofLabels = anyOf(db, sql<number>`d.label_id`, labels);
  return { ...carriedDriver(db, filter, "issue_labels", ofLabels), labels, isRepeating: filter.areLabelsApart !== true };
}

/** So many repositories, or labels, are read each by its own index, and what they bring is merged. */
const maxMerged = 50;
/** As long as they bring no more than this: each brings all that may stand before the end of the page. */
const maxMergedRows = 10_000;

interface Matching {
  readonly from: Sql;
  /** By which the list is ordered. */
  readonly key: Sql;
  readonly isRepeating: boolean;
}

/** So many titles are looked at where no index knows what is in them. */
const maxTitles = 5_000;
/** So many texts with the words of a search are gone through, of the issues and of their comments: a common word stands in most of them. */
const maxTexts = 1_000;

/** The filter as what stands behind `select`, and the order's key. */
export function matching(db: Reader, filter: IssueFilter): Matching {
  if (filter.titled !== undefined) {
    const newest = idsOf(db, { ...filter, titled: undefined, showsTitles: true }, stretchOf(newestFirst, maxTitles, 0));
    return { from: sql`from (${newest}) i where ${filter.titled}`, key: sql`i.id`, isRepeating: false };
  }
  if (filter.texts !== undefined) return { from: sql`from (${foundTexts(db, filter, filter.texts)}) i`, key: sql`i.id`, isRepeating: false };
  const driver = driverOf(db, filter);
  // An expression is no column: its order comes from no index.
  const key = driver?.by === "change" ? sql`+i.id` : (driver?.key ?? sql`i.id`);
  const conditions = [...(driver === undefined ? [] : [driver.where]), ...conditionsOf(db, filter, driver, key)];
  return { from: sql`from ${driver?.from ?? issuesAlone} where ${sql.join(conditions, sql` and `)}`, key, isRepeating: driver?.isRepeating === true };
}

/** Behind a text stands its issue, by its id. */
const behindText = { aside: none, facts: ofIssue } as const;

/** Ids of the issues whose texts have the words, each once. */
function foundTexts(db: Reader, filter: IssueFilter, texts: readonly SearchedTexts[]): Sql {
  const conditions = sql.join(conditionsOf(db, filter, behindText, sql`i.id`), sql` and `);
  const parts = texts.map(
    ({ from, where, issue, key }) => sql`select id from (select i.id from ${from} cross join ${issuesBehind(db)}
      where i.id = ${issue} and ${where} and ${conditions} order by ${key} desc limit ${maxTexts}) t`,
  );
  return sql.join(parts, sql` union `);
}

/** What a filter asks, but for what its driver has looked at. */
export function conditionsOf(db: Reader, filter: IssueFilter, driver: Pick<Driver, "aside" | "facts" | "by" | "labels"> | undefined, key: Sql): readonly Sql[] {
  const conditions: Sql[] = [];
  const [repoId, ...others] = filter.repoIds;
  const isOne = repoId !== undefined && others.length === 0;
  // Issues of many repositories are read from the newest on; an index of repositories would bring all of them, to be sorted. PostgreSQL knows
  // how many that are, unless a sign hides it.
  const aside = driver?.aside ?? (isOne || db.dialect === "postgres" ? none : behindSign);
  const facts = driver?.facts ?? ofIssue;
  // Behind the index of changes, the order and the other columns are looked at last.
  const later = driver?.by === "change" || driver?.by === "poster" ? behindSign : aside;
  if (isOne) conditions.push(sql`${aside}${facts}.repo_id = ${repoId}`);
  else if (filter.areLabelsApart !== true) conditions.push(anyOf(db, sql<number>`${aside}${facts}.repo_id`, filter.repoIds));
  for (const [isPull, repoIds] of [
    [0, filter.withoutIssues],
    [1, filter.withoutPulls],
  ] as const) {
    if (repoIds === undefined || repoIds.length === 0) continue;
    conditions.push(sql`not (+${facts}.is_pull = ${isPull} and ${anyOf(db, sql<number>`+${facts}.repo_id`, repoIds)})`);
  }
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

/** The filter in parts that each come in order from an index of their own; one part where that does not help. */
export function partsOf(db: Reader, filter: IssueFilter): readonly IssueFilter[] {
  if (filter.titled !== undefined || filter.texts !== undefined) return [filter];
  const driver = driverOf(db, filter);
  if (driver === undefined || driver.by === "poster") {
    return filter.repoIds.length <= maxMerged ? filter.repoIds.map((repoId) => ({ ...filter, repoIds: [repoId] })) : [filter];
  }
  if (driver.labels === undefined || driver.labels.length > maxMerged) return [filter];
  return driver.labels.map((label) => ({ ...filter, labels: filter.labels?.map((ids) => (ids === driver.labels ? [label] : ids)) }));
}

/** A stretch of a list. */
export interface Stretch {
  readonly direction: Sql;
  readonly limit: Sql;
  readonly offset: Sql;
  /** How far into the list it goes: each part of a filter brings as many. */
  readonly end: Sql;
  /** In so many parts at most it is read: not where it begins far into the list. */
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

/** A stretch of a list, as a query of its ids. */
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
  // The parts of labels share the issues that bear several of them. PostgreSQL takes no more of parts that share none than the page needs.
  const isApart = db.dialect === "postgres" && driverOf(db, filter)?.isRepeating !== true;
  return sql`${sql.join(whole, isApart ? sql` union all ` : sql` union `)} order by id ${direction} limit ${limit} offset ${offset}`;
}

/** How many there are, as a query. */
export function totalOf(db: Reader, filter: IssueFilter): Sql {
  const { from, key, isRepeating } = matching(db, filter);
  return isRepeating ? sql`select count(distinct ${key}) ${from}` : sql`select count(*) ${from}`;
}

export const fitsNothing = ({ repoIds, milestoneIds, labels }: IssueFilter): boolean =>
  repoIds.length === 0 || milestoneIds?.length === 0 || labels?.some((ids) => ids.length === 0) === true;

/**
 * Ids of a page of issues, the newest first, and how many there are. One statement.
 * A page beyond the middle is read from the other end, so the last one costs what the first one does.
 * @param known how many there are, where that is kept; else they are counted
 */
export async function pageIssueIds(db: Reader, filter: IssueFilter, page: Page, known?: number): Promise<Paged<number>> {
  if (fitsNothing(filter)) return { items: [], total: 0 };
  if ([filter.foundBy, filter.titled, filter.texts].some((part) => part !== undefined)) return readPage(db, foundPage(db, filter, page));
  if (page.offset === 0) return readPage(db, firstPage(db, filter, page.limit, known));
  return known === undefined ? readPage(db, laterPage(db, filter, page)) : pageOfKnown(db, filter, page, known);
}

/** Rows that each hold an id, and one that holds how many there are. */
async function readPage(db: Reader, query: Sql): Promise<Paged<number>> {
  const { rows } = await sql<{ id: number | null; total: number | null }>`${query}`.execute(db.sql);
  const ids = rows.flatMap(({ id }) => id ?? []);
  return { items: ids.sort((one, other) => other - one), total: Number(rows.find(({ id }) => id === null)?.total ?? 0) };
}

/** What a search has found is put together once, for the page and for the number. */
function foundPage(db: Reader, filter: IssueFilter, { limit, offset }: Page): Sql {
  const { from, key, isRepeating } = matching(db, filter);
  return sql`with found as materialized (select ${isRepeating ? sql`distinct ` : none}${key} as id ${from})
    select id, null as total from (select id from found order by id desc limit ${limit} offset ${offset}) page
    union all select null, count(*) from found`;
}

/** A page that is not full tells itself how many there are; only behind a full one they are counted. */
function firstPage(db: Reader, filter: IssueFilter, limit: number, known: number | undefined): Sql {
  const total = known === undefined ? totalOf(db, filter) : sql`select cast(${known} as bigint)`;
  return sql`with page as materialized (${idsOf(db, filter, stretchOf(newestFirst, limit, 0))}), total as (select (${total}) as n)
    select id, null as total from page
    union all select null, case when (select count(*) from page) < ${limit} then (select count(*) from page) else (select n from total) end`;
}

/** Counts first, then reads from the end that is nearer: a limit of 0 costs nothing. */
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

/** So many changes since a time are few. */
const fewChanges = 2_000;

/** Whether so little of a repository has changed since a time that its index of changes leads to a list soonest. One statement, bounded. */
export async function isSinceRecent(db: Reader, repoId: number, sinceMs: number): Promise<boolean> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from
    (select 1 from issues i where i.repo_id = ${repoId} and i.updated_ms >= ${sinceMs} limit ${fewChanges + 1}) few`.execute(db.sql);
  return Number(rows[0]?.total ?? 0) <= fewChanges;
}

/** How many issues and pull requests repositories have, as their rows keep it. */
interface KeptCounts {
  readonly openIssues: number;
  readonly closedIssues: number;
  readonly openPulls: number;
  readonly closedPulls: number;
}

async function loadKeptCounts(db: Reader, repoIds: readonly number[]): Promise<KeptCounts> {
  const sum = (column: string) => sql<number | null>`sum(${sql.ref(column)})`;
  const row = await db.sql
    .selectFrom("repositories")
    .select([
      sum("open_issues_count").as("openIssues"),
      sum("closed_issues_count").as("closedIssues"),
      sum("open_pulls_count").as("openPulls"),
      sum("closed_pulls_count").as("closedPulls"),
    ])
    .where((eb) => anyOf(db, eb.ref("id"), repoIds))
    .executeTakeFirst();
  return {
    openIssues: Number(row?.openIssues ?? 0),
    closedIssues: Number(row?.closedIssues ?? 0),
    openPulls: Number(row?.openPulls ?? 0),
    closedPulls: Number(row?.closedPulls ?? 0),
  };
}

/** The number that a filter by state and kind alone leaves; undefined for any other filter, which costs no statement. */
export async function findKeptTotal(db: Reader, filter: IssueFilter): Promise<number | undefined> {
  const { repoIds, isClosed, isPull, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  const counts = await loadKeptCounts(db, repoIds);
  const issues = (isClosed !== true ? counts.openIssues : 0) + (isClosed !== false ? counts.closedIssues : 0);
  const pulls = (isClosed !== true ? counts.openPulls : 0) + (isClosed !== false ? counts.closedPulls : 0);
  return (isPull === true ? 0 : issues) + (isPull === false ? 0 : pulls);
}
