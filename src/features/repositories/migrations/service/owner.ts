import { isSiteAdmin, type UserActor } from "../../../../access/actor.ts";
import { forbidden, invalid, isForgeError } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { findNamedAccount, loadUsers } from "../../../accounts/users/service/accounts.ts";
import { findOrganization } from "../../../organizations/orgs/service/find.ts";
import type { NewOwner } from "../../repos/new-repository.ts";
import { mayMakeIn } from "../../repos/service/insert.ts";
import type { MigrationInput } from "../migration-input.ts";

interface OwnerDeps {
  readonly db: Reader;
}

/**
 * Resolves the owner of the new repository.
 * @throws ForgeError `forbidden` for an owner under whom the actor cannot create repositories, `invalid` for an unknown owner
 */
export async function findOwner(deps: OwnerDeps, actor: UserActor, input: Pick<MigrationInput, "ownerName" | "ownerId">): Promise<NewOwner> {
  const name = input.ownerName === "" ? await nameOf(deps, input.ownerId) : input.ownerName;
  if (name === undefined) return { id: actor.id, name: actor.name, kind: "user" };
  const owner = await findNamedAccount(deps, name, actor).catch((error: unknown) => {
    throw isForgeError(error, "not_found") ? invalid(`user does not exist [uid: ${input.ownerId}, name: ${name}]`, { reason: "user_not_found" }) : error;
  });
  if (owner.id === actor.id || isSiteAdmin(actor)) return owner;
  if (owner.kind === "user") throw forbidden("Given user is not an organization.", { reason: "cannot_create_in_organization" });
  const found = await findOrganization(deps, owner.name, actor);
  if (!("subject" in found) || !(await mayMakeIn(deps.db, actor, found.subject)))
    throw forbidden("Given user is not owner of organization.", { reason: "cannot_create_in_organization" });
  return owner;
}

async function nameOf(deps: OwnerDeps, id: number): Promise<string | undefined> {
  if (id === 0) return undefined;
  const account = (await loadUsers(deps, [id])).get(id);
  if (account === undefined) throw invalid(`user does not exist [uid: ${id}, name: ]`, { reason: "user_not_found" });
  return account.name;
}
