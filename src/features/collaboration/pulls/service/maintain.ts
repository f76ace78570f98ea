import { atLeast } from "../../../../access/repository.ts";
import type { Reader } from "../../../../db/db.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { rightsOfUsers } from "../../../repositories/repos/service/user-rights.ts";

/**
 * Which of some users can currently write a repository. An author who allows maintainer edits grants maintainers their own access, while
 * they have it. Two statements, or none without users.
 */
export async function writersAmong(db: Reader, repoId: number, userIds: readonly (number | null)[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(userIds.flatMap((id) => id ?? []))];
  if (ids.length === 0) return new Set();
  const rights = await rightsOfUsers({ db }, repoId, [...(await loadUsers({ db }, ids)).values()]);
  return new Set(ids.filter((id) => atLeast(rights.get(id)?.unit("repo.code") ?? "none", "write")));
}
