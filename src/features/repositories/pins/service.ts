import type { Actor, UserActor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { invalid, notFound } from "../../../core/errors.ts";
import { moveInList } from "../../../core/move-in-list.ts";
import type { Db, Reader } from "../../../db/db.ts";
import type { RepositoryView } from "../repos/model.ts";
import { findRepository } from "../repos/service/find.ts";
import { loadRepositoryViews } from "../repos/service/loaders.ts";
import { readableRepositories } from "../repos/service/visible.ts";
import { maxPins, type PinMove, type PinningAccount } from "./model.ts";
import { listPinnedIds, savePins } from "./store.ts";

/** The pinned repositories of an account that the caller can read, in order. One statement if there are none. */
export async function listPins(deps: { readonly db: Reader }, actor: Actor, account: PinningAccount): Promise<readonly RepositoryView[]> {
  const ids = await listPinnedIds(deps.db, readableRepositories(actor), account);
  return ids.length === 0 ? [] : loadRepositoryViews(deps, actor, ids);
}

/**
 * Pins a repository as the last one; a pinned one is unchanged. Pins that the caller cannot read any more are removed.
 * @param name `owner/name`, or the name of a repository of the account
 * @throws ForgeError `not_found`; `invalid` if an organization does not own it, or if the limit is reached
 */
export async function pinRepository(deps: { readonly db: Db }, actor: UserActor, account: PinningAccount, name: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const repository = await requireNamed({ db: tx }, actor, account, name);
    if (account.kind === "organization" && repository.ownerId !== account.id)
      throw invalid("an organization pins its own repositories only", { field: "repository", reason: "repository_not_in_organization" });
    const ids = await listPinnedIds(tx, readableRepositories(actor), account);
    if (ids.includes(repository.id)) return;
    if (ids.length >= maxPins)
      throw invalid(`an account can pin at most ${maxPins} repositories`, { field: "repository", reason: "too_many_pinned_repositories" });
    await savePins(tx, account.id, [...ids, repository.id]);
  });
}

/** Moves a pinned repository by one place. Without an effect if it is not pinned, or at the end of the list. */
export async function movePin(
  deps: { readonly db: Db },
  actor: UserActor,
  account: PinningAccount,
  { repositoryId, to }: { readonly repositoryId: number; readonly to: PinMove },
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const ids = await listPinnedIds(tx, readableRepositories(actor), account);
    await savePins(tx, account.id, moveInList(ids, repositoryId, to === "up" || to === "down" ? to : Number(to)));
  });
}

/** Idempotent. */
export async function unpinRepository(deps: { readonly db: Db }, actor: UserActor, account: PinningAccount, repositoryId: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const ids = await listPinnedIds(tx, readableRepositories(actor), account);
    await savePins(
      tx,
      account.id,
      ids.filter((id) => id !== repositoryId),
    );
  });
}

async function requireNamed(deps: { readonly db: Reader }, actor: UserActor, account: PinningAccount, typed: string): Promise<RepositorySubject> {
  const [owner = "", name = ""] = typed.includes("/") ? typed.trim().split("/", 2) : [account.name, typed.trim()];
  const found = await findRepository(deps, owner, name, actor);
  if ("subject" in found) return found.subject;
  const [newOwner = "", newName = ""] = found.movedTo.split("/");
  const moved = await findRepository(deps, newOwner, newName, actor);
  if (!("subject" in moved)) throw notFound();
  return moved.subject;
}
