import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { type ForgeError, forbidden, invalid } from "../../../../../core/errors.ts";
import type { Db, Reader, Tx } from "../../../../../db/db.ts";
import { requireRepositoryAdmin } from "../../../../repositories/repos/service/require.ts";
import { addLabels, replaceLabels } from "../../../labels/exclusive.ts";
import type { LabelView } from "../../../labels/model.ts";
import { labelsByIds, resolveLabelsByIds, resolveLabelsByNames } from "../../../labels/service/resolve.ts";
import type { IssueRow } from "../../model.ts";
import { canWriteIssue } from "../../rights.ts";
import { changeIssue, type IssueChange } from "../../service/change.ts";
import { requireIssue } from "../../service/find.ts";
import { changeLabels, setDeadline } from "./set-fields.ts";

interface WriteDeps {
  readonly db: Db;
}

/** Labels by ids or by names; unknown ones are ignored. */
export type LabelInput = { readonly ids: readonly number[] } | { readonly names: readonly string[] };

/** Runs a change that requires write access to issues. */
async function planned(
  deps: WriteDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  step: (change: IssueChange) => Promise<void> | void,
  refusal: () => ForgeError = () => forbidden("write permission is required"),
): Promise<IssueRow> {
  return deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    if (!canWriteIssue(repository, issue)) throw refusal();
    const change = changeIssue(tx, actor.id, issue);
    await step(change);
    await change.finish();
    return issue;
  });
}

const byName = (a: LabelView, b: LabelView): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id);

const presentLabels = async (db: Reader, issue: IssueRow): Promise<readonly LabelView[]> => {
  const views = await labelsByIds(db, issue.labelIds);
  return issue.labelIds.flatMap((id) => views.get(id) ?? []).sort(byName);
};

/** The labels of an issue, by name. @throws ForgeError `not_found` */
export const listIssueLabels = async (deps: { readonly db: Reader }, repository: RepositorySubject, number: string): Promise<readonly LabelView[]> =>
  presentLabels(deps.db, await requireIssue(deps, repository, number));

const resolve = (tx: Tx, repository: RepositorySubject, input: LabelInput): Promise<readonly LabelView[]> =>
  "ids" in input ? resolveLabelsByIds(tx, repository, input.ids) : resolveLabelsByNames(tx, repository, input.names);

/**
 * Adds or replaces labels of an issue.
 * @returns the issue's labels after the change, by name
 * @throws ForgeError `not_found`; `forbidden` for callers who cannot write issues
 */
export async function putLabels(
  deps: WriteDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  input: LabelInput,
  how: "add" | "replace",
): Promise<readonly LabelView[]> {
  let labels: readonly LabelView[] = [];
  await planned(deps, actor, repository, number, async (change) => {
    const present = await presentLabels(change.tx, change.before);
    const wanted = await resolve(change.tx, repository, input);
    const result = how === "add" ? addLabels(present, wanted) : replaceLabels(present, wanted);
    labels = result.labels;
    await changeLabels(change, { ...result, isCleared: how === "replace" && result.labels.length === 0 });
  });
  return [...labels].sort(byName);
}

/**
 * Removes a label from an issue. @throws ForgeError `invalid` for a label that is not available to the repository; as {@link putLabels}
 */
export async function removeLabel(deps: WriteDeps, actor: UserActor, repository: RepositorySubject, number: string, labelId: number): Promise<void> {
  await planned(deps, actor, repository, number, async (change) => {
    const [label] = await resolveLabelsByIds(change.tx, repository, [labelId]);
    if (label === undefined) throw invalid(`label does not exist [label_id: ${labelId}]`, { reason: "changed_meanwhile" });
    if (change.before.labelIds.includes(labelId)) await changeLabels(change, { added: [], removed: [label], isCleared: false });
  });
}

/** Removes all labels from an issue. @throws ForgeError as {@link putLabels} */
export async function clearLabels(deps: WriteDeps, actor: UserActor, repository: RepositorySubject, number: string): Promise<void> {
  await planned(deps, actor, repository, number, async (change) =>
    changeLabels(change, { added: [], removed: await presentLabels(change.tx, change.before), isCleared: true }),
  );
}

/** Sets or removes the due date of an issue. @throws ForgeError `not_found`, `forbidden` */
export async function putDeadline(deps: WriteDeps, actor: UserActor, repository: RepositorySubject, number: string, deadlineMs: number | null): Promise<void> {
  await planned(
    deps,
    actor,
    repository,
    number,
    (change) => setDeadline(change, deadlineMs),
    () => forbidden("Not repo writer"),
  );
}

/**
 * Locks an issue, so that only users who can write issues can comment, or unlocks it. Does nothing if it is already in the requested state.
 * @throws ForgeError `forbidden` for callers who cannot administer the repository; `not_found`
 */
export async function setLocked(
  deps: WriteDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  lock: { readonly reason: string } | undefined,
): Promise<void> {
  requireRepositoryAdmin(repository);
  await planned(deps, actor, repository, number, (change) => {
    if (change.before.isLocked === (lock !== undefined)) return;
    change.set({ is_locked: lock === undefined ? 0 : 1, lock_reason: lock?.reason ?? "" });
    if (lock === undefined) {
      change.note("unlock");
      change.announce("issue.unlocked", {});
    } else {
      change.note("lock", { content: lock.reason });
      change.announce("issue.locked", { reason: lock.reason });
    }
  });
}
