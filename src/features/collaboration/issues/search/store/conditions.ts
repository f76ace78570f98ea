import { sql } from "kysely";
import { anyOf } from "../../../../../db/any-of.ts";
import type { Reader } from "../../../../../db/db.ts";
import { type DrivingTable, empty, indexedBy, isOneOf, issueAlias, unaryPlus } from "./driving-table.ts";
import type { IssueFilter } from "./filter.ts";
import { buildScopeConditions, isOneRepository, type Sql } from "./scope.ts";

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
    conditions.push(sql`exists (select 1 from issue_labels l${indexedBy(db, "issue_labels_issue")}
      where l.issue_id = ${key} and ${isOneOf(db, sql`l.name`, filter.labelNames)})`);
  if (filter.milestoneTitles !== undefined && drivingTable?.by !== "milestone title")
    conditions.push(isOneOf(db, sql`i.milestone_title`, filter.milestoneTitles));
  if (filter.assigneeId !== undefined && drivingTable?.by !== "assignee")
    conditions.push(sql`exists (select 1 from issue_assignees a where a.account_id = ${filter.assigneeId} and a.issue_id = ${key})`);
  if (filter.mentionedId !== undefined && drivingTable?.by !== "mention")
    conditions.push(sql`exists (select 1 from issue_mentions m where m.account_id = ${filter.mentionedId} and m.issue_id = ${key})`);
  if (filter.sinceMs !== undefined && drivingTable?.by !== "change") conditions.push(sql`+i.updated_ms >= ${filter.sinceMs}`);
  if (filter.beforeMs !== undefined) conditions.push(sql`+i.updated_ms <= ${filter.beforeMs}`);
  if (filter.idCondition !== undefined) conditions.push(filter.idCondition);
  return conditions;
}
