import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Page, Paged } from "../../../core/paging.ts";
import { anyOf } from "../../../db/any-of.ts";
import type { Reader } from "../../../db/db.ts";

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
  readonly milestoneIds?: readonly number[] | undefined;
  readonly posterId?: number | undefined;
  readonly assigneeId?: number | undefined;
  readonly mentionedId?: number | undefined;
  readonly sinceMs?: number | undefined;
  /** So little has changed since then that the index of changes leads to it sooner than that of ids. */
  readonly isSinceRecent?: boolean | undefined;
  readonly beforeMs?: number | undefined;
  /** Ids of these alone: what a search has found. */
  readonly foundBy?: RawBuilder<SqlBool> | undefined;
}

type Sql = RawBuilder<unknown>;

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
  /** The index of a repository by the time of the last change. */
  readonly isUpdated?: true;
  /** The index of an author, which knows repositories too. */
  readonly isPoster?: true;
  /** Of the filter's labels those that it has looked at. */
  readonly labels?: readonly number[] | undefined;
}

const issuesAlone = sql`issues i`;
const none = sql``;
const behindSign = sql`+`;

/**
 * Issues that a driver leads to: what is looked at of each stands in a narrow index. SQLite would go to the row, past its texts, and is told;
 * PostgreSQL finds it.
 */
const issuesBehind = (db: Reader): Sql => (db.dialect === "sqlite" ? sql`issues i indexed by issues_facts` : issuesAlone);

function driverOf(db: Reader, filter: IssueFilter): Driver | undefined {
  const linked = (table: string, column: string, value: number): Driver => ({
    from: sql`${sql.table(table)} d cross join ${issuesBehind(db)}`,
    where: sql`d.${sql.ref(column)} = ${value} and i.id = d.issue_id`,
    key: sql`d.issue_id`,
    aside: behindSign,
  });
  if (filter.assigneeId !== undefined) return linked("issue_assignees", "account_id", filter.assigneeId);
  if (filter.mentionedId !== undefined) return linked("issue_mentions", "account_id", filter.mentionedId);
  if (filter.posterId !== undefined)
    return {
      from: issuesAlone,
      where: sql`i.poster_id = ${filter.posterId}`,
      key: sql`i.id`,
      aside: filter.repoIds.length === 1 ? none : behindSign,
      isPoster: true,
    };
  const [milestoneId, ...moreMilestones] = filter.milestoneIds ?? [];
  if (milestoneId !== undefined && moreMilestones.length === 0)
    return { from: issuesAlone, where: sql`i.milestone_id = ${milestoneId}`, key: sql`i.id`, aside: behindSign };
  const label = filter.labels?.find((ids) => ids.length === 1)?.[0];
  if (label !== undefined) return { ...linked("issue_labels", "label_id", label), labels: filter.labels?.find((ids) => ids.length === 1) };
  if (filter.isSinceRecent === true) return { from: issuesAlone, where: sql`i.updated_ms >= ${filter.sinceMs}`, key: sql`i.id`, aside: none, isUpdated: true };
  const [labels] = filter.labels ?? [];
  if (labels === undefined) return undefined;
  // Several labels of one name: an issue that bears two of them is listed once.
  return {
    from: sql`(select distinct il.issue_id from issue_labels il where ${anyOf(db, sql<number>`il.label_id`, labels)}) d cross join ${issuesBehind(db)}`,
    where: sql`i.id = d.issue_id`,
    key: sql`i.id`,
    aside: behindSign,
    labels,
  };
}

/** So many repositories are read each by its own index, and what they bring is merged. */
const maxMerged = 50;
/** So far into a list: each repository brings all that may stand before it. */
const maxMergedRows = 2_000;

interface Matching {
  readonly from: Sql;
  /** By which the list is ordered. */
  readonly key: Sql;
}

/** The filter as what stands behind `select`, and the order's key. */
function matching(db: Reader, filter: IssueFilter): Matching {
  const driver = driverOf(db, filter);
  const [repoId, ...others] = filter.repoIds;
  const isOne = repoId !== undefined && others.length === 0;
  // Issues of many repositories are read from the newest on; an index of repositories would bring all of them, to be sorted.
  const aside = driver?.aside ?? (isOne ? none : behindSign);
  const conditions: Sql[] = driver === undefined ? [] : [driver.where];
  // Behind the index of changes, the order and the other columns are looked at last.
  const later = driver?.isUpdated === true || driver?.isPoster === true ? behindSign : aside;
  conditions.push(isOne ? sql`${aside}i.repo_id = ${repoId}` : anyOf(db, sql<number>`${aside}i.repo_id`, filter.repoIds));
  for (const [isPull, repoIds] of [
    [0, filter.withoutIssues],
    [1, filter.withoutPulls],
  ] as const)
    if (repoIds !== undefined && repoIds.length > 0) conditions.push(sql`not (+i.is_pull = ${isPull} and ${anyOf(db, sql<number>`+i.repo_id`, repoIds)})`);
  if (filter.isClosed !== undefined) conditions.push(sql`${later}i.is_closed = ${filter.isClosed ? 1 : 0}`);
  if (filter.isPull !== undefined) conditions.push(sql`${later}i.is_pull = ${filter.isPull ? 1 : 0}`);
  if (filter.posterId !== undefined) conditions.push(sql`${driver?.isPoster === true ? none : behindSign}i.poster_id = ${filter.posterId}`);
  if (filter.milestoneIds !== undefined) {
    const [only, ...more] = filter.milestoneIds;
    conditions.push(only !== undefined && more.length === 0 ? sql`i.milestone_id = ${only}` : anyOf(db, sql<number>`+i.milestone_id`, filter.milestoneIds));
  }
  for (const ids of filter.labels ?? []) {
    if (ids === driver?.labels) continue;
    const [only, ...more] = ids;
    const isOneOf = only !== undefined && more.length === 0 ? sql`l.label_id = ${only}` : anyOf(db, sql<number>`l.label_id`, ids);
    conditions.push(sql`exists (select 1 from issue_labels l where l.issue_id = i.id and ${isOneOf})`);
  }
  if (filter.mentionedId !== undefined && filter.assigneeId !== undefined)
    conditions.push(sql`exists (select 1 from issue_mentions m where m.account_id = ${filter.mentionedId} and m.issue_id = i.id)`);
  if (filter.sinceMs !== undefined && driver?.isUpdated === undefined) conditions.push(sql`+i.updated_ms >= ${filter.sinceMs}`);
  if (filter.beforeMs !== undefined) conditions.push(sql`+i.updated_ms <= ${filter.beforeMs}`);
  if (filter.foundBy !== undefined) conditions.push(filter.foundBy);
  // An expression is no column: its order comes from no index.
  const key = driver?.isUpdated === true ? sql`+i.id` : (driver?.key ?? sql`i.id`);
  return { from: sql`from ${driver?.from ?? issuesAlone} where ${sql.join(conditions, sql` and `)}`, key };
}

/** Ids of so many issues in one direction. */
async function readIds(db: Reader, filter: IssueFilter, direction: Sql, limit: number, offset: number): Promise<number[]> {
  const isMerged = filter.repoIds.length > 1 && filter.repoIds.length <= maxMerged && offset + limit <= maxMergedRows && driverOf(db, filter) === undefined;
  const part = (repoIds: readonly number[], most: number, skipped: number): Sql => {
    const { from, key } = matching(db, { ...filter, repoIds });
    return sql`select i.id ${from} order by ${key} ${direction} limit ${most} offset ${skipped}`;
  };
  const parts = filter.repoIds.map((repoId) => sql`select id from (${part([repoId], offset + limit, 0)}) p`);
  const query = isMerged
    ? sql`${sql.join(parts, sql` union all `)} order by id ${direction} limit ${limit} offset ${offset}`
    : part(filter.repoIds, limit, offset);
  const { rows } = await sql<{ id: number }>`${query}`.execute(db.sql);
  return rows.map(({ id }) => id);
}

/**
 * Ids of a page of issues, the newest first, and how many there are.
 * A page beyond the middle is read from the other end, so the last one costs what the first one does.
 * @param known how many there are, where that is kept; else they are counted
 */
export async function pageIssueIds(db: Reader, filter: IssueFilter, page: Page, known?: number): Promise<Paged<number>> {
  if (filter.repoIds.length === 0 || filter.milestoneIds?.length === 0 || filter.labels?.some((ids) => ids.length === 0)) return { items: [], total: 0 };
  const read = (direction: Sql, limit: number, offset: number): Promise<number[]> => readIds(db, filter, direction, limit, offset);
  const count = async (): Promise<number> => {
    const { rows } = await sql<{ total: number }>`select count(*) as total ${matching(db, filter).from}`.execute(db.sql);
    return Number(rows[0]?.total ?? 0);
  };
  if (page.offset === 0) {
    const items = await read(sql`desc`, page.limit, 0);
    return { items, total: items.length < page.limit ? items.length : (known ?? (await count())) };
  }
  const total = known ?? (await count());
  const rest = total - page.offset;
  if (rest <= 0) return { items: [], total };
  if (page.offset <= total / 2) return { items: await read(sql`desc`, page.limit, page.offset), total };
  const items = await read(sql`asc`, Math.min(page.limit, rest), Math.max(0, rest - page.limit));
  return { items: items.reverse(), total };
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
export interface KeptCounts {
  readonly openIssues: number;
  readonly closedIssues: number;
  readonly openPulls: number;
  readonly closedPulls: number;
}

export async function loadKeptCounts(db: Reader, repoIds: readonly number[]): Promise<KeptCounts> {
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

/** The number that a filter by state and kind alone leaves; undefined for any other filter. */
export function keptTotal(counts: KeptCounts, filter: IssueFilter): number | undefined {
  const { repoIds: _repositories, isClosed, isPull, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  const issues = (isClosed !== true ? counts.openIssues : 0) + (isClosed !== false ? counts.closedIssues : 0);
  const pulls = (isClosed !== true ? counts.openPulls : 0) + (isClosed !== false ? counts.closedPulls : 0);
  return (isPull === true ? 0 : issues) + (isPull === false ? 0 : pulls);
}

/** Ids of the labels that bear one of some names, in any of some repositories or of their owners. */
export async function listLabelIds(
  db: Reader,
  within: { readonly repoIds: readonly number[]; readonly ownerIds: readonly number[] },
  names: readonly string[],
): Promise<readonly number[]> {
  if (names.length === 0) return [];
  const rows = await db.sql
    .selectFrom("labels")
    .select("id")
    .where((eb) => anyOf(db, eb.ref("name"), names))
    .where((eb) => eb.or([anyOf(db, sql<number>`repo_id`, within.repoIds), anyOf(db, sql<number>`org_id`, within.ownerIds)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** Ids of the milestones that bear one of some titles, whatever their case, in any of some repositories. */
export async function listMilestoneIds(db: Reader, repoIds: readonly number[], titles: readonly string[]): Promise<readonly number[]> {
  if (titles.length === 0) return [];
  const folded = titles.map((title) => title.toLowerCase());
  const rows = await db.sql
    .selectFrom("milestones")
    .select("id")
    .where((eb) => anyOf(db, eb.ref("title_folded"), folded))
    .where((eb) => anyOf(db, eb.ref("repo_id"), repoIds))
    .execute();
  return rows.map(({ id }) => id);
}
