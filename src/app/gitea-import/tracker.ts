import type { Tx } from "../../db/db.ts";
import { newBatch, writeBatch } from "../../db/row-batch.ts";
import { indexImportedTexts } from "../../features/collaboration/issues/import/service.ts";
import { setIssueCounts } from "../../features/repositories/repos/service/counters.ts";
import type { Conversion } from "./context.ts";
import type { FileCopier } from "./files.ts";
import { addIssueRows, listIssues } from "./issues.ts";
import { addLabelRows, addMilestoneRows } from "./labels-and-milestones.ts";
import { addPullRows } from "./pulls.ts";
import { type ConvertedFiles, convertAttachments } from "./repository-files.ts";
import { addReviewRows } from "./reviews.ts";
import { numberOf } from "./source.ts";
import { addTimelineRows } from "./timeline.ts";
import { type ConvertedIssues, type ConvertedTracker, childRows, type IssueCounts, type TrackerInput } from "./tracker-input.ts";

/** Issues that are written together with everything that belongs to them. */
const issuesAtOnce = 200;

/** The facts about the issues of a repository that its other rows depend on. */
export async function convertTracker(conversion: Conversion, input: TrackerInput): Promise<ConvertedTracker> {
  return { ...input, issues: await listIssues(conversion, input) };
}

/** Writes labels, milestones, issues and pull requests with their timelines. @param tx undefined in a dry run */
export async function writeTracker(conversion: Conversion, tracker: ConvertedTracker, tx: Tx | undefined): Promise<void> {
  const { plan, issues } = tracker;
  const first = newBatch();
  const labels = await addLabelRows(conversion, tracker, first);
  const milestones = await addMilestoneRows(conversion, tracker, first);
  if (tx !== undefined) await writeBatch(tx, first);
  const ids = [...issues.facts.keys()];
  const parts = Array.from({ length: Math.ceil(ids.length / issuesAtOnce) }, (_, at) => ids.slice(at * issuesAtOnce, (at + 1) * issuesAtOnce));
  // Entries refer to issues of other parts.
  for (const part of parts) {
    const batch = newBatch();
    await addIssueRows(conversion, tracker, { batch, ids: part, labels, milestones });
    await addPullRows(conversion, tracker, { batch, ids: part });
    if (tx !== undefined) await writeBatch(tx, batch);
  }
  for (const part of parts) {
    const batch = newBatch();
    const comments = await childRows(conversion, "comment", part);
    await addTimelineRows(conversion, tracker, { batch, comments, ids: part });
    await addReviewRows(conversion, tracker, { batch, comments, ids: part });
    if (tx !== undefined) {
      await writeBatch(tx, batch);
      await indexImportedTexts(tx, part);
    }
  }
  if (tx !== undefined) await setIssueCounts(tx, plan.id, { lastNumber: issues.lastNumber, ...countStates(issues) });
}

function countStates({ facts }: ConvertedIssues): { readonly issues: IssueCounts; readonly pulls: IssueCounts } {
  const count = (isPull: boolean): IssueCounts => {
    const own = [...facts.values()].filter((issue) => issue.isPull === isPull);
    const closed = own.filter(({ isClosed }) => isClosed).length;
    return { open: own.length - closed, closed };
  };
  return { issues: count(false), pulls: count(true) };
}

/** Files of issues and comments. They are copied before the transaction, and their rows are written after the comments. */
export async function convertIssueFiles(conversion: Conversion, { plan, known, issues }: ConvertedTracker, copier: FileCopier): Promise<ConvertedFiles> {
  const rows = await conversion.source.database.all("select * from attachment where repo_id = ? and coalesce(release_id, 0) = 0 order by id", [plan.id]);
  const comments = new Map(
    (
      await conversion.source.database.all(
        "select c.id, c.issue_id from attachment a join comment c on c.id = a.comment_id where a.repo_id = ? and a.comment_id > 0",
        [plan.id],
      )
    ).map((row) => [numberOf(row.id), numberOf(row.issue_id)]),
  );
  return convertAttachments(conversion, rows, {
    plan,
    known,
    copier,
    placeOf(row) {
      const [issueId, commentId] = [numberOf(row.issue_id), numberOf(row.comment_id)];
      if (!issues.facts.has(issueId)) return undefined;
      // A deleted comment leaves its files to the issue.
      return { issue_id: issueId, comment_id: comments.get(commentId) === issueId ? commentId : null };
    },
  });
}
