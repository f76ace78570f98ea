import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { loadUsersInOrder } from "../../../accounts/users/service/accounts.ts";
import { listMemberIdsOfTeams } from "../store/members.ts";

/** Maximum number of members notified at once. */
const maxMembers = 200;

/**
 * The members of teams mentioned in a text of a repository. Only teams of the owning organization count, and only if the author is a
 * member and can see them. Two statements.
 */
export async function usersOfTeams(
  deps: { readonly db: Reader },
  author: UserActor,
  repository: Pick<RepositorySubject, "ownerId" | "ownerName" | "ownerKind">,
  teams: readonly { readonly organization: string; readonly team: string }[],
): Promise<readonly UserView[]> {
  if (repository.ownerKind !== "organization") return [];
  const names = teams.filter(({ organization }) => organization.toLowerCase() === repository.ownerName.toLowerCase()).map(({ team }) => team);
  if (names.length === 0) return [];
  return loadUsersInOrder(deps, await listMemberIdsOfTeams(deps.db, { orgId: repository.ownerId, names, knownTo: author.id }, maxMembers));
}
