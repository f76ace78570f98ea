import type { UserActor } from "../../../../access/actor.ts";
import type { Page } from "../../../../core/paging.ts";
import { type ListDeps, listOrganizationsOf } from "../../../organizations/orgs/service/lists.ts";
import { makeableAmong } from "./insert.ts";

const offered: Page = { page: 1, limit: 100, offset: 0 };

export interface NewOwners {
  /** The user's organizations, at most 100. */
  readonly organizations: readonly NewOwnerName[];
  /** The user, and those of the organizations in which they can create repositories. */
  readonly owners: readonly NewOwnerName[];
}

interface NewOwnerName {
  readonly id: number;
  readonly name: string;
}

/** The owners that forms for new repositories offer to a user. A constant number of statements. */
export async function listNewOwners(deps: ListDeps, actor: UserActor): Promise<NewOwners> {
  const organizations = (await listOrganizationsOf(deps, actor, actor.id, offered)).items;
  const makeable = await makeableAmong(
    deps.db,
    actor,
    organizations.map(({ id }) => id),
  );
  return { organizations, owners: [{ id: actor.id, name: actor.name }, ...organizations.filter(({ id }) => makeable.has(id))] };
}
