import { isSiteAdmin, type UserActor } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { Found, RepositorySubject } from "../../../access/subjects.ts";
import { forbidden, invalid, isForgeError, notFound } from "../../../core/errors.ts";
import type { Db, Reader, Tx } from "../../../db/db.ts";
import { findNamedAccount } from "../../accounts/users/service/accounts.ts";
import { requireUnblocked } from "../../accounts/users/service/blocks.ts";
import { findOrganization } from "../../organizations/orgs/service/find.ts";
import { loadTeams } from "../../organizations/teams/service/load.ts";
import type { PendingTransfer, RepositoryView } from "../repos/model.ts";
import type { NewOwner } from "../repos/new-repository.ts";
import { findAddressed, findRepository } from "../repos/service/find.ts";
import { mayMakeIn } from "../repos/service/insert.ts";
import { getRepository } from "../repos/service/loaders.ts";
import { beingTransferred, explainTransfer, type TakeoverDeps, transferRepository } from "../repos/service/transfer.ts";
import { findPendingTransfer, requestTransfer, teamsOfTransfer, withdrawTransfer } from "../repos/service/transfer-requests.ts";

export interface TransferDeps extends TakeoverDeps {
  readonly db: Db;
}

export interface TransferInput {
  readonly newOwner: string;
  /** Teams of an organization that are to have it. */
  readonly teamIds: readonly number[];
}

export interface TransferOutcome {
  /** Undefined for a caller who may not read it any more. */
  readonly view: RepositoryView | undefined;
  /** It has the new owner; else it waits for his answer. */
  readonly isDone: boolean;
}

/**
 * Gives a repository to somebody else: at once where the caller may act for him, else when he takes it. Operation `repoTransfer`.
 * @throws ForgeError `not_found` for an owner whom the caller cannot see, `invalid` for teams of others and where the name is in use there,
 *   `conflict` while it waits for somebody, `forbidden` for whom the new owner has blocked
 */
export async function startTransfer(deps: TransferDeps, actor: UserActor, repository: RepositorySubject, wish: TransferInput): Promise<TransferOutcome> {
  if (!atLeast(repository.right.mode, "owner")) throw forbidden("user should be the owner of the repo");
  const to = await findNewOwner(deps, actor, wish.newOwner);
  await checkTeams(deps, to, wish.teamIds);
  await requireUnblocked(deps, actor, to.id);
  const isDone = isSiteAdmin(actor) || (await mayAnswerFor(deps, actor, to));
  const { id: repoId, name } = repository;
  await transaction(deps, to, name, async (tx) => {
    if ((await findPendingTransfer({ db: tx }, repoId)) !== undefined) throw beingTransferred();
    if (isDone) await transferRepository(tx, deps, { actor, repoId, to, teamIds: wish.teamIds });
    else await requestTransfer(tx, actor, repository, to, wish.teamIds);
  });
  return { isDone, view: await viewAfterwards(deps, actor, repoId) };
}

async function transaction(deps: TransferDeps, to: NewOwner, name: string, work: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await deps.db.tx(work);
  } catch (error) {
    throw explainTransfer(error, to, name);
  }
}

const viewAfterwards = (deps: { readonly db: Reader }, actor: UserActor, repoId: number): Promise<RepositoryView | undefined> =>
  getRepository(deps, actor, repoId).catch((error: unknown) => {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  });

async function findNewOwner(deps: { readonly db: Reader }, actor: UserActor, name: string): Promise<NewOwner> {
  const account = await findNamedAccount(deps, name, actor).catch((error: unknown) => {
    throw isForgeError(error, "not_found") ? notFound("The new owner does not exist or cannot be found") : error;
  });
  return { id: account.id, name: account.name, kind: account.kind };
}

async function checkTeams(deps: { readonly db: Reader }, to: NewOwner, teamIds: readonly number[]): Promise<void> {
  if (teamIds.length > 0 && to.kind === "user") throw invalid("Teams can only be added to organization-owned repositories");
  const teams = await loadTeams(deps, teamIds);
  for (const id of teamIds) {
    const found = teams.get(id);
    if (found === undefined) throw notFound(`team ${id} not found`);
    if (found.team.orgId !== to.id) throw forbidden(`team ${id} belongs not to org ${to.id}`);
  }
}

/** Whether somebody may take repositories over: for himself, or for an organization that lets him make them there. */
async function mayAnswerFor(deps: { readonly db: Reader }, actor: UserActor, { id, name, kind }: NewOwner): Promise<boolean> {
  if (kind === "user") return id === actor.id;
  const found = await findOrganization(deps, name, actor).catch((error: unknown) => {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  });
  return found !== undefined && "subject" in found && mayMakeIn(deps.db, actor, found.subject);
}

export interface Waiting {
  readonly repository: RepositorySubject;
  readonly pending: PendingTransfer;
  /** The caller may take it over. */
  readonly isRecipient: boolean;
}

/**
 * What waits under an address. Who cannot read it finds it all the same when it is offered to an organization of his.
 * @throws ForgeError `not_found` where nothing waits that the caller can see
 */
export async function findWaiting(deps: { readonly db: Reader }, actor: UserActor, owner: string, name: string): Promise<Found<Waiting>> {
  const repository = await findAddressed(deps, owner, name, actor);
  const pending = repository && (await findPendingTransfer(deps, repository.id));
  const isRecipient = pending !== undefined && (await mayAnswerFor(deps, actor, ownerOf(pending)));
  if (repository !== undefined && pending !== undefined && isRecipient) return { subject: { repository, pending, isRecipient } };
  // As everything else that has moved, or hides.
  const found = await findRepository(deps, owner, name, actor);
  if (!("subject" in found)) return found;
  if (pending === undefined) throw nothingPending(found.subject.id);
  return { subject: { repository: found.subject, pending, isRecipient } };
}

const nothingPending = (repoId: number) => notFound(`repository doesn't have a pending transfer [repo_id: ${repoId}]`);

const ownerOf = ({ recipientId, recipientName, recipientKind }: PendingTransfer): NewOwner => ({ id: recipientId, name: recipientName, kind: recipientKind });

/** Who waits takes it over. Operation `acceptRepoTransfer`. @throws ForgeError as {@link startTransfer}, and where nothing waits for the caller */
export async function acceptTransfer(deps: TransferDeps, actor: UserActor, { repository, pending, isRecipient }: Waiting): Promise<RepositoryView> {
  if (!isRecipient) throw forbidden("permission denied");
  const to = ownerOf(pending);
  const { id: repoId, name } = repository;
  await transaction(deps, to, name, async (tx) => {
    // It may have been withdrawn, or answered, a moment ago.
    if ((await findPendingTransfer({ db: tx }, repoId))?.recipientId !== to.id) throw nothingPending(repoId);
    await transferRepository(tx, deps, { actor, repoId, to, teamIds: await teamsOfTransfer({ db: tx }, repoId) });
  });
  return getRepository(deps, actor, repoId);
}

/**
 * Who waits does not take it; or its owner thinks better of it. Operation `rejectRepoTransfer`.
 * @returns the repository as the caller saw it before, since he may not see it any more
 */
export async function rejectTransfer(deps: TransferDeps, actor: UserActor, { repository, pending, isRecipient }: Waiting): Promise<RepositoryView | undefined> {
  if (!isRecipient && !atLeast(repository.right.mode, "owner")) throw forbidden("permission denied");
  const before = await viewAfterwards(deps, actor, repository.id);
  await deps.db.tx(async (tx) => {
    if ((await findPendingTransfer({ db: tx }, repository.id)) !== undefined) await withdrawTransfer(tx, actor, repository, pending);
  });
  return before && { ...before, transfer: undefined };
}
