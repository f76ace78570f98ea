import type { Tx } from "../../../db/db.ts";

/** Gives a repository the picture of another one; the file is shared. One statement. */
export async function takeAvatar(tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> {
  await tx.sql
    .updateTable("repositories")
    .set((eb) => ({ avatar: eb.selectFrom("repositories as t").select("t.avatar").where("t.id", "=", fromRepoId) }))
    .where("id", "=", toRepoId)
    .execute();
}
