import type { UserActor } from "../../../../access/actor.ts";
import type { Db } from "../../../../db/db.ts";
import { removeOrganization } from "../../../organizations/orgs/service/organizations.ts";
import { deleteOwnedRepositories } from "../../../repositories/repos/service/delete.ts";

/** Deletes an organization with all it owns, in one transaction. Nobody owns its repositories any more, so none can be restored. */
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
