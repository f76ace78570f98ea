import type { Tx } from "../../../../db/db.ts";

/** Sets the avatar of a repository; empty: none. @returns the previous name; undefined if the repository is gone */
export async function replaceAvatar(tx: Tx, id: number, avatar: string): Promise<string | undefined> {
  const former = await tx.sql.selectFrom("repositories").select("avatar").where("id", "=", id).where("deleted_ms", "is", null).executeTakeFirst();
  if (former === undefined) return undefined;
  if (former.avatar !== avatar) await tx.sql.updateTable("repositories").set({ avatar, updated_ms: tx.nowMs }).where("id", "=", id).execute();
  return former.avatar;
}

/** Gives a repository the avatar of another one; the file is shared. One statement. */
export async function copyAvatar(tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> {
  await tx.sql
    .updateTable("repositories")
    .set((eb) => ({ avatar: eb.selectFrom("repositories as t").select("t.avatar").where("t.id", "=", fromRepoId) }))
    .where("id", "=", toRepoId)
    .execute();
}
