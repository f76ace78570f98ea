import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { forbidden, invalid } from "../../../../../core/errors.ts";
import type { Db, Tx } from "../../../../../db/db.ts";
import { findUsersByNames } from "../../../../accounts/users/service/by-names.ts";
import { addLabels, type LabelChange, replaceLabels } from "../../../labels/exclusive.ts";
import type { LabelView } from "../../../labels/model.ts";
import { labelsByIds, resolveLabelsByIds } from "../../../labels/service/resolve.ts";
import { canWriteIssue } from "../../rights.ts";
import { changeIssue, type IssueChange } from "../../service/change.ts";
import { applyEdit, unchanged } from "../../service/edit.ts";
import { requireIssue } from "../../service/find.ts";
import { requireAssignees } from "./assignable.ts";
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

/** The maximum number of issues on a page. */
const maxAtOnce = 100;

/**
 * Changes several issues and pull requests: all of them, or none.
 * @throws ForgeError `not_found`, `invalid`; `forbidden` for callers who cannot write them, `stale` for closing one with open dependencies
 */
export async function planIssues(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  numbers: readonly number[],
  input: PlanChange,
): Promise<void> {
  if (numbers.length > maxAtOnce) throw invalid(`at most ${maxAtOnce} issues can be changed at once`, { reason: { code: "too_many_items", max: maxAtOnce } });
  await deps.db.tx(async (tx) => {
    for (const number of new Set(numbers)) await planOne(tx, actor, repository, number, input);
  });
}

async function planOne(tx: Tx, actor: UserActor, repository: RepositorySubject, number: number, input: PlanChange): Promise<void> {
  const issue = await requireIssue({ db: tx }, repository, number);
  if (!canWriteIssue(repository, issue)) throw forbidden("write permission is required");
  const change = changeIssue(tx, actor.id, issue);
  for (const labels of input.labels) await requestedLabels(change, repository, labels);
  for (const people of input.assignees) await requestedAssignees(change, actor, repository, people);
  await applyEdit(change, actor, repository, { ...unchanged, milestoneId: input.milestoneId, deadline: input.deadline, isClosed: input.isClosed });
  await change.finish();
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
