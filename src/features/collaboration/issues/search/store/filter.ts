import type { RawBuilder, SqlBool } from "kysely";
import type { IssueScope, Sql } from "./scope.ts";

/** Filters of a list; an absent filter matches everything. */
export interface IssueFilter {
  /** Only issues of these repositories; absent if another part of the statement restricts them. */
  readonly within?: IssueScope | undefined;
  readonly isClosed?: boolean | undefined;
  readonly isPull?: boolean | undefined;
  /** For each requested name, the labels with that name: an issue must have one of each. */
  readonly labels?: readonly (readonly number[])[] | undefined;
  readonly milestoneIds?: readonly number[] | undefined;
  /** In several repositories: an issue must have a label with one of these names. */
  readonly labelNames?: readonly string[] | undefined;
  /** In several repositories: the folded title of its milestone must be one of these. */
  readonly milestoneTitles?: readonly string[] | undefined;
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
  /** Condition on an issue `i` that no index supports, checked only for the newest issues that pass all other filters. */
  readonly rowCondition?: RawBuilder<SqlBool> | undefined;
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

export const matchesNothing = ({ milestoneIds, labels }: IssueFilter): boolean =>
  milestoneIds?.length === 0 || labels?.some((ids) => ids.length === 0) === true;
