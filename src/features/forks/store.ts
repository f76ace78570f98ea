import { sql } from "kysely";
import type { Reader, Tx } from "../../db/db.ts";

/** The name of an owner's fork of a repository. */
export async function findForkName(db: Reader, parentId: number, ownerId: number): Promise<string | undefined> {
  const row = await db.sql
    .selectFrom("repositories")
    .select("name")
    .where("fork_of", "=", parentId)
    .where("owner_id", "=", ownerId)
    .where("deleted_ms", "is", null)
    .executeTakeFirst();
  return row?.name;
}

/** What a fork takes over from its parent. */
export interface Origin {
  readonly description: string;
  /** Itself, or for being of an owner who hides. */
  readonly isPrivate: boolean;
  readonly licenses: readonly string[];
}

export async function findOrigin(db: Reader, id: number): Promise<Origin | undefined> {
  const row = await db.sql
    .selectFrom("repositories as r")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["r.description", "r.is_private", "r.licenses", "o.visibility"])
    .where("r.id", "=", id)
    .where("r.deleted_ms", "is", null)
    .executeTakeFirst();
  return (
    row && {
      description: row.description,
      isPrivate: row.is_private === 1 || row.visibility === "private",
      licenses: row.licenses === "" ? [] : row.licenses.split(","),
    }
  );
}

export interface CompletedFork {
  readonly id: number;
  readonly parentId: number;
  readonly branchesCount: number;
}

/** What follows from the content that a fork has from its parent, and that the parent has one fork more. */
export async function completeFork(tx: Tx, { id, parentId, branchesCount }: CompletedFork): Promise<void> {
  await tx.sql
    .updateTable("repositories")
    .set((eb) => ({
      is_empty: branchesCount === 0 ? 1 : 0,
      branches_count: branchesCount,
      language: eb.selectFrom("repositories as p").select("p.language").where("p.id", "=", parentId),
    }))
    .where("id", "=", id)
    .execute();
  await tx.sql
    .insertInto("repository_languages")
    .columns(["repo_id", "language", "bytes"])
    .expression((eb) =>
      eb
        .selectFrom("repository_languages")
        .select([sql<number>`cast(${id} as bigint)`.as("repo_id"), "language", "bytes"])
        .where("repo_id", "=", parentId),
    )
    .execute();
  await tx.sql
    .updateTable("repositories")
    .set((eb) => ({ forks_count: eb("forks_count", "+", 1) }))
    .where("id", "=", parentId)
    .execute();
}
