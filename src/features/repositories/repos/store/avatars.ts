import type { Tx } from "../../../../db/db.ts";

/** The pictures of a repository, by their columns. */
export type RepositoryPicture = "avatar" | "preview";

/** Sets a picture of a repository; empty: none. @returns the previous name; undefined if the repository is gone */
export async function replacePicture(tx: Tx, id: number, kind: RepositoryPicture, picture: string): Promise<string | undefined> {
  const row = await tx.sql.selectFrom("repositories").select(["avatar", "preview"]).where("id", "=", id).where("deleted_ms", "is", null).executeTakeFirst();
  if (row === undefined) return undefined;
  const former = row[kind];
  if (former !== picture)
    await tx.sql
      .updateTable("repositories")
      .set({ [kind]: picture, updated_ms: tx.nowMs })
      .where("id", "=", id)
      .execute();
  return former;
}

/** Gives a repository the avatar of another one; the file is shared. One statement. */
export async function copyAvatar(tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> {
  await tx.sql
    .updateTable("repositories")
    .set((eb) => ({ avatar: eb.selectFrom("repositories as t").select("t.avatar").where("t.id", "=", fromRepoId) }))
    .where("id", "=", toRepoId)
    .execute();
}
