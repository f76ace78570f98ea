import type { Tx } from "../../../../db/db.ts";
import * as store from "../store/counters.ts";

// Counters of a repository that later features keep in the transactions of their own rows.

/** Takes the next number of an issue or pull request and counts it. @returns undefined if the repository has been deleted */
export const takeIssueNumber = (tx: Tx, repoId: number, issue: { readonly isPull: boolean; readonly isClosed: boolean }): Promise<number | undefined> =>
  store.takeIssueNumber(tx, repoId, issue);

/** Updates the counts of open and closed issues or pull requests: closing one is `{ open: -1, closed: 1 }`. */
export const countIssueStates = (
  tx: Tx,
  issue: { readonly repoId: number; readonly isPull: boolean },
  by: { readonly open: number; readonly closed: number },
): Promise<void> => store.countIssueStates(tx, issue, by);

/** Sets the last issue number and the counts after an import. */
export const setIssueCounts: typeof store.setIssueCounts = (tx, repoId, imported) => store.setIssueCounts(tx, repoId, imported);

/** Updates the number of published releases. */
export const addToReleasesCount = (tx: Tx, repoId: number, by: number): Promise<void> => store.addToReleasesCount(tx, repoId, by);

/** Counts a new fork of a repository. */
export const addToForksCount = (tx: Tx, parentId: number): Promise<void> => store.addToForksCount(tx, parentId);

/** Keeps the number of a deleted run of Actions from other runs. */
export const noteDeletedRun = (tx: Tx, repoId: number, number: number): Promise<void> => store.noteDeletedRun(tx, repoId, number);
