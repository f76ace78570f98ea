import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { ForgeError, forbidden, invalid, isForgeError } from "../../../../../core/errors.ts";
import type { Db, Reader, Tx } from "../../../../../db/db.ts";
import { findUsersByNames } from "../../../../accounts/users/service/by-names.ts";
import { addLabels, type LabelChange, replaceLabels } from "../../../labels/exclusive.ts";
import type { LabelView } from "../../../labels/model.ts";
import { labelsByIds, resolveLabelsByIds } from "../../../labels/service/resolve.ts";
import { milestonesByIds } from "../../../milestones/service.ts";
import type { IssueRow } from "../../model.ts";
import { canWriteIssue } from "../../rights.ts";
import { changeIssue, type IssueChange } from "../../service/change.ts";
import { applyEdit, unchanged } from "../../service/edit.ts";
import { requireIssue } from "../../service/find.ts";
import { findIssueRow } from "../../store/rows.ts";
import { differenceOf, type IssueDifference } from "../differences.ts";
import { deleteBulkChange, findBulkChange, keepBulkChange } from "../store/bulk-changes.ts";
import { assignableAmong, requireAssignees } from "./assignable.ts";
import { changeLabels, setAssignees } from "./set-fields.ts";

/** A change to a list: replace it, add to it, or remove from it. */
export type PlannedListChange<T> = { readonly how: "replace" | "add" | "remove"; readonly what: readonly T[] };

/** A change to several issues; null leaves a field unchanged. */
export interface PlanChange {
  /** By id. */
  readonly labels: readonly PlannedListChange<number>[];
  /** By name. */
  readonly assignees: readonly PlannedListChange<string>[];
  /** 0 removes the milestone. */
  readonly milestoneId: number | null;
  readonly deadline: { readonly ms: number | null } | null;
  readonly isClosed: boolean | null;
}

/** Most issues that are changed in one transaction. */
export const maxAtOnce = 500;

/** The error of one of several issues. */
export class RefusedIssue extends ForgeError {
  readonly number: number;

  constructor(number: number, { code, message, options }: ForgeError) {
    super(code, message, options);
    this.number = number;
  }
}

/** Changes one issue or pull request. @throws ForgeError `not_found`, `invalid`, `forbidden` */
export const planIssue = (deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, number: number, input: PlanChange): Promise<void> =>
  deps.db.tx(async (tx) => void (await planOne(tx, actor, repository, number, input)));

/**
 * Changes the selected issues and pull requests: all of them, or none. The caller can undo the last such change ({@link undoBulkChange}).
 * @returns the number of issues that changed
 * @throws RefusedIssue `not_found`, `invalid`; `forbidden` for callers who cannot write them, `stale` for closing one with open dependencies
 * @throws ForgeError `invalid` for too many issues
 */
export async function planIssues(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  numbers: readonly number[],
  input: PlanChange,
): Promise<number> {
  if (numbers.length > maxAtOnce) throw invalid(`at most ${maxAtOnce} issues can be changed at once`, { reason: { code: "too_many_items", max: maxAtOnce } });
  return deps.db.tx(async (tx) => {
    const differences: IssueDifference[] = [];
    for (const number of new Set(numbers)) {
      const before = await planOne(tx, actor, repository, number, input).catch((error: unknown) => {
        throw isForgeError(error) ? new RefusedIssue(number, error) : error;
      });
      const difference = differenceOf(before, await requireIssue({ db: tx }, repository, number));
      if (difference !== undefined) differences.push(difference);
    }
    await keepBulkChange(tx, actor.id, repository.id, differences);
    return differences.length;
  });
}

/** Whether the caller can undo a change of several issues. One statement. */
export const hasBulkChange = async (deps: { readonly db: Reader }, actor: UserActor, repository: RepositorySubject): Promise<boolean> =>
  (await findBulkChange(deps.db, actor.id, repository.id)) !== undefined;

/**
 * Undoes the caller's last change of several issues, field by field: what other users changed since then stays.
 * @returns the number of issues
 * @throws ForgeError as {@link planIssues}
 */
export async function undoBulkChange(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject): Promise<number> {
  return deps.db.tx(async (tx) => {
    const differences = (await findBulkChange(tx, actor.id, repository.id)) ?? [];
    for (const difference of differences) await undoOne(tx, actor, repository, difference);
    await deleteBulkChange(tx, actor.id, repository.id);
    return differences.length;
  });
}

async function undoOne(tx: Tx, actor: UserActor, repository: RepositorySubject, difference: IssueDifference): Promise<void> {
  const before = await findIssueRow(tx, repository.id, difference.number);
  if (before === undefined) return;
  if (!canWriteIssue(repository, before)) throw forbidden("write permission is required");
  const change = changeIssue(tx, actor.id, before);
  const { addedLabels, removedLabels, addedAssignees, removedAssignees, milestone, isClosed } = difference;
  const added = await resolveLabelsByIds(
    tx,
    repository,
    removedLabels.filter((id) => !before.labelIds.includes(id)),
  );
  const removed = [
    ...(
      await labelsByIds(
        tx,
        addedLabels.filter((id) => before.labelIds.includes(id)),
      )
    ).values(),
  ];
  await changeLabels(change, { added, removed, isCleared: false });
  const assignable = await assignableAmong(tx, actor.id, repository.id, removedAssignees);
  const kept = before.assigneeIds.filter((id) => !addedAssignees.includes(id));
  await setAssignees(change, [...new Set([...kept, ...removedAssignees.filter((id) => assignable.has(id))])]);
  const resetsMilestone = milestone !== undefined && before.milestoneId === milestone.to;
  await applyEdit(change, actor, repository, {
    ...unchanged,
    milestoneId: resetsMilestone && (milestone.from === null || (await milestonesByIds(tx, [milestone.from])).size > 0) ? (milestone.from ?? 0) : null,
    isClosed: isClosed !== undefined && before.isClosed === isClosed && before.mergedMs === null ? !isClosed : null,
  });
  await change.finish();
}

async function planOne(tx: Tx, actor: UserActor, repository: RepositorySubject, number: number, input: PlanChange): Promise<IssueRow> {
  const issue = await requireIssue({ db: tx }, repository, number);
  if (!canWriteIssue(repository, issue)) throw forbidden("write permission is required");
  const change = changeIssue(tx, actor.id, issue);
  for (const labels of input.labels) await requestedLabels(change, repository, labels);
  for (const people of input.assignees) await requestedAssignees(change, actor, repository, people);
  await applyEdit(change, actor, repository, { ...unchanged, milestoneId: input.milestoneId, deadline: input.deadline, isClosed: input.isClosed });
  await change.finish();
  return issue;
}

async function requestedLabels(change: IssueChange, repository: RepositorySubject, { how, what }: PlannedListChange<number>): Promise<void> {
  const { tx, before } = change;
  const present = [...(await labelsByIds(tx, before.labelIds)).values()];
  const wanted = await resolveLabelsByIds(tx, repository, what);
  const result = changeOf[how](present, wanted);
  await changeLabels(change, { ...result, isCleared: result.labels.length === 0 });
}

const changeOf: Readonly<Record<PlannedListChange<number>["how"], (present: readonly LabelView[], wanted: readonly LabelView[]) => LabelChange>> = {
  add: addLabels,
  replace: replaceLabels,
  remove: (present, wanted) =>
    replaceLabels(
      present,
      present.filter(({ id }) => !wanted.some((label) => label.id === id)),
    ),
};

async function requestedAssignees(
  change: IssueChange,
  actor: UserActor,
  repository: RepositorySubject,
  { how, what }: PlannedListChange<string>,
): Promise<void> {
  const { tx, before } = change;
  const present = before.assigneeIds;
  if (how === "remove") {
    const byName = await findUsersByNames({ db: tx }, what);
    const ids = what.map((name) => byName(name)?.id);
    await setAssignees(
      change,
      present.filter((id) => !ids.includes(id)),
    );
    return;
  }
  const ids = await requireAssignees(tx, actor, repository, before, what);
  await setAssignees(change, how === "replace" ? ids : [...new Set([...present, ...ids])]);
}
