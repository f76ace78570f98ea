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

/** Of issues, and of pull requests, a repository pins at most so many. */
export const maxPinned = 3;

/** The pinned issues of a repository, or its pinned pull requests, in their order. @throws ForgeError `not_found` */
export async function listPinned(
  deps: { readonly db: Reader },
  repository: RepositorySubject,
  kind: { readonly isPull: boolean },
): Promise<readonly IssueView[]> {
  if (!canReadIssue(repository, kind)) throw notFound();
  return loadIssuesInOrder(deps, await listPinnedIds(deps.db, repository.id, kind.isPull), onlyLocation(repository));
}

/** Whether one more may be pinned, of each kind. */
export async function mayPinMore(deps: { readonly db: Reader }, repository: RepositorySubject): Promise<{ readonly issues: boolean; readonly pulls: boolean }> {
  const pinned = await countPinned(deps.db, repository.id);
  return { issues: pinned.issues < maxPinned, pulls: pinned.pulls < maxPinned };
}

/** Pins an issue behind those that are pinned. @throws ForgeError `not_found`, `forbidden`; `conflict` for a pinned one, `malformed` for one too many */
export async function pinIssue(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, number: string): Promise<void> {
  requireRepositoryAdmin(repository);
  await deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    if (issue.pinOrder > 0) throw conflict("this issue is pinned already");
    const pinned = await countPinned(tx, repository.id);
    const count = issue.isPull ? pinned.pulls : pinned.issues;
    if (count >= maxPinned) throw malformed(`You reached the max pinned Issues: a repository pins ${maxPinned}`);
    const change = changeIssue(tx, actor.id, issue);
    change.set({ pin_order: count + 1 });
    change.note("pin");
    change.tell("issue.pinned", {});
    await change.finish();
  });
}

/** Ends a pin; where there is none it does nothing. @throws ForgeError `not_found`, `forbidden` */
export async function unpinIssue(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, number: string): Promise<void> {
  requireRepositoryAdmin(repository);
  await deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    if (issue.pinOrder === 0) return;
    const change = changeIssue(tx, actor.id, issue);
    change.set({ pin_order: 0 });
    change.note("unpin");
    change.tell("issue.unpinned", {});
    await change.finish();
    await closePinGap(tx, issue.repoId, issue.isPull, issue.pinOrder);
  });
}

/** Puts a pinned issue at another place, from 1; one that is not pinned stays so. @throws ForgeError `not_found`, `forbidden`, `malformed` */
export async function movePin(deps: { readonly db: Db }, repository: RepositorySubject, number: string, position: number): Promise<void> {
  requireRepositoryAdmin(repository);
  await deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    if (issue.pinOrder === 0) return;
    const rest = (await listPinnedIds(tx, repository.id, issue.isPull)).filter((id) => id !== issue.id);
    if (position < 1) throw malformed("the first position is 1");
    const at = Math.min(position - 1, rest.length);
    await reorderPins(tx, [...rest.slice(0, at), issue.id, ...rest.slice(at)]);
  });
}
