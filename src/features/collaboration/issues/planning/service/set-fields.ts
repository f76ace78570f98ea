import { branchPrefix } from "../../../../repositories/refs/model.ts";
import type { LabelView } from "../../../labels/model.ts";
import { countInMilestone } from "../../../milestones/service.ts";
import { saveTexts } from "../../conversation/service/history.ts";
import type { IssueChange } from "../../service/change.ts";
import { deleteAssignees, deleteIssueLabels, insertAssignees, insertIssueLabels } from "../store/links.ts";

/** Steps of a change, one per field. An unchanged value adds no timeline entry. */

export function setTitle(change: IssueChange, title: string): void {
  const { before } = change;
  if (title === before.title) return;
  change.set({ title });
  change.note("change_title", { payload: { oldTitle: before.title, newTitle: title } });
  change.announce("issue.edited", { formerTitle: before.title, mentionedIds: [] });
}

/** Keeps former versions. @param mentionedIds newly mentioned users */
export async function setContent(change: IssueChange, content: string, mentionedIds: readonly number[]): Promise<void> {
  const { tx, before, actorId } = change;
  await saveTexts(tx, { ...before, issueId: before.id, commentId: null }, { content, editorId: actorId });
  change.set({ content, content_version: before.contentVersion + 1 });
  change.announce("issue.edited", { formerContent: before.content, mentionedIds });
}

export function setRef(change: IssueChange, ref: string): void {
  const { before } = change;
  if (ref === before.ref) return;
  change.set({ ref });
  // @compat timelines show branches by their short names (issues/api/issues.test.ts)
  change.note("change_issue_ref", { payload: { oldRef: shortBranch(before.ref), newRef: shortBranch(ref) } });
  change.announce("issue.edited", { formerRef: before.ref, mentionedIds: [] });
}

const shortBranch = (ref: string): string => (ref.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : ref);

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export function setDeadline(change: IssueChange, deadlineMs: number | null): void {
  const { before } = change;
  if (deadlineMs === before.deadlineMs) return;
  change.set({ deadline_ms: deadlineMs });
  if (deadlineMs === null) change.note("removed_deadline", { content: dayOf(before.deadlineMs ?? 0) });
  else if (before.deadlineMs === null) change.note("added_deadline", { content: dayOf(deadlineMs) });
  else change.note("modified_deadline", { content: `${dayOf(deadlineMs)}|${dayOf(before.deadlineMs)}` });
  change.announce("issue.deadline_changed", { deadlineMs, formerDeadlineMs: before.deadlineMs });
}

export function setTimeEstimate(change: IssueChange, seconds: number): void {
  const { before } = change;
  if (seconds === before.timeEstimateSeconds) return;
  change.set({ time_estimate_seconds: seconds });
  change.note("change_time_estimate", { content: String(seconds) });
  change.announce("issue.estimate_changed", { seconds, formerSeconds: before.timeEstimateSeconds });
}

/** @param isClosed state of the issue after the change */
export async function setMilestone(change: IssueChange, milestoneId: number | null, isClosed: boolean): Promise<void> {
  const { tx, before } = change;
  if (milestoneId === before.milestoneId) return;
  change.set({ milestone_id: milestoneId });
  if (before.milestoneId !== null) await countInMilestone(tx, before.milestoneId, isClosed ? { open: 0, closed: -1 } : { open: -1, closed: 0 });
  if (milestoneId !== null) await countInMilestone(tx, milestoneId, isClosed ? { open: 0, closed: 1 } : { open: 1, closed: 0 });
  change.note("milestone", {
    payload: {
      ...(before.milestoneId !== null && { oldMilestoneId: before.milestoneId }),
      ...(milestoneId !== null && { milestoneId }),
    },
  });
  change.announce("issue.milestone_changed", { milestoneId, formerMilestoneId: before.milestoneId });
}

/** Replaces the assignees of the issue. */
export async function setAssignees(change: IssueChange, accountIds: readonly number[]): Promise<void> {
  const { tx, before } = change;
  const added = accountIds.filter((id) => !before.assigneeIds.includes(id));
  const removed = before.assigneeIds.filter((id) => !accountIds.includes(id));
  await deleteAssignees(tx, before.id, removed);
  await insertAssignees(tx, before.id, added);
  for (const assigneeId of removed) {
    change.note("assignees", { payload: { assigneeId, isAssigneeRemoved: true } });
    change.announce("issue.unassigned", { assigneeId });
  }
  for (const assigneeId of added) {
    change.note("assignees", { payload: { assigneeId } });
    change.announce("issue.assigned", { assigneeId });
  }
}

export interface LabelsChange {
  readonly added: readonly LabelView[];
  readonly removed: readonly LabelView[];
  /** Whether all labels are removed. */
  readonly isCleared: boolean;
}

export async function changeLabels(change: IssueChange, { added, removed, isCleared }: LabelsChange): Promise<void> {
  if (added.length === 0 && removed.length === 0) return;
  const { tx, before } = change;
  const idOf = ({ id }: LabelView): number => id;
  await deleteIssueLabels(tx, before.id, removed.map(idOf));
  await insertIssueLabels(tx, before.id, added.map(idOf));
  for (const { id } of removed) change.note("label", { payload: { labelId: id } });
  for (const { id } of added) change.note("label", { content: "1", payload: { labelId: id } });
  const named = ({ id, name }: LabelView) => ({ labelId: id, name });
  change.announce("issue.labels_changed", { added: added.map(named), removed: removed.map(named), isCleared });
}
