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
export async function takeIssueNumber(
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
export async function countIssueStates(
  tx: Tx,
  issue: { readonly repoId: number; readonly isPull: boolean },
  by: { readonly open: number; readonly closed: number },
): Promise<void> {
  await (issue.isPull ? countPulls : countIssues)(tx, { repoId: issue.repoId, ...by });
}

export interface IssueCounts {
  readonly open: number;
  readonly closed: number;
}

/** Sets the last issue number and the counts after an import. */
export async function setIssueCounts(
  tx: Tx,
  repoId: number,
  imported: { readonly lastNumber: number; readonly issues: IssueCounts; readonly pulls: IssueCounts },
): Promise<void> {
  await tx.sql
    .updateTable("repositories")
    .set({
      last_issue_number: imported.lastNumber,
      open_issues_count: imported.issues.open,
      closed_issues_count: imported.issues.closed,
      open_pulls_count: imported.pulls.open,
      closed_pulls_count: imported.pulls.closed,
    })
    .where("id", "=", repoId)
    .execute();
}

/** Updates the number of published releases. */
export async function addToReleasesCount(tx: Tx, repoId: number, by: number): Promise<void> {
  await tx.sql
    .updateTable("repositories")
    .set((eb) => ({ releases_count: eb("releases_count", "+", by) }))
    .where("id", "=", repoId)
    .execute();
}

const addFork = compiled((tx: Tx, given: Slots<{ parentId: number }>) =>
  tx.sql
    .updateTable("repositories")
    .set((eb) => ({ forks_count: eb("forks_count", "+", 1) }))
    .where("id", "=", given.parentId),
);

/** Counts a new fork of a repository. */
export async function addToForksCount(tx: Tx, parentId: number): Promise<void> {
  await addFork(tx, { parentId });
}

export async function noteDeletedRun(tx: Tx, repoId: number, number: number): Promise<void> {
  const rows = tx.sql.updateTable("repositories").where("id", "=", repoId).where("deleted_run_number", "<", number);
  await rows.set({ deleted_run_number: number }).execute();
}
