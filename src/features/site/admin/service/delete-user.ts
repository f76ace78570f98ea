import type { UserActor } from "../../../../access/actor.ts";
import type { AccountSubject } from "../../../../access/subjects.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { removeUser, removeUserOrSelf } from "../../../accounts/users/service/accounts.ts";
import { endMemberships, organizationsOwnedSolelyBy, removeOrganization } from "../../../organizations/orgs/service/organizations.ts";
import { deleteOwnedRepositories } from "../../../repositories/repos/service/delete.ts";
import { forgetMarks } from "../../../repositories/repos/service/forget-account.ts";

export interface DeleteUserDeps {
  readonly db: Db;
}

/**
 * Deletes a user without repositories and organizations, as an administrator. Operation `adminDeleteUser`.
 * @throws ForgeError `invalid` while the user owns repositories or belongs to organizations
 */
export async function deleteUser({ db }: DeleteUserDeps, actor: UserActor, target: AccountSubject): Promise<void> {
  await db.tx(async (tx) => {
    await forgetMarks(tx, target.id);
    await removeUser(tx, actor, target);
  });
}

/**
 * Deletes a user with everything they own, in one transaction: repositories, memberships, and organizations of which they are the
 * only owner, with their repositories.
 */
export async function purgeUser({ db }: DeleteUserDeps, actor: UserActor, target: AccountSubject): Promise<void> {
  await db.tx(async (tx) => {
    await purgeBelongings(tx, actor, target.id);
    await removeUser(tx, actor, target);
  });
}

/** The same on the user's own request. @throws ForgeError `invalid` for the last administrator */
export async function purgeOwnAccount({ db }: DeleteUserDeps, actor: UserActor): Promise<void> {
  await db.tx(async (tx) => {
    await purgeBelongings(tx, actor, actor.id);
    await removeUserOrSelf(tx, actor, { id: actor.id, name: actor.name, kind: "user" });
  });
}

async function purgeBelongings(tx: Tx, actor: UserActor, accountId: number): Promise<void> {
  await deleteOwnedRepositories(tx, accountId, actor);
  for (const organization of await organizationsOwnedSolelyBy(tx, accountId)) {
    await deleteOwnedRepositories(tx, organization.id, actor);
    await removeOrganization(tx, organization, actor);
  }
  await endMemberships(tx, accountId);
  await forgetMarks(tx, accountId);
}
