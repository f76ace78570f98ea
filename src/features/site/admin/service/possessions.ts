import type { UserActor } from "../../../../access/actor.ts";
import type { Reader } from "../../../../db/db.ts";
import { organizationsOwnedSolelyBy } from "../../../organizations/orgs/service/organizations.ts";
import { listOwnedRepositories } from "../../../repositories/repos/service/search.ts";
import type { Possessions } from "../model.ts";

const namedAtMost = 10;

/** The possessions that are deleted with a user, shown before the deletion. */
export async function listPossessions(deps: { readonly db: Reader }, actor: UserActor, accountId: number): Promise<Possessions> {
  const owned = await listOwnedRepositories(deps, actor, accountId, { page: 1, limit: namedAtMost, offset: 0 });
  const alone = await organizationsOwnedSolelyBy(deps.db, accountId);
  return {
    repositories: { names: owned.items.map(({ owner, name }) => `${owner.name}/${name}`), total: owned.total },
    organizations: { names: alone.slice(0, namedAtMost).map(({ name }) => name), total: alone.length },
  };
}
