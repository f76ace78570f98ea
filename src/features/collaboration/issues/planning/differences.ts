import type { IssueRow } from "../model.ts";

/** The effects of a change on the fields of an issue, as far as it can be undone. */
export interface IssueDifference {
  readonly number: number;
  readonly addedLabels: readonly number[];
  readonly removedLabels: readonly number[];
  readonly addedAssignees: readonly number[];
  readonly removedAssignees: readonly number[];
  /** Undefined: unchanged. */
  readonly milestone?: { readonly from: number | null; readonly to: number | null };
  readonly isClosed?: boolean;
}

type Planned = Pick<IssueRow, "number" | "labelIds" | "assigneeIds" | "milestoneId" | "isClosed">;

const without = (ids: readonly number[], others: readonly number[]): readonly number[] => ids.filter((id) => !others.includes(id));

/** The difference between two states of an issue; undefined if it is the same. */
export function differenceOf(before: Planned, after: Planned): IssueDifference | undefined {
  const difference: IssueDifference = {
    number: before.number,
    addedLabels: without(after.labelIds, before.labelIds),
    removedLabels: without(before.labelIds, after.labelIds),
    addedAssignees: without(after.assigneeIds, before.assigneeIds),
    removedAssignees: without(before.assigneeIds, after.assigneeIds),
    ...(before.milestoneId !== after.milestoneId && { milestone: { from: before.milestoneId, to: after.milestoneId } }),
    ...(before.isClosed !== after.isClosed && { isClosed: after.isClosed }),
  };
  const lists = [difference.addedLabels, difference.removedLabels, difference.addedAssignees, difference.removedAssignees];
  const isSame = lists.every((ids) => ids.length === 0) && difference.milestone === undefined && difference.isClosed === undefined;
  return isSame ? undefined : difference;
}
