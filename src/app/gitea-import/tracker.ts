import { newBatch } from "../../db/row-batch.ts";
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
import type { Writes } from "./writes.ts";

/** Issues that are written together with everything that belongs to them. */
const issuesAtOnce = 200;

/** The facts about the issues of a repository that its other rows depend on. */
export async function convertTracker(conversion: Conversion, input: TrackerInput): Promise<ConvertedTracker> {
  return { ...input, issues: await listIssues(conversion, input) };
}

/** Adds labels, milestones, issues and pull requests with their timelines. */
export async function addTracker(conversion: Conversion, tracker: ConvertedTracker, writes: Writes): Promise<void> {
  const { plan, issues } = tracker;
  const first = newBatch();
  const labels = await addLabelRows(conversion, tracker, first);
  const milestones = await addMilestoneRows(conversion, tracker, first);
  writes.rows(first);
  const ids = [...issues.facts.keys()];
  const parts = Array.from({ length: Math.ceil(ids.length / issuesAtOnce) }, (_, at) => ids.slice(at * issuesAtOnce, (at + 1) * issuesAtOnce));
  // Entries refer to issues of other parts.
  for (const part of parts) {
    const batch = newBatch();
    await addIssueRows(conversion, tracker, { batch, ids: part, labels, milestones });
    await addPullRows(conversion, tracker, { batch, ids: part });
    writes.rows(batch);
  }
  for (const part of parts) {
    const batch = newBatch();
    const comments = await childRows(conversion, "comment", part);
    await addTimelineRows(conversion, tracker, { batch, comments, ids: part });
    await addReviewRows(conversion, tracker, { batch, comments, ids: part });
    writes.rows(batch);
    writes.add({ kind: "texts", issueIds: part });
  }
  writes.add({ kind: "issue counts", repoId: plan.id, counts: { lastNumber: issues.lastNumber, ...countStates(issues) } });
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
