import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Reader } from "../../../../db/db.ts";
import { branchPrefix, shortName } from "../../../repositories/refs/model.ts";
import { listOwnBranches, listPushedBranches } from "../store.ts";

/** A branch that a user has pushed and not yet proposed. */
export interface RecentPush {
  readonly ownerName: string;
  readonly name: string;
  readonly branch: string;
  readonly pushedMs: number;
}

const recentMs = 6 * 3_600_000;
const maxShown = 3;

/**
 * Branches that a user has pushed in the last hours, to the repository or their fork of it, and that no pull request contains yet; newest first.
 * One statement.
 */
export async function findRecentPushes(
  deps: { readonly db: Reader; readonly clock: Clock },
  actor: UserActor,
  repository: RepositorySubject,
): Promise<readonly RecentPush[]> {
  const rows = await listPushedBranches(deps.db, {
    actorId: actor.id,
    repoId: repository.id,
    sinceMs: deps.clock.now() - recentMs,
    defaultRef: branchPrefix + repository.defaultBranch,
    limit: maxShown,
  });
  return rows.map(({ refName, ...row }) => ({ ...row, branch: shortName(refName) }));
}

/** Activities of the user that are read, so that the cost does not grow with their number. */
const readActivities = 2_000;
const maxOwn = 100;

/** Full names of the branches of a repository that a user has pushed recently, last push first. One statement. */
export const findOwnBranches = (deps: { readonly db: Reader }, actor: UserActor, repository: RepositorySubject): Promise<readonly string[]> =>
  listOwnBranches(deps.db, { actorId: actor.id, repoId: repository.id, read: readActivities, limit: maxOwn });
