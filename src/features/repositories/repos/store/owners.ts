import { sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import type { Tx } from "../../../../db/db.ts";

/** The state of a repository before it changed owners. */
export interface OwnedRepository {
  readonly ownerId: number;
  readonly ownerName: string;
  readonly name: string;
  readonly isPrivate: boolean;
}

/**
 * Changes the owner; the caller updates the new owner's counter. Teams of the former owner are removed, the given ones added.
 * Throws a unique violation if the new owner has a repository of the same name, or another fork of the same parent. Undefined if it was deleted.
 */
export async function changeOwner(tx: Tx, repoId: number, ownerId: number, teamIds: readonly number[]): Promise<OwnedRepository | undefined> {
  const former = await tx.sql
    .selectFrom("repositories as r")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["r.owner_id", "o.name as owner_name", "r.name", "r.is_private"])
    .where("r.id", "=", repoId)
    .where("r.deleted_ms", "is", null)
    .executeTakeFirst();
  if (former === undefined) return undefined;
  await tx.sql.updateTable("repositories").set({ owner_id: ownerId, updated_ms: tx.nowMs }).where("id", "=", repoId).execute();
  await tx.sql
    .updateTable("accounts")
    .set((eb) => ({ repos_count: eb("repos_count", "-", 1) }))
    .where("id", "=", former.owner_id)
    .execute();
  await tx.sql.deleteFrom("team_repositories").where("repo_id", "=", repoId).execute();
  await tx.sql.deleteFrom("repository_transfers").where("repo_id", "=", repoId).execute();
  await tx.sql
    .deleteFrom("issue_labels")
    .where("label_id", "in", (eb) => eb.selectFrom("labels").select("id").where("org_id", "=", former.owner_id))
    .where("issue_id", "in", (eb) => eb.selectFrom("issues").select("id").where("repo_id", "=", repoId))
    .execute();
  if (teamIds.length > 0) {
    await tx.sql
      .insertInto("team_repositories")
      .columns(["team_id", "repo_id"])
      .expression((eb) =>
        eb
          .selectFrom("teams")
          .select(["id", sql<number>`cast(${repoId} as bigint)`.as("repo_id")])
          .where("org_id", "=", ownerId)
          .where((team) => anyOf(tx, team.ref("id"), teamIds)),
      )
      .execute();
  }
  return { ownerId: former.owner_id, ownerName: former.owner_name, name: former.name, isPrivate: former.is_private === 1 };
}
