import type { Reader, Tx } from "../../../../db/db.ts";

/** A user's viewed files of a pull request. */
export interface Viewing {
  readonly accountId: number;
  readonly issueId: number;
}

export async function listViewed(db: Reader, { accountId, issueId }: Viewing): Promise<readonly string[]> {
  const rows = await db.sql.selectFrom("viewed_files").select("file_key").where("account_id", "=", accountId).where("issue_id", "=", issueId).execute();
  return rows.map((row) => row.file_key);
}

export async function insertViewed(tx: Tx, { accountId, issueId }: Viewing, fileKey: string): Promise<void> {
  await tx.sql
    .insertInto("viewed_files")
    .values({ account_id: accountId, issue_id: issueId, file_key: fileKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteViewed(tx: Tx, { accountId, issueId }: Viewing, fileKey: string): Promise<void> {
  await tx.sql.deleteFrom("viewed_files").where("account_id", "=", accountId).where("issue_id", "=", issueId).where("file_key", "=", fileKey).execute();
}
