import { sql } from "kysely";
import type { Tx } from "../../../../../db/db.ts";

/** Names the commits of a push in its timeline entry. If the same head was pushed several times, this is the newest push. */
export async function updatePushEntry(tx: Tx, issueId: number, headOid: string, content: string): Promise<void> {
  await tx.sql
    .updateTable("comments")
    .set({ content })
    .where("id", "=", (eb) =>
      eb
        .selectFrom("comments as pushes")
        .select((inner) => inner.fn.max("pushes.id").as("id"))
        .where("pushes.issue_id", "=", issueId)
        .where("pushes.kind", "=", "pull_push")
        .where(sql<boolean>`pushes.payload like ${`%"${headOid}"%`}`),
    )
    .execute();
}

/** Deletes the timeline entries of all pushes. */
export async function deletePushEntries(tx: Tx, issueId: number): Promise<void> {
  await tx.sql.deleteFrom("comments").where("issue_id", "=", issueId).where("kind", "=", "pull_push").execute();
}
