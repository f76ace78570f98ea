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
  /** Teams of the receiving organization to add to the repository. */
  readonly teamIds: readonly number[];
}

export interface TransferOutcome {
  /** Undefined for a caller who cannot read it any more. */
  readonly view: RepositoryView | undefined;
  /** Whether the new owner has it already; otherwise the transfer is pending. */
  readonly isDone: boolean;
}

/**
 * Transfers a repository: immediately if the caller may act for the recipient, otherwise on acceptance. Operation `repoTransfer`.
 * @throws ForgeError `not_found` for a recipient whom the caller cannot see, `invalid` for teams of other organizations and for a name in
 *   use, `conflict` while another transfer is pending, `forbidden` for users whom the recipient has blocked
 */
export async function startTransfer(deps: TransferDeps, actor: UserActor, repository: RepositorySubject, input: TransferInput): Promise<TransferOutcome> {
  if (!atLeast(repository.right.mode, "owner")) throw forbidden("user should be the owner of the repo");
  const to = await findNewOwner(deps, actor, input.newOwner);
  await checkTeams(deps, to, input.teamIds);
  await requireUnblocked(deps, actor, to.id);
  const isDone = isSiteAdmin(actor) || (await mayAnswerFor(deps, actor, to));
  const { id: repoId, name } = repository;
  await transaction(deps, to, name, async (tx) => {
    if ((await findPendingTransfer({ db: tx }, repoId)) !== undefined) throw beingTransferred();
    if (isDone) await transferRepository(tx, deps, { actor, repoId, to, teamIds: input.teamIds });
    else await requestTransfer(tx, actor, repository, to, input.teamIds);
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
    throw isForgeError(error, "not_found") ? notFound("The new owner does not exist or cannot be found", { reason: "account_not_found" }) : error;
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

/** Whether the actor can accept repositories: for themselves, or for an organization in which they can create repositories. */
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
  /** Whether the caller can accept it. */
  readonly isRecipient: boolean;
}

/**
 * Finds the pending transfer of a repository. Callers without read access find it if it is offered to an organization of theirs.
 * @throws ForgeError `not_found` without a pending transfer that the caller can see
 */
export async function findWaiting(deps: { readonly db: Reader }, actor: UserActor, owner: string, name: string): Promise<Found<Waiting>> {
  const repository = await findAddressed(deps, owner, name, actor);
  const pending = repository && (await findPendingTransfer(deps, repository.id));
  const isRecipient = pending !== undefined && (await mayAnswerFor(deps, actor, ownerOf(pending)));
  if (repository !== undefined && pending !== undefined && isRecipient) return { subject: { repository, pending, isRecipient } };
  // Resolves redirects and visibility as usual.
  const found = await findRepository(deps, owner, name, actor);
  if (!("subject" in found)) return found;
  if (pending === undefined) throw nothingPending(found.subject.id);
  return { subject: { repository: found.subject, pending, isRecipient } };
}

const nothingPending = (repoId: number) => notFound(`repository doesn't have a pending transfer [repo_id: ${repoId}]`);

const ownerOf = ({ recipientId, recipientName, recipientKind }: PendingTransfer): NewOwner => ({ id: recipientId, name: recipientName, kind: recipientKind });

/** The recipient accepts the transfer. Operation `acceptRepoTransfer`. @throws ForgeError as {@link startTransfer}, and if no transfer to the caller is pending */
export async function acceptTransfer(deps: TransferDeps, actor: UserActor, { repository, pending, isRecipient }: Waiting): Promise<RepositoryView> {
  if (!isRecipient) throw forbidden("permission denied");
  const to = ownerOf(pending);
  const { id: repoId, name } = repository;
  await transaction(deps, to, name, async (tx) => {
    // The transfer can have been cancelled or answered concurrently.
    if ((await findPendingTransfer({ db: tx }, repoId))?.recipientId !== to.id) throw nothingPending(repoId);
    await transferRepository(tx, deps, { actor, repoId, to, teamIds: await teamsOfTransfer({ db: tx }, repoId) });
  });
  return getRepository(deps, actor, repoId);
}

/**
 * The recipient rejects, or the owner cancels, the transfer. Operation `rejectRepoTransfer`.
 * @returns the repository as the caller saw it before, because they may have lost access
 */
export async function rejectTransfer(deps: TransferDeps, actor: UserActor, { repository, pending, isRecipient }: Waiting): Promise<RepositoryView | undefined> {
  if (!isRecipient && !atLeast(repository.right.mode, "owner")) throw forbidden("permission denied");
  const before = await viewAfterwards(deps, actor, repository.id);
  await deps.db.tx(async (tx) => {
    if ((await findPendingTransfer({ db: tx }, repository.id)) !== undefined) await withdrawTransfer(tx, actor, repository, pending);
  });
  return before && { ...before, transfer: undefined };
}
