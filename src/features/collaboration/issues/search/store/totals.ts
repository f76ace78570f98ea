import { sql } from "kysely";
import type { Reader } from "../../../../../db/db.ts";
import type { ReadableUnits } from "../../../../repositories/repos/service/readable.ts";
import { type IssueScope, isOneRepository, type Sql } from "./filter.ts";

/** A list by state and kind alone: its totals are stored. */
export interface StoredKind {
  readonly isClosed?: boolean | undefined;
  readonly isPull?: boolean | undefined;
}

const columns = [
  ["issues", "open_issues_count", false, false],
  ["issues", "closed_issues_count", false, true],
  ["pulls", "open_pulls_count", true, false],
  ["pulls", "closed_pulls_count", true, true],
] as const;

const columnsOf = ({ isClosed, isPull }: StoredKind): readonly (typeof columns)[number][] =>
  columns.filter(([, , pull, closed]) => (isPull ?? pull) === pull && (isClosed ?? closed) === closed);

const sumOf = (parts: readonly Sql[]): Sql => (parts.length === 0 ? sql`0` : sql.join(parts, sql` + `));

/** Number of issues of a repository. One statement. */
export async function countOfRepository(db: Reader, repoId: number, kind: StoredKind): Promise<number> {
  const counts = columnsOf(kind).map(([, column]) => sql.ref(column));
  const { rows } = await sql<{ total: number }>`select ${sumOf(counts)} as total from repositories where id = ${repoId}`.execute(db.sql);
  return Number(rows[0]?.total ?? 0);
}

export interface ReadableTotals {
  /** Number of issues that the caller can read. */
  readonly readable: number;
  /** Number of all issues of the site. */
  readonly all: number;
}

/**
 * Totals of all issues, and of those that a caller can read. One statement, which reads the stored totals and the repositories that the
 * caller has a grant for, or those of the filter.
 */
export async function countReadable(db: Reader, readable: ReadableUnits, kind: StoredKind): Promise<ReadableTotals> {
  const { leastAudience, candidates } = readable;
  const isStored = sql.join(
    columnsOf(kind).map(([, , isPull, isClosed]) => sql`(is_pull = ${isPull ? 1 : 0} and is_closed = ${isClosed ? 1 : 0})`),
    sql` or `,
  );
  const counts = columnsOf(kind).map(([unit, column]) => {
    const audience = unit === "issues" ? sql`r.issue_audience` : sql`r.pull_audience`;
    const isUnstored = leastAudience === undefined ? sql`` : sql`${audience} < ${leastAudience} and `;
    return sql`case when ${isUnstored}${readable[unit]} then ${sql.ref(`r.${column}`)} else 0 end`;
  });
  const granted = candidates === undefined ? sql`0` : sql`(select coalesce(sum(${sumOf(counts)}), 0) from repositories r where ${candidates})`;
  const stored =
    leastAudience === undefined ? sql`0` : sql`(select coalesce(sum(n), 0) from issue_totals where audience >= ${leastAudience} and (${isStored}))`;
  const { rows } = await sql<{ readable: number; everything: number }>`select ${granted} + ${stored} as readable,
    (select coalesce(sum(n), 0) from issue_totals where ${isStored}) as everything`.execute(db.sql);
  return { readable: Number(rows[0]?.readable ?? 0), all: Number(rows[0]?.everything ?? 0) };
}

/** A query for the ids of the readable repositories that have had issues. */
export function readableIds({ issues, pulls, leastAudience, candidates }: ReadableUnits): Sql {
  const select = (condition: Sql): Sql => sql`select r.id from repositories r where ${condition} and r.last_issue_number > 0 and (${issues} or ${pulls})`;
  const parts = [
    ...(candidates === undefined ? [] : [select(candidates)]),
    ...(leastAudience === undefined ? [] : [select(sql`r.issue_audience >= ${leastAudience}`), select(sql`r.pull_audience >= ${leastAudience}`)]),
  ];
  return sql.join(parts, sql` union `);
}

/**
 * Chooses how to read a list: by skipping the issues of unreadable repositories, or by sorting all issues of the readable ones. The first
 * reads on average `all / readable` issues for each one it returns, the second reads `readable` issues.
 * @param end number of issues up to the end of the page
 */
export const isSparse = ({ readable, all }: ReadableTotals, end: number): boolean => readable * readable < end * all;

/** The stored total of a list by state and kind alone; undefined for any other filter, without a statement. */
export async function findStoredTotal(db: Reader, filter: StoredKind & { readonly within?: IssueScope | undefined }): Promise<number | undefined> {
  const { within, isClosed, isPull, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined) || !isOneRepository(within)) return undefined;
  return countOfRepository(db, within.repoId, { isClosed, isPull });
}
