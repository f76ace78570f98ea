import type { Tx } from "../../../../db/db.ts";
import { setIssueCounts } from "../../../repositories/repos/service/counters.ts";
import { countInMilestone } from "../../milestones/service.ts";
import type { CommentPayload } from "../conversation/comment-payload.ts";
import { insertAssignees, insertIssueLabels } from "../planning/store/links.ts";
import { allowedReactions } from "../reactions/allowed-reactions.ts";
import { hasSearchText, insertSearchText } from "../search/store/search.ts";
import {
  type EntryReference,
  type ImportedCommentRow,
  type ImportedIssueRow,
  type ImportedReactionRow,
  insertImportedComments,
  insertImportedIssues,
  insertImportedReactions,
  listTexts,
  type StateCounts,
  setReference,
  updatePayload,
} from "./store.ts";

export interface ImportedIssue extends Omit<ImportedIssueRow, "commentsCount"> {
  readonly labelIds: readonly number[];
  readonly assigneeIds: readonly number[];
  /** Timeline in order: comments, and entries with data of other features. */
  readonly entries: readonly ImportedEntry[];
}

export type ImportedEntry = Omit<ImportedCommentRow, "issueId">;

export interface ImportedIssues {
  readonly repoId: number;
  /** Issues and pull requests, each number once. */
  readonly issues: readonly ImportedIssue[];
  /** The highest number in use at the source; new numbers continue after it. */
  readonly lastNumber: number;
}

/** Ids of an imported issue. */
export interface ImportedIds {
  readonly id: number;
  /** In the order of its entries. */
  readonly entryIds: readonly number[];
}

const batch = 100;
/** Kinds that count as comments of an issue. */
const textKinds: ReadonlySet<string> = new Set(["comment", "review", "code"]);

/**
 * Imports issues and pull requests with their timelines in the transaction that creates the repository. Authors are recorded by name and
 * linked to accounts only on a certain match. Sends no notifications.
 * @returns the new ids, by issue number
 */
export async function importIssues(tx: Tx, { repoId, issues, lastNumber }: ImportedIssues): Promise<ReadonlyMap<number, ImportedIds>> {
  const sorted = issues.toSorted((a, b) => a.number - b.number);
  const made = new Map<number, ImportedIds>();
  for (let at = 0; at < sorted.length; at += batch) {
    const part = sorted.slice(at, at + batch);
    const ids = await importBatch(tx, repoId, part);
    for (const [index, { number }] of part.entries()) made.set(number, ids[index] ?? { id: 0, entryIds: [] });
  }
  const [pulls, others] = [issues.filter(({ isPull }) => isPull), issues.filter(({ isPull }) => !isPull)];
  await setIssueCounts(tx, repoId, { lastNumber: Math.max(lastNumber, sorted.at(-1)?.number ?? 0), issues: countStates(others), pulls: countStates(pulls) });
  for (const [milestoneId, group] of Map.groupBy(issues, (issue) => issue.milestoneId)) {
    if (milestoneId !== null) await countInMilestone(tx, milestoneId, countStates(group));
  }
  return made;
}

/** Imports reactions, limited to the contents that are allowed here. */
export async function importReactions(tx: Tx, reactions: readonly ImportedReactionRow[]): Promise<void> {
  const known = reactions.filter(({ content }) => allowedReactions.some((allowed) => allowed === content));
  for (let at = 0; at < known.length; at += batch) await insertImportedReactions(tx, known.slice(at, at + batch));
}

/** Adds data to an imported entry that is known only after later entries are imported. */
export const noteEntryPayload = (tx: Tx, entryId: number, payload: CommentPayload): Promise<void> => updatePayload(tx, entryId, payload);

/** Links entries to issues and comments that were imported after them. */
export async function linkReferences(tx: Tx, references: readonly EntryReference[]): Promise<void> {
  for (const reference of references) await setReference(tx, reference);
}

/** Adds the texts of issues, whose rows were written with their ids, to the search index. */
export async function indexImportedTexts(tx: Tx, issueIds: readonly number[]): Promise<void> {
  const { issues, entries } = await listTexts(tx, issueIds);
  for (const { id, title, content } of issues) await insertSearchText(tx, "issue_texts", id, `${title}\n${content}`);
  for (const entry of entries) if (hasSearchText(entry)) await insertSearchText(tx, "comment_texts", entry.id, entry.content);
}

async function importBatch(tx: Tx, repoId: number, issues: readonly ImportedIssue[]): Promise<readonly ImportedIds[]> {
  const ids = await insertImportedIssues(
    tx,
    repoId,
    issues.map(({ labelIds: _labels, assigneeIds: _assignees, entries, ...row }) => ({
      ...row,
      commentsCount: entries.filter(({ kind }) => textKinds.has(kind)).length,
    })),
  );
  const made: ImportedIds[] = [];
  for (const [index, issue] of issues.entries()) {
    const issueId = ids[index] ?? 0;
    await insertSearchText(tx, "issue_texts", issueId, `${issue.title}\n${issue.content}`);
    await insertIssueLabels(tx, issueId, issue.labelIds);
    await insertAssignees(tx, issueId, issue.assigneeIds);
    made.push({ id: issueId, entryIds: await importEntries(tx, repoId, issueId, issue.entries) });
  }
  return made;
}

async function importEntries(tx: Tx, repoId: number, issueId: number, entries: readonly ImportedEntry[]): Promise<readonly number[]> {
  const made: number[] = [];
  for (let at = 0; at < entries.length; at += batch) {
    const part = entries.slice(at, at + batch);
    const ids = await insertImportedComments(
      tx,
      repoId,
      part.map((entry) => ({ ...entry, issueId })),
    );
    for (const [index, entry] of part.entries()) if (hasSearchText(entry)) await insertSearchText(tx, "comment_texts", ids[index] ?? 0, entry.content);
    made.push(...ids);
  }
  return made;
}

function countStates(issues: readonly ImportedIssue[]): StateCounts {
  const closed = issues.filter(({ isClosed }) => isClosed).length;
  return { open: issues.length - closed, closed };
}
