import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Reader, Tx } from "../../../../../db/db.ts";
import { parseCommentPayload } from "../../conversation/comment-payload.ts";
import type { IssueRow } from "../../model.ts";
import { loadIssueRows } from "../../store/rows.ts";
import { listReferencesFrom } from "../store.ts";
import { applyKeyword } from "./references.ts";

/** An issue that the text of a pull request closes or reopens. */
interface ChangedByMerge {
  readonly issue: IssueRow;
  readonly isClosed: boolean;
}

/** Issues of the same repository that a pull request closes or reopens on merge. Two statements, or one if its text names none. */
async function listChangedByMerge(db: Reader, pull: Pick<IssueRow, "id" | "repoId">): Promise<readonly ChangedByMerge[]> {
  const references = await listReferencesFrom(db, { issueId: pull.id, commentId: null });
  const actions = new Map(references.map(({ targetId, payload }) => [targetId, parseCommentPayload(payload).refAction]));
  const asking = [...actions].flatMap(([id, action]) => (action === "closes" || action === "reopens" ? id : []));
  const rows = await loadIssueRows(db, asking);
  return asking.flatMap((id) => {
    const issue = rows.get(id);
    return issue === undefined || issue.repoId !== pull.repoId ? [] : { issue, isClosed: actions.get(id) === "closes" };
  });
}

/** Numbers of the issues that a pull request closes on merge. */
export async function listClosing(db: Reader, pull: Pick<IssueRow, "id" | "repoId">): Promise<readonly number[]> {
  return (await listChangedByMerge(db, pull)).flatMap(({ issue, isClosed }) => (isClosed ? issue.number : []));
}

/** Closes and reopens issues for a merged pull request, with the rights of the merger, in the transaction of the merge. */
export async function applyMergeKeywords(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  pull: Pick<IssueRow, "id" | "repoId">,
  commitOid: string,
): Promise<void> {
  for (const { issue, isClosed } of await listChangedByMerge(tx, pull)) await applyKeyword(tx, actor, repository, issue, { isClosed, commitOid });
}
