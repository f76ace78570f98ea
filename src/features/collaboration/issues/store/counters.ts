import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Tx } from "../../../../db/db.ts";

type Counts = Slots<{ repoId: number; open: number; closed: number }>;

const nextIssue = compiled((tx: Tx, given: Counts) =>
  tx.sql
    .updateTable("repositories")
    .set((eb) => ({
      last_issue_number: eb("last_issue_number", "+", 1),
      open_issues_count: eb("open_issues_count", "+", given.open),
      closed_issues_count: eb("closed_issues_count", "+", given.closed),
    }))
    .where("id", "=", given.repoId)
    .where("deleted_ms", "is", null)
    .returning("last_issue_number as number"),
);

const nextPull = compiled((tx: Tx, given: Counts) =>
  tx.sql
    .updateTable("repositories")
    .set((eb) => ({
      last_issue_number: eb("last_issue_number", "+", 1),
      open_pulls_count: eb("open_pulls_count", "+", given.open),
      closed_pulls_count: eb("closed_pulls_count", "+", given.closed),
    }))
    .where("id", "=", given.repoId)
    .where("deleted_ms", "is", null)
    .returning("last_issue_number as number"),
);

/**
 * Takes the next number of a repository and updates its counts. Concurrent callers wait here, so ids ascend with numbers.
 * @returns undefined if the repository has been deleted
 */
export async function takeNumber(
  tx: Tx,
  repoId: number,
  { isPull, isClosed }: { readonly isPull: boolean; readonly isClosed: boolean },
): Promise<number | undefined> {
  const [row] = await (isPull ? nextPull : nextIssue)(tx, { repoId, open: isClosed ? 0 : 1, closed: isClosed ? 1 : 0 });
  return row?.number;
}

const countIssues = compiled((tx: Tx, given: Counts) =>
  tx.sql
    .updateTable("repositories")
    .set((eb) => ({
      open_issues_count: eb("open_issues_count", "+", given.open),
      closed_issues_count: eb("closed_issues_count", "+", given.closed),
    }))
    .where("id", "=", given.repoId),
);

const countPulls = compiled((tx: Tx, given: Counts) =>
  tx.sql
    .updateTable("repositories")
    .set((eb) => ({
      open_pulls_count: eb("open_pulls_count", "+", given.open),
      closed_pulls_count: eb("closed_pulls_count", "+", given.closed),
    }))
    .where("id", "=", given.repoId),
);

/** Updates the counts of a repository: closing one is `{ open: -1, closed: 1 }`. */
export async function countInRepository(
  tx: Tx,
  issue: { readonly repoId: number; readonly isPull: boolean },
  by: { readonly open: number; readonly closed: number },
): Promise<void> {
  await (issue.isPull ? countPulls : countIssues)(tx, { repoId: issue.repoId, ...by });
}
