import { sql } from "kysely";
import type { Tx } from "../../../../db/db.ts";
import { changedNow } from "../../../../db/update-time.ts";

/** Saves the original text of an issue that was never edited, as its first edit would. */
export async function saveFirstText(tx: Tx, issueId: number): Promise<void> {
  await tx.sql
    .insertInto("content_history")
    .columns(["issue_id", "comment_id", "editor_id", "content", "written_ms"])
    .expression((eb) =>
      eb
        .selectFrom("issues as i")
        .select(["i.id", sql<number | null>`cast(null as bigint)`.as("comment_id"), "i.poster_id", "i.content", "i.created_ms"])
        .where("i.id", "=", issueId)
        .where("i.content_version", "=", 0),
    )
    .execute();
}

/** Bumps the content version for a change other than of the text; the update time becomes now. */
export async function raiseContentVersion(tx: Tx, issueId: number): Promise<void> {
  await tx.sql
    .updateTable("issues")
    .set((eb) => ({ content_version: eb("content_version", "+", 1), ...changedNow(tx) }))
    .where("id", "=", issueId)
    .execute();
}
