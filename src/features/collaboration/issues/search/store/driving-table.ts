import { type RawBuilder, sql } from "kysely";
import { anyOf } from "../../../../../db/any-of.ts";
import type { Reader } from "../../../../../db/db.ts";
import { changedSince, lastChange } from "../../../../../db/update-time.ts";
import { buildScopeConditions, type IssueFilter, isOneRepository, repositoriesOf, type Sql } from "./filter.ts";

/**
 * The driving table of a join: its index yields the matching issues in order. By default it is the index of the repository. The planners of
 * both databases choose it badly.
 */
export interface DrivingTable {
  readonly from: Sql;
  readonly where: Sql;
  /** The id of the issue in the index of the driving table. */
  readonly key: Sql;
  /** Prefix of columns of the issue that must not use an index: a unary plus, which both planners honor, or nothing. */
  readonly noIndex: Sql;
  /** The table whose repository, kind and state are compared: the issue, or the driving table if it duplicates them. */
  readonly stateTable: Sql;
  /** Indexed by `change` (the update time, in one or all repositories) or by `poster`, which contains repositories too. */
  readonly by?: "assignee" | "mention" | "poster" | "change" | "label name" | "milestone title";
  /** Labels of the filter that the driving table already checks. */
  readonly labels?: readonly number[] | undefined;
  /** Whether the driving table can yield an issue twice. */
  readonly hasDuplicates?: boolean;
}

export const issuesTable = sql`issues i`;
export const issueAlias = sql`i`;
export const empty = sql``;
const unaryPlus = sql`+`;

/**
 * Joins the issues of a driving table through a narrow index with the filtered columns. SQLite would read the row including its texts and needs
 * the index by name; PostgreSQL finds it.
 */
export const issuesByFilterIndex = (db: Reader): Sql => sql`issues i${indexedBy(db, "issues_facts")}`;

/** Names the index to SQLite. */
export const indexedBy = (db: Reader, index: string): Sql => (db.dialect === "sqlite" ? sql` indexed by ${sql.ref(index)}` : empty);

/** Whether a filter needs columns that only the issue has, which labels and assignees do not duplicate. */
export const needsIssueColumns = ({ milestoneIds, milestoneTitles, posterId, sinceMs, beforeMs, idCondition, selectsTitles }: IssueFilter): boolean =>
  [milestoneIds, milestoneTitles, posterId, sinceMs, beforeMs, idCondition, selectsTitles].some((part) => part !== undefined);

/** Labels and assignees duplicate filtered columns of their issues, so many lists need no other table. */
function drivingLinkTable(
  db: Reader,
  filter: IssueFilter,
  table: "issue_labels" | "issue_assignees",
  where: Sql,
  index: "listed" | "named" = "listed",
): DrivingTable {
  const links = sql`${sql.table(table)} d${indexedBy(db, `${table}_${index}`)}`;
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
  if (filter.milestoneTitles !== undefined && filter.idCondition === undefined) return drivingMilestones(db, filter, filter.milestoneTitles);
  const single = filter.labels?.find((ids) => ids.length === 1);
  if (single !== undefined) return { ...drivingLinkTable(db, filter, "issue_labels", sql`d.label_id = ${single[0]}`), labels: single };
  if (filter.usesChangeIndex === true)
    return {
      from: issuesTable,
      where: changedSince(db, "i", filter.sinceMs ?? 0),
      key: sql`i.id`,
      noIndex: isOneRepository(filter.within) ? empty : unaryPlus,
      stateTable: issueAlias,
      by: "change",
    };
  if (filter.labelNames !== undefined && filter.idCondition === undefined) return drivingNamedLabels(db, filter, filter.labelNames);
  const [labels] = filter.labels ?? [];
  if (labels === undefined) return undefined;
  const ofLabels = anyOf(db, sql<number>`d.label_id`, labels);
  return { ...drivingLinkTable(db, filter, "issue_labels", ofLabels), labels, hasDuplicates: true };
}

export const isOneOf = (db: Reader, reference: RawBuilder<string>, values: readonly string[]): Sql => {
  const [only, ...more] = values;
  return only !== undefined && more.length === 0 ? sql`${reference} = ${only}` : anyOf(db, reference, values);
};

/** The issues of all milestones with a title, or of those in the readable repositories if these are few. */
function drivingMilestones(db: Reader, { within }: IssueFilter, titles: readonly string[]): DrivingTable {
  const common = { key: sql`i.id`, noIndex: empty, stateTable: issueAlias, by: "milestone title" } as const;
  const repositories = repositoriesOf(within);
  if (repositories === undefined)
    return { ...common, from: sql`issues i${indexedBy(db, "issues_milestone_title")}`, where: isOneOf(db, sql`i.milestone_title`, titles) };
  const milestones = sql`select m.id from milestones m where m.repo_id in (${repositories}) and ${isOneOf(db, sql`m.title_folded`, titles)}`;
  return { ...common, from: sql`issues i${indexedBy(db, "issues_milestone")}`, where: sql`i.milestone_id in (${milestones})` };
}

/** The issues of all labels with a name, or of those in the readable repositories and in organizations if these are few. */
function drivingNamedLabels(db: Reader, filter: IssueFilter, names: readonly string[]): DrivingTable {
  const common = { by: "label name", hasDuplicates: true } as const;
  const repositories = repositoriesOf(filter.within);
  if (repositories === undefined) return { ...drivingLinkTable(db, filter, "issue_labels", isOneOf(db, sql`d.name`, names), "named"), ...common };
  const labels = sql`select l.id from labels l where l.repo_id in (${repositories}) and ${isOneOf(db, sql`l.name`, names)}
    union select l.id from labels l where l.org_id is not null and ${isOneOf(db, sql`l.name`, names)}`;
  return { ...drivingLinkTable(db, filter, "issue_labels", sql`d.label_id in (${labels})`), ...common };
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
  if (filter.within !== undefined)
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
    const isWanted = only !== undefined && more.length === 0 ? sql`l.label_id = ${only}` : anyOf(db, sql<number>`l.label_id`, ids);
    conditions.push(sql`exists (select 1 from issue_labels l where l.issue_id = ${key} and ${isWanted})`);
  }
  if (filter.labelNames !== undefined && drivingTable?.by !== "label name")
    conditions.push(sql`exists (select 1 from issue_labels l${indexedBy(db, "issue_labels_facts")}
      where l.issue_id = ${key} and ${isOneOf(db, sql`l.name`, filter.labelNames)})`);
  if (filter.milestoneTitles !== undefined && drivingTable?.by !== "milestone title")
    conditions.push(isOneOf(db, sql`i.milestone_title`, filter.milestoneTitles));
  if (filter.assigneeId !== undefined && drivingTable?.by !== "assignee")
    conditions.push(sql`exists (select 1 from issue_assignees a where a.account_id = ${filter.assigneeId} and a.issue_id = ${key})`);
  if (filter.mentionedId !== undefined && drivingTable?.by !== "mention")
    conditions.push(sql`exists (select 1 from issue_mentions m where m.account_id = ${filter.mentionedId} and m.issue_id = ${key})`);
  if (filter.sinceMs !== undefined && drivingTable?.by !== "change") conditions.push(sql`+${lastChange(db, "i")} >= ${filter.sinceMs}`);
  if (filter.beforeMs !== undefined) conditions.push(sql`+${lastChange(db, "i")} <= ${filter.beforeMs}`);
  if (filter.idCondition !== undefined) conditions.push(filter.idCondition);
  return conditions;
}
