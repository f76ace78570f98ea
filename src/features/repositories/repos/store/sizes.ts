import { sql } from "kysely";
import type { Reader, Tx } from "../../../../db/db.ts";

/** Updates the total size of a repository's files outside of git. */
export async function addToFilesBytes(tx: Tx, repoId: number, by: number): Promise<void> {
  await tx.sql
    .updateTable("repositories")
    .set((eb) => ({ files_bytes: eb("files_bytes", "+", by) }))
    .where("id", "=", repoId)
    .execute();
}

/** Recomputes totals that differ, because files are deleted with issues, comments and releases. One statement. @param repoId omitted for all */
export async function recountFilesBytes(tx: Tx, repoId?: number): Promise<void> {
  const actual = sql<number>`coalesce((select sum(o.size_bytes) from lfs_objects o where o.repo_id = repositories.id), 0) +
    coalesce((select sum(a.size_bytes) from attachments a where a.repo_id = repositories.id), 0) +
    coalesce((select sum(t.size_bytes) from action_artifacts t where t.repo_id = repositories.id), 0) +
    coalesce((select sum(c.size_bytes) from action_caches c where c.repo_id = repositories.id), 0)`;
  const update = tx.sql.updateTable("repositories").set({ files_bytes: actual }).where("files_bytes", "<>", actual);
  await (repoId === undefined ? update : update.where("id", "=", repoId)).execute();
}

/** Total size of an owner's repositories, including wikis and files. One statement. */
export async function sumOwnedBytes(db: Reader, ownerId: number): Promise<number> {
  const row = await db.sql
    .selectFrom("repositories as r")
    .innerJoin("git_stores as s", "s.id", "r.code_store_id")
    .leftJoin("git_stores as w", "w.id", "r.wiki_store_id")
    .select(sql<number>`coalesce(sum(s.size_bytes + coalesce(w.size_bytes, 0) + r.files_bytes), 0)`.as("total"))
    .where("r.owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}
