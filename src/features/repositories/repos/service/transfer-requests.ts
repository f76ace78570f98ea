import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { getUser } from "../../../accounts/users/service/accounts.ts";
import type { PendingTransfer } from "../model.ts";
import type { NewOwner } from "../new-repository.ts";
import { deleteCollaborator, findCollaboratorMode, upsertCollaborator } from "../store/collaborators.ts";
import { findOwnerState } from "../store/rows.ts";
import { deleteTransfer, findTransfer, insertTransfer, listTransferTeamIds } from "../store/transfers.ts";
import { namesake } from "./transfer.ts";
import { rightsOfUsers } from "./user-rights.ts";

export const findPendingTransfer = (deps: { readonly db: Reader }, repoId: number): Promise<PendingTransfer | undefined> => findTransfer(deps.db, repoId);

/** The teams to be added to the repository on acceptance. */
export const teamsOfTransfer = (deps: { readonly db: Reader }, repoId: number): Promise<readonly number[]> => listTransferTeamIds(deps.db, repoId);

/**
 * Creates a pending transfer, within the caller's transaction. A recipient without read access becomes a read-only collaborator until the
 * transfer ends.
 * @throws ForgeError `invalid` if the recipient has a repository of the same name; an error for `explainTransfer` if a transfer is pending already
 */
export async function requestTransfer(tx: Tx, actor: UserActor, repository: RepositorySubject, to: NewOwner, teamIds: readonly number[]): Promise<void> {
  if ((await findOwnerState(tx, to.id, repository.name))?.hasName) throw namesake(to, repository.name);
  const addsCollaborator = to.kind === "user" && !(await canRead(tx, repository.id, to.id));
  await insertTransfer(tx, { repoId: repository.id, doerId: actor.id, recipientId: to.id, teamIds, addsCollaborator });
  const event = { ...eventOf(repository), memberId: to.id, memberName: to.name };
  const context = { repoId: repository.id, by: actor };
  if (addsCollaborator) {
    await upsertCollaborator(tx, repository.id, to.id, "read");
    await recordEvent(tx, "collaborator.added", { ...event, mode: "read" }, context);
  }
  await recordEvent(tx, "repo.transfer_requested", event, context);
}

async function canRead(tx: Tx, repoId: number, userId: number): Promise<boolean> {
  const right = (await rightsOfUsers({ db: tx }, repoId, [await getUser({ db: tx }, userId)])).get(userId);
  return right !== undefined && atLeast(right.mode, "read");
}

/** Ends a pending transfer without accepting it, within the caller's transaction; the recipient loses temporary access. */
export async function withdrawTransfer(tx: Tx, actor: UserActor, repository: RepositorySubject, pending: PendingTransfer): Promise<void> {
  const { id: repoId } = repository;
  const { recipientId, recipientName } = pending;
  await deleteTransfer(tx, repoId);
  const event = { ...eventOf(repository), memberId: recipientId, memberName: recipientName };
  const context = { repoId, by: actor };
  if (pending.addsCollaborator && (await findCollaboratorMode(tx, repoId, recipientId)) === "read") {
    await deleteCollaborator(tx, repoId, recipientId);
    await recordEvent(tx, "collaborator.removed", event, context);
  }
  await recordEvent(tx, "repo.transfer_rejected", event, context);
}

const eventOf = ({ id, name, ownerId, ownerName }: RepositorySubject) => ({ repoId: id, name, ownerId, ownerName });
