import type { UserActor } from "../../../../access/actor.ts";
import type { Db } from "../../../../db/db.ts";
import { removeOrganization } from "../../../organizations/orgs/service/organizations.ts";
import { deleteOwnedRepositories } from "../../../repositories/repos/service/delete.ts";

/** Deletes an organization with everything it owns, in one transaction. Its repositories cannot be restored, because they have no owner. */
export async function purgeOrganization(
  deps: { readonly db: Db },
  actor: UserActor,
  organization: { readonly id: number; readonly name: string },
): Promise<void> {
  await deps.db.tx(async (tx) => {
    await deleteOwnedRepositories(tx, organization.id, actor);
    await removeOrganization(tx, organization, actor);
  });
}
