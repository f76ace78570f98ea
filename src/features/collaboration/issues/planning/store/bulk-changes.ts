import type { Reader, Tx } from "../../../../../db/db.ts";
import type { IssueDifference } from "../differences.ts";

/** Keeps a change of several issues, in place of the former one of the user in the repository. */
export async function keepBulkChange(tx: Tx, accountId: number, repoId: number, differences: readonly IssueDifference[]): Promise<void> {
  const changes = JSON.stringify(differences);
  await tx.sql
    .insertInto("bulk_changes")
    .values({ account_id: accountId, repo_id: repoId, changes, created_ms: tx.nowMs })
    .onConflict((known) => known.columns(["account_id", "repo_id"]).doUpdateSet({ changes, created_ms: tx.nowMs }))
    .execute();
}

/** The last change of a user to several issues of a repository; undefined for none. One statement. */
export async function findBulkChange(db: Reader, accountId: number, repoId: number): Promise<readonly IssueDifference[] | undefined> {
  const row = await db.sql.selectFrom("bulk_changes").select("changes").where("account_id", "=", accountId).where("repo_id", "=", repoId).executeTakeFirst();
  return row && (JSON.parse(row.changes) as readonly IssueDifference[]);
}

export async function deleteBulkChange(tx: Tx, accountId: number, repoId: number): Promise<void> {
  await tx.sql.deleteFrom("bulk_changes").where("account_id", "=", accountId).where("repo_id", "=", repoId).execute();
}
