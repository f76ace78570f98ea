import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { conflict, malformed, notFound } from "../../../../../core/errors.ts";
import type { Db, Reader } from "../../../../../db/db.ts";
import { requireRepositoryAdmin } from "../../../../repositories/repos/service/require.ts";
import type { IssueView } from "../../model.ts";
import { canReadIssue } from "../../rights.ts";
import { changeIssue } from "../../service/change.ts";
import { requireIssue } from "../../service/find.ts";
import { loadIssuesInOrder, onlyLocation } from "../../service/loaders.ts";
import { closePinGap, countPinned, listPinnedIds, reorderPins } from "../store/pins.ts";

/** Maximum number of pinned issues, and of pinned pull requests, per repository. */
export const maxPinned = 3;

/** The pinned issues or pull requests of a repository, in order. @throws ForgeError `not_found` */
export async function listPinned(
  deps: { readonly db: Reader },
  repository: RepositorySubject,
  kind: { readonly isPull: boolean },
): Promise<readonly IssueView[]> {
  if (!canReadIssue(repository, kind)) throw notFound();
  return loadIssuesInOrder(deps, await listPinnedIds(deps.db, repository.id, kind.isPull), onlyLocation(repository));
}

/** Whether another one of each kind can be pinned. */
export async function mayPinMore(deps: { readonly db: Reader }, repository: RepositorySubject): Promise<{ readonly issues: boolean; readonly pulls: boolean }> {
  const pinned = await countPinned(deps.db, repository.id);
  return { issues: pinned.issues < maxPinned, pulls: pinned.pulls < maxPinned };
}

/**
 * Pins an issue after the other pinned ones. @throws ForgeError `not_found`, `forbidden`; `conflict` if already pinned, `malformed` above
 * the limit
 */
export async function pinIssue(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, number: string): Promise<void> {
  requireRepositoryAdmin(repository);
  await deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    if (issue.pinOrder > 0) throw conflict("this issue is already pinned", { reason: "changed_meanwhile" });
    const pinned = await countPinned(tx, repository.id);
    const count = issue.isPull ? pinned.pulls : pinned.issues;
    if (count >= maxPinned) throw malformed(`You reached the max pinned Issues: a repository can pin at most ${maxPinned}`, { reason: "too_many_pinned" });
    const change = changeIssue(tx, actor.id, issue);
    change.set({ pin_order: count + 1 });
    change.note("pin");
    change.announce("issue.pinned", {});
    await change.finish();
  });
}

/** Unpins an issue; does nothing if it is not pinned. @throws ForgeError `not_found`, `forbidden` */
export async function unpinIssue(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, number: string): Promise<void> {
  requireRepositoryAdmin(repository);
  await deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    if (issue.pinOrder === 0) return;
    const change = changeIssue(tx, actor.id, issue);
    change.set({ pin_order: 0 });
    change.note("unpin");
    change.announce("issue.unpinned", {});
    await change.finish();
    await closePinGap(tx, issue.repoId, issue.isPull, issue.pinOrder);
  });
}

/**
 * Moves a pinned issue to another position, from 1; ignores an unpinned one. @throws ForgeError `not_found`, `forbidden`, `malformed`
 */
export async function movePin(deps: { readonly db: Db }, repository: RepositorySubject, number: string, position: number): Promise<void> {
  requireRepositoryAdmin(repository);
  await deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    if (issue.pinOrder === 0) return;
    const rest = (await listPinnedIds(tx, repository.id, issue.isPull)).filter((id) => id !== issue.id);
    if (position < 1) throw malformed("the position must be at least 1");
    const at = Math.min(position - 1, rest.length);
    await reorderPins(tx, [...rest.slice(0, at), issue.id, ...rest.slice(at)]);
  });
}
