import type { UserActor } from "../../../access/actor.ts";
import type { AccountSubject } from "../../../access/subjects.ts";
import type { Db } from "../../../db/db.ts";
import { endMemberships, organizationsOwnedSolelyBy, removeOrganization } from "../../orgs/service/organizations.ts";
import { deleteOwnedRepositories } from "../../repos/service/delete.ts";
import { forgetAudience } from "../../repos/service/forget-account.ts";
import { removeUser } from "../../users/service/accounts.ts";

export interface DeleteUserDeps {
  readonly db: Db;
}

/**
 * An administrator deletes a user who owns nothing. Operation `adminDeleteUser`.
 * @throws ForgeError `invalid` while the user owns repositories or belongs to organizations
 */
export async function deleteUser({ db }: DeleteUserDeps, actor: UserActor, target: AccountSubject): Promise<void> {
  await db.tx(async (tx) => {
    await forgetAudience(tx, target.id);
    await removeUser(tx, actor, target);
  });
}

/**
 * Deletes a user with all he owns, in one transaction: his repositories, his memberships, and organizations that would have no owner
 * without him, theirs included.
 */
export async function purgeUser({ db }: DeleteUserDeps, actor: UserActor, target: AccountSubject): Promise<void> {
  await db.tx(async (tx) => {
    await deleteOwnedRepositories(tx, target.id, actor);
    for (const organization of await organizationsOwnedSolelyBy(tx, target.id)) {
      await deleteOwnedRepositories(tx, organization.id, actor);
      await removeOrganization(tx, organization, actor);
    }
    await endMemberships(tx, target.id);
    await forgetAudience(tx, target.id);
    await removeUser(tx, actor, target);
  });
}
