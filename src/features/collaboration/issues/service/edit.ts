import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, forbidden, invalid } from "../../../../core/errors.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { requireUnblocked } from "../../../accounts/users/service/blocks.ts";
import { milestonesByIds } from "../../milestones/service.ts";
import type { IssueRow, IssueView } from "../model.ts";
import { requireAssignees } from "../planning/service/assignable.ts";
import { setAssignees, setContent, setDeadline, setMilestone, setRef, setTimeEstimate, setTitle } from "../planning/service/set-fields.ts";
import { noteReferences } from "../references/service/references.ts";
import { canEditIssue, canWriteIssue } from "../rights.ts";
import { replaceSearchText } from "../search/store/search.ts";
import { requireEstimate } from "../times/service/times.ts";
import { changeIssue, type IssueChange } from "./change.ts";
import { getIssue, requireIssue } from "./find.ts";
import { setState } from "./set-state.ts";
import { checkContent, checkTitle } from "./texts.ts";

/** Changes to an issue; null leaves a field unchanged. */
export interface IssueEdit {
  readonly title: string | null;
  readonly content: string | null;
  /** Content version that the caller has seen; null: any. */
  readonly contentVersion: number | null;
  readonly ref: string | null;
  readonly isClosed: boolean | null;
  /** The following fields are ignored for callers who cannot write issues. */
  readonly assignees: readonly string[] | null;
  /** 0 removes the milestone. */
  readonly milestoneId: number | null;
  readonly deadline: { readonly ms: number | null } | null;
  /** 0 removes the estimate. */
  readonly timeEstimateSeconds: number | null;
}

/** An edit that changes nothing. */
export const unchanged: IssueEdit = {
  title: null,
  content: null,
  contentVersion: null,
  ref: null,
  isClosed: null,
  assignees: null,
  milestoneId: null,
  deadline: null,
  timeEstimateSeconds: null,
};

/**
 * Edits an issue or pull request: all fields, or none.
 * @throws ForgeError `not_found`, `invalid`, `conflict` if the content has changed, `stale` for closing one with open dependencies;
 * `forbidden`, without a body, for callers who are not the author and cannot write issues
 */
export async function editIssue(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  edit: IssueEdit,
): Promise<IssueView> {
  await deps.db.tx(async (tx) => {
    const before = await requireEditable(tx, actor, repository, number);
    const change = changeIssue(tx, actor.id, before);
    await applyEdit(change, actor, repository, edit);
    await change.finish();
  });
  return getIssue(deps, repository, number);
}

/** The steps of an edit, for a change that the caller finishes. @throws ForgeError as {@link editIssue} */
export async function applyEdit(change: IssueChange, actor: UserActor, repository: RepositorySubject, edit: IssueEdit): Promise<void> {
  const { tx, before } = change;
  if (edit.title !== null) {
    checkTitle(edit.title);
    setTitle(change, edit.title);
  }
  const title = edit.title ?? before.title;
  const content = edit.content ?? before.content;
  const isNewContent = content !== before.content;
  if (edit.content !== null && edit.contentVersion !== null && edit.contentVersion !== before.contentVersion) {
    throw conflict("the issue is already changed", { reason: "changed_meanwhile" });
  }
  if (isNewContent || title !== before.title) {
    checkContent(content);
    await replaceSearchText(tx, "issue_texts", before.id, `${title}\n${content}`);
    const written = { issue: before, commentId: null, text: `${title}\n\n${content}`, formerText: `${before.title}\n\n${before.content}` };
    const mentionedIds = await noteReferences(tx, actor, repository, written);
    if (isNewContent) await setContent(change, content, mentionedIds);
  }
  if (edit.ref !== null) setRef(change, edit.ref);
  if (edit.isClosed !== null) await setState(change, edit.isClosed);
  if (canWriteIssue(repository, before)) {
    if (edit.deadline !== null) setDeadline(change, edit.deadline.ms);
    if (edit.timeEstimateSeconds !== null) {
      await requireEstimate(tx, repository.id, edit.timeEstimateSeconds);
      setTimeEstimate(change, edit.timeEstimateSeconds);
    }
    if (edit.assignees !== null) await setAssignees(change, await requireAssignees(tx, actor, repository, before, edit.assignees));
    if (edit.milestoneId !== null) {
      await setMilestone(change, await requireMilestone(tx, repository, edit.milestoneId), edit.isClosed ?? before.isClosed);
    }
  }
}

/** @throws ForgeError `not_found`, `forbidden` */
export async function requireEditable(tx: Tx, actor: UserActor, repository: RepositorySubject, number: string): Promise<IssueRow> {
  const issue = await requireIssue({ db: tx }, repository, number);
  if (!canEditIssue(actor, repository, issue)) throw forbidden("only the author and users with write access to issues may edit an issue");
  if (!canWriteIssue(repository, issue)) await requireUnblocked({ db: tx }, actor, repository.ownerId);
  return issue;
}

/** @returns null for 0 @throws ForgeError `invalid` for an unknown milestone, or one of another repository */
async function requireMilestone(tx: Tx, { id: repoId }: RepositorySubject, milestoneId: number): Promise<number | null> {
  if (milestoneId === 0) return null;
  const milestone = (await milestonesByIds(tx, [milestoneId])).get(milestoneId);
  if (milestone?.repoId !== repoId) throw invalid(`milestone does not exist [id: ${milestoneId}, repo_id: ${repoId}]`, { reason: "changed_meanwhile" });
  return milestoneId;
}
