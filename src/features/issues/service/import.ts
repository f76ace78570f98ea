import type { Tx } from "../../../db/db.ts";
import { countInMilestone } from "../../milestones/service.ts";
import { type ImportedCommentRow, type ImportedIssueRow, insertImportedComments, insertImportedIssues, noteImported } from "../store/import.ts";
import { insertIssueLabels } from "../store/links.ts";
import { insertSearchText } from "../store/search.ts";

export interface ImportedIssue extends Omit<ImportedIssueRow, "commentsCount"> {
  readonly labelIds: readonly number[];
  /** In their order. */
  readonly comments: readonly Omit<ImportedCommentRow, "issueId">[];
}

export interface ImportedIssues {
  readonly repoId: number;
  /** Each number once. */
  readonly issues: readonly ImportedIssue[];
  /** The highest number that is taken where they come from: others go on behind it. */
  readonly lastNumber: number;
}

const batch = 100;

/**
 * Issues with their comments that a new repository brings from elsewhere, in the transaction that makes it. Whoever wrote them is named, and is
 * nobody here: nobody is told, and nobody's texts are put into his mouth.
 */
export async function importIssues(tx: Tx, { repoId, issues, lastNumber }: ImportedIssues): Promise<void> {
  const sorted = issues.toSorted((a, b) => a.number - b.number);
  for (let at = 0; at < sorted.length; at += batch) await importBatch(tx, repoId, sorted.slice(at, at + batch));
  const closed = issues.filter(({ isClosed }) => isClosed).length;
  await noteImported(tx, repoId, { lastNumber: Math.max(lastNumber, sorted.at(-1)?.number ?? 0), open: issues.length - closed, closed });
  for (const [milestoneId, count] of countByMilestone(issues)) await countInMilestone(tx, milestoneId, count);
}

async function importBatch(tx: Tx, repoId: number, issues: readonly ImportedIssue[]): Promise<void> {
  const ids = await insertImportedIssues(
    tx,
    repoId,
    issues.map(({ labelIds, comments, ...row }) => ({ ...row, commentsCount: comments.length })),
  );
  for (const [index, issue] of issues.entries()) {
    const issueId = ids[index] ?? 0;
    await insertSearchText(tx, "issue_texts", issueId, `${issue.title}\n${issue.content}`);
    await insertIssueLabels(tx, issueId, issue.labelIds);
    await importComments(tx, repoId, issueId, issue.comments);
  }
}

async function importComments(tx: Tx, repoId: number, issueId: number, comments: ImportedIssue["comments"]): Promise<void> {
  for (let at = 0; at < comments.length; at += batch) {
    const part = comments.slice(at, at + batch);
    const ids = await insertImportedComments(
      tx,
      repoId,
      part.map((comment) => ({ ...comment, issueId })),
    );
    for (const [index, { content }] of part.entries()) await insertSearchText(tx, "comment_texts", ids[index] ?? 0, content);
  }
}

function countByMilestone(issues: readonly ImportedIssue[]): Map<number, { open: number; closed: number }> {
  const counts = new Map<number, { open: number; closed: number }>();
  for (const { milestoneId, isClosed } of issues) {
    if (milestoneId === null) continue;
    const { open, closed } = counts.get(milestoneId) ?? { open: 0, closed: 0 };
    counts.set(milestoneId, isClosed ? { open, closed: closed + 1 } : { open: open + 1, closed });
  }
  return counts;
}
