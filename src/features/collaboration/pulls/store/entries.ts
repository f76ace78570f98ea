import { sql } from "kysely";
import type { Tx } from "../../../../db/db.ts";

/** Adds the commits of a push to its timeline entry. */
export async function updatePushEntry(tx: Tx, issueId: number, headOid: string, content: string): Promise<void> {
  await tx.sql
    .updateTable("comments")
    .set({ content })
    .where("issue_id", "=", issueId)
    .where("kind", "=", "pull_push")
    .where(sql<boolean>`facts like ${`%"${headOid}"%`}`)
    .execute();
}
