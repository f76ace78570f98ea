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
