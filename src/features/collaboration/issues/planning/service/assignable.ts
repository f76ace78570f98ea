import type { UserActor } from "../../../../../access/actor.ts";
import { atLeast } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { forbidden, invalid } from "../../../../../core/errors.ts";
import type { Reader } from "../../../../../db/db.ts";
import { loadUsers } from "../../../../accounts/users/service/accounts.ts";
import { blockersAmong } from "../../../../accounts/users/service/blocks.ts";
import { findUsersByNames } from "../../../../accounts/users/service/by-names.ts";
import { rightsOfUsers } from "../../../../repositories/repos/service/user-rights.ts";
import { unitOf } from "../../rights.ts";

/** Maximum number of assignees per issue. */
const maxAssignees = 50;

/** Which of some users the actor can assign to issues of a repository. Three statements. */
export async function assignableAmong(db: Reader, actorId: number, repoId: number, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (userIds.length === 0) return new Set();
  const users = [...(await loadUsers({ db }, userIds)).values()].filter(({ isActive, prohibitLogin }) => isActive && !prohibitLogin);
  const rights = await rightsOfUsers({ db }, repoId, users);
  const blockers = new Set(await blockersAmong({ db }, userIds, actorId));
  const mayWork = ({ id }: { readonly id: number }): boolean =>
    !blockers.has(id) && [true, false].every((isPull) => atLeast(rights.get(id)?.unit(unitOf({ isPull })) ?? "none", "read"));
  return new Set(users.filter(mayWork).map(({ id }) => id));
}

/**
 * Users by name who can be assigned to an issue of the repository, which requires read access. Three statements for any number of names.
 * @throws ForgeError `invalid` for an unknown name and for a user who cannot see the issue, `forbidden` if one of the user and the caller
 * blocks the other
 */
export async function requireAssignees(
  db: Reader,
  actor: UserActor,
  repository: RepositorySubject,
  issue: { readonly isPull: boolean },
  names: readonly string[],
): Promise<readonly number[]> {
  if (names.length === 0) return [];
  if (names.length > maxAssignees)
    throw invalid(`[Assignees]: an issue can have at most ${maxAssignees} assignees`, { reason: { code: "too_many_items", max: maxAssignees } });
  const byName = await findUsersByNames({ db }, names);
  const users = names.map((name) => {
    const user = byName(name);
    if (user === undefined) throw invalid(`Assignee does not exist: [name: user does not exist [uid: 0, name: ${name}]]`, { reason: "user_not_found" });
    return user;
  });
  const rights = await rightsOfUsers({ db }, repository.id, users);
  for (const user of users) {
    const right = rights.get(user.id);
    if (right === undefined || !atLeast(right.unit(unitOf(issue)), "read") || !user.isActive || user.prohibitLogin) {
      throw invalid(`user doesn't have access to repo [user_id: ${user.id}, repo_name: ${repository.name}]`, { reason: "assignee_without_access" });
    }
  }
  const ids = [...new Set(users.map(({ id }) => id))];
  const blockers = await blockersAmong({ db }, ids, actor.id);
  if (blockers.length > 0) throw forbidden("user is blocked", { reason: "user_blocked" });
  return ids;
}
