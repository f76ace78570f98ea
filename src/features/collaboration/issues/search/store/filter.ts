import { type RawBuilder, type SqlBool, sql } from "kysely";

export type Sql = RawBuilder<unknown>;

/** The repositories of a list: one, or all that a caller can read. */
export type IssueScope = RepositoryScope | ReadableScope;

export interface RepositoryScope {
  readonly repoId: number;
}

/** Conditions on a repository `r`. */
export interface ReadableScope {
  /** Its issues are listed. */
  readonly issues: RawBuilder<SqlBool>;
  /** Its pull requests are listed. */
  readonly pulls: RawBuilder<SqlBool>;
  /**
   * A query for the ids of the repositories. Set if they have so few issues that sorting all of these costs less than skipping the issues
   * of other repositories.
   */
  readonly repositories?: Sql | undefined;
}

export const isOneRepository = (scope: IssueScope | undefined): scope is RepositoryScope => scope !== undefined && "repoId" in scope;

/** The query for the ids of a list's repositories, if they have few issues. */
export const repositoriesOf = (scope: IssueScope | undefined): Sql | undefined =>
  scope === undefined || isOneRepository(scope) ? undefined : scope.repositories;

/** Whether the index of issues by repository yields a list without any other filter. */
export const readsByRepository = (scope: IssueScope | undefined): boolean => isOneRepository(scope) || repositoriesOf(scope) !== undefined;

interface Columns {
  /** Table with repository and kind of an issue. */
  readonly stateTable: Sql;
  /** Unary plus for columns that must not take part in the index choice. */
  readonly noIndex: Sql;
  /** Whether an index of other columns yields the issues. */
  readonly hasDrivingTable: boolean;
}

/** Restricts issues to a scope. */
export function buildScopeConditions(
  scope: IssueScope,
  { isPull }: { readonly isPull?: boolean | undefined },
  { stateTable, noIndex, hasDrivingTable }: Columns,
): readonly Sql[] {
  if (isOneRepository(scope)) return [sql`${noIndex}${stateTable}.repo_id = ${scope.repoId}`];
  const readable =
    isPull === undefined ? sql`case +${stateTable}.is_pull when 1 then ${scope.pulls} else ${scope.issues} end` : isPull ? scope.pulls : scope.issues;
  const isReadable = sql`exists (select 1 from repositories r where r.id = ${stateTable}.repo_id and ${readable})`;
  return scope.repositories === undefined || hasDrivingTable ? [isReadable] : [sql`${stateTable}.repo_id in (${scope.repositories})`, isReadable];
}

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
  /** Whether `where` compares the title of the issue `i`. */
  readonly readsTitle?: boolean;
}

export const matchesNothing = ({ milestoneIds, labels }: IssueFilter): boolean =>
  milestoneIds?.length === 0 || labels?.some((ids) => ids.length === 0) === true;

/** Whether an index yields few issues, of one user or by id. */
export const isNarrow = ({ posterId, assigneeId, mentionedId, idCondition }: IssueFilter): boolean =>
  [posterId, assigneeId, mentionedId, idCondition].some((part) => part !== undefined);
