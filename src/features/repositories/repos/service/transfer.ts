import type { UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import { conflict, invalid, notFound } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import { dropForeignTeams } from "../../protections/service/foreign-teams.ts";
import type { NewOwner } from "../new-repository.ts";
import { deleteCollaborator } from "../store/collaborators.ts";
import { changeOwner } from "../store/owners.ts";
import { countOneMore, deleteRedirect, insertRedirect } from "../store/rows.ts";
import { dropOutsiders, dropOutsidersOfOwner } from "../store/stars-and-watches.ts";
import { checkLimit, type InsertDeps, isNameTaken } from "./insert.ts";
import { requireRoom } from "./sizes.ts";

export interface TakeoverDeps extends InsertDeps {
  readonly config: Pick<Config, "repositories" | "limits">;
}

export interface Transfer {
  /** The recipient, or a user who acts for the receiving organization. */
  readonly actor: UserActor;
  readonly repoId: number;
  readonly to: NewOwner;
  /** Teams of the new owner to be added to the repository. */
  readonly teamIds: readonly number[];
}

/**
 * Changes the owner of a repository, within the caller's transaction: its former path redirects, teams of the former owner are removed,
 * and so are watches and stars of users who lose access.
 * @throws ForgeError `forbidden` and `too_large` by the new owner's limits, `not_found` if either was deleted; an error for {@link explainTransfer}
 */
export async function transferRepository(tx: Tx, deps: TakeoverDeps, { actor, repoId, to, teamIds }: Transfer): Promise<void> {
  const state = await countOneMore(tx, to.id);
  if (state === undefined) throw notFound();
  checkLimit(deps, actor, to, state);
  const former = await changeOwner(tx, repoId, to.id, teamIds);
  if (former === undefined) throw notFound();
  if (former.ownerId === to.id) throw namesake(to, former.name);
  await requireRoom({ db: tx, config: deps.config }, to.id, 0);
  await deleteRedirect(tx, to.id, former.name);
  await insertRedirect(tx, former.ownerId, former.name, repoId);
  await deleteCollaborator(tx, repoId, to.id);
  await dropForeignTeams(tx, repoId, to.id);
  if (former.isPrivate) await dropOutsiders(tx, { id: repoId, ownerId: to.id });
  else await dropOutsidersOfOwner(tx, to.id);
  const event = { repoId, name: former.name, ownerId: to.id, ownerName: to.name, formerOwnerId: former.ownerId, formerOwnerName: former.ownerName };
  await recordEvent(tx, "repo.transferred", event, { repoId, by: actor });
}

/** Converts conflicts of a transfer to Gitea's messages. */
export function explainTransfer(error: unknown, to: Pick<NewOwner, "name">, name: string): unknown {
  if (isNameTaken(error)) return namesake(to, name);
  if (isUniqueViolation(error, "repositories.fork_of,owner_id"))
    return invalid(`${to.name} already has a fork of the same repository`, { reason: "fork_exists" });
  if (isUniqueViolation(error, "repository_transfers.repo_id")) return beingTransferred();
  return error;
}

export const namesake = (to: Pick<NewOwner, "name">, name: string) =>
  invalid(`repository already exists [uname: ${to.name}, name: ${name}]`, { reason: "repository_exists" });

/** @compat the message omits the owner and the name (transfers/api.test.ts) */
export const beingTransferred = () => conflict("repository is already being transferred [uname: , name: ]", { reason: "transfer_pending" });
