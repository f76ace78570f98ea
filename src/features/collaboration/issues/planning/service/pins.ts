import type { UserActor } from "../../../../../access/actor.ts";
import { atLeast } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { conflict, forbidden, malformed, notFound } from "../../../../../core/errors.ts";
import type { Db, Reader } from "../../../../../db/db.ts";
import { requireRepositoryAdmin } from "../../../../repositories/repos/service/require.ts";
import type { IssueView } from "../../model.ts";
import { canReadIssue, hasReadableIssues } from "../../rights.ts";
import { changeIssue } from "../../service/change.ts";
import { requireIssue } from "../../service/find.ts";
import { loadIssuesInOrder, onlyLocation } from "../../service/loaders.ts";
import { countPinned, listPinnedIds, nextPinOrder, shiftPins } from "../store/pins.ts";

/** Maximum number of pinned issues, and of pinned pull requests, per repository. */
export const maxPinned = 3;

/**
 * The pinned issues or pull requests of a repository, in order.
 * @compat Administrators read them although the unit is switched off (pulls/api/disabled-units.test.ts).
 * @throws ForgeError `not_found` if the caller can read neither issues nor pull requests, `forbidden` if they cannot read this kind
 */
export async function listPinned(
  deps: { readonly db: Reader },
  repository: RepositorySubject,
  kind: { readonly isPull: boolean },
): Promise<readonly IssueView[]> {
  if (!hasReadableIssues(repository)) throw notFound();
  if (!canReadIssue(repository, kind) && !atLeast(repository.right.mode, "admin")) {
    throw forbidden("user should have specific read permission or be a repo admin or a site admin");
  }
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
    change.set({ pin_order: await nextPinOrder(tx, repository.id, issue.isPull) });
    change.note("pin");
    change.announce("issue.pinned", {});
    await change.finish();
  });
}

/**
 * Unpins an issue; does nothing if it is not pinned. @compat the others keep their positions (issues/conversation/discussion.test.ts).
 * @throws ForgeError `not_found`, `forbidden`
 */
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
  });
}

/** The last position to which a pin can be moved. */
const maxPosition = 1_000_000;

/**
 * Moves a pinned issue to another position, from 1; ignores an unpinned one. The issues between both positions move towards the former one.
 * @compat a position after the last one leaves a gap (issues/conversation/discussion.test.ts)
 * @throws ForgeError `not_found`, `forbidden`, `malformed`
 */
export async function movePin(deps: { readonly db: Db }, repository: RepositorySubject, number: string, position: number): Promise<void> {
  requireRepositoryAdmin(repository);
  await deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    if (issue.pinOrder === 0) return;
    if (position < 1 || position > maxPosition) throw malformed(`the position must be between 1 and ${maxPosition}`);
    if (position !== issue.pinOrder) await shiftPins(tx, issue, position);
  });
}
