import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { MergeStyle } from "../../../../db/tables/pulls.ts";
import type { Oid } from "../../../../git/types.ts";

/** An auto merge: waits for the rules of the base branch. */
export interface AutoMerge {
  readonly pullId: number;
  readonly accountId: number;
  readonly style: MergeStyle;
  readonly title: string;
  readonly message: string;
  readonly deletesBranch: boolean;
  readonly headOid: Oid;
}

/** @returns false if one already exists */
export async function insertAutoMerge(tx: Tx, merge: AutoMerge): Promise<boolean> {
  const row = await tx.sql
    .insertInto("pull_auto_merges")
    .values({
      pull_id: merge.pullId,
      account_id: merge.accountId,
      style: merge.style,
      title: merge.title,
      message: merge.message,
      deletes_branch: merge.deletesBranch ? 1 : 0,
      head_oid: merge.headOid,
      created_ms: tx.nowMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("pull_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns whether one existed */
export async function deleteAutoMerge(tx: Tx, pullId: number): Promise<boolean> {
  return (await tx.sql.deleteFrom("pull_auto_merges").where("pull_id", "=", pullId).returning("pull_id").executeTakeFirst()) !== undefined;
}

export async function findAutoMerge(db: Reader, pullId: number): Promise<AutoMerge | undefined> {
  const row = await db.sql.selectFrom("pull_auto_merges").selectAll().where("pull_id", "=", pullId).executeTakeFirst();
  return (
    row && {
      pullId: row.pull_id,
      accountId: row.account_id,
      style: row.style,
      title: row.title,
      message: row.message,
      deletesBranch: row.deletes_branch === 1,
      headOid: row.head_oid,
    }
  );
}

/** A pull request with an auto merge. */
export interface WaitingPull {
  readonly pullId: number;
  readonly repoId: number;
  readonly number: number;
}

const waiting = (db: Reader) =>
  db.sql
    .selectFrom("pull_auto_merges as w")
    .innerJoin("pull_requests as p", "p.id", "w.pull_id")
    .innerJoin("issues as i", "i.id", "p.issue_id")
    .select(["p.id as pullId", "p.repo_id as repoId", "i.number"])
    .where("i.is_closed", "=", 0)
    .orderBy("p.id");

const selectOfHead = compiled((db, given: Slots<{ repoId: number; headOid: Oid }>) =>
  waiting(db).where("p.repo_id", "=", given.repoId).where("p.head_oid", "=", given.headOid),
);

/** Open pull requests of a repository with an auto merge, for one head or all. Every commit status runs this query. */
export async function listWaiting(db: Reader, repoId: number, of: { readonly headOid?: Oid; readonly issueId?: number }): Promise<readonly WaitingPull[]> {
  if (of.headOid !== undefined) return selectOfHead(db, { repoId, headOid: of.headOid });
  const query = waiting(db).where("p.repo_id", "=", repoId);
  return (of.issueId === undefined ? query : query.where("p.issue_id", "=", of.issueId)).execute();
}
