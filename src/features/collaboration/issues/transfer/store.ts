import type { Reader, Tx } from "../../../../db/db.ts";
import { changedNow } from "../../../../db/update-time.ts";

export interface IssuePlacement {
  readonly repoId: number;
  readonly number: number;
  readonly milestoneId: number | null;
}

/**
 * Moves an issue with its comments, times and attachments to another repository, and keeps a redirect. Its labels and assignees must be removed
 * before. Six statements.
 * @returns undefined if another transaction has moved it; otherwise whether it has attachments
 */
export async function moveIssue(
  tx: Tx,
  issue: { readonly id: number; readonly repoId: number; readonly number: number },
  to: IssuePlacement,
): Promise<{ readonly hasAttachments: boolean } | undefined> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("issues")
    .set({ repo_id: to.repoId, number: to.number, milestone_id: to.milestoneId, pin_order: 0, ref: "", ...changedNow(tx) })
    .where("id", "=", issue.id)
    .where("repo_id", "=", issue.repoId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return undefined;
  await tx.sql.updateTable("comments").set({ repo_id: to.repoId }).where("issue_id", "=", issue.id).execute();
  await tx.sql.deleteFrom("issue_branches").where("issue_id", "=", issue.id).execute();
  await tx.sql.updateTable("tracked_times").set({ repo_id: to.repoId }).where("issue_id", "=", issue.id).execute();
  const attachments = await tx.sql.updateTable("attachments").set({ repo_id: to.repoId }).where("issue_id", "=", issue.id).executeTakeFirstOrThrow();
  await tx.sql.insertInto("issue_redirects").values({ repo_id: issue.repoId, number: issue.number, issue_id: issue.id }).execute();
  return { hasAttachments: attachments.numUpdatedRows > 0n };
}

/** The id of the issue that had a number of a repository. */
export async function findTransferred(db: Reader, repoId: number, number: number): Promise<number | undefined> {
  const row = await db.sql.selectFrom("issue_redirects").select("issue_id").where("repo_id", "=", repoId).where("number", "=", number).executeTakeFirst();
  return row?.issue_id;
}
