import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Db } from "../../../../db/db.ts";
import type { AffectedIssue, RepoEvent } from "../../../../events/access-events.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { FormerIssue } from "../../../../events/issue-events.ts";
import { countIssueStates } from "../../../repositories/repos/service/counters.ts";
import { requireRepositoryAdmin } from "../../../repositories/repos/service/require.ts";
import { countInMilestone } from "../../milestones/service.ts";
import type { IssueRow } from "../model.ts";
import { deleteIssue } from "../store/rows.ts";
import { recordIssueEvent } from "./change.ts";
import { requireIssue } from "./find.ts";

/** Deletes an issue with its comments and attachments. Its number is never reused. @throws ForgeError `not_found`, `forbidden` */
export async function removeIssue(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, number: string): Promise<void> {
  requireRepositoryAdmin(repository);
  await deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    const one = issue.isClosed ? { open: 0, closed: -1 } : { open: -1, closed: 0 };
    await countIssueStates(tx, issue, one);
    if (issue.milestoneId !== null) await countInMilestone(tx, issue.milestoneId, one);
    await deleteIssue(tx, issue.id);
    await recordIssueEvent(tx, actor.id, issue, "issue.deleted", { former: formerOf(issue) });
    await recordEvent(tx, "repo.issue_deleted", eventOfRepository(repository, issue), { repoId: issue.repoId, by: actor });
  });
}

/** An event of the repository about one of its issues, for the audit log. */
export const eventOfRepository = (
  { id: repoId, name, ownerId, ownerName }: RepositorySubject,
  { number, title, isPull }: IssueRow,
): RepoEvent & AffectedIssue => ({
  repoId,
  name,
  ownerId,
  ownerName,
  issue: `#${number}`,
  title,
  ...(isPull && { isPull }),
});

/** Data of the event for a deleted issue. */
export const formerOf = (issue: IssueRow): FormerIssue => ({
  posterId: issue.posterId,
  content: issue.content,
  isClosed: issue.isClosed,
  closedMs: issue.closedMs,
  mergedMs: issue.mergedMs,
  milestoneId: issue.milestoneId,
  deadlineMs: issue.deadlineMs,
  isLocked: issue.isLocked,
  ref: issue.ref,
  commentsCount: issue.commentsCount,
  originalAuthor: issue.originalAuthor,
  originalAuthorId: issue.originalAuthorId,
  createdMs: issue.createdMs,
  updatedMs: issue.updatedMs,
  labelIds: issue.labelIds,
  assigneeIds: issue.assigneeIds,
});
