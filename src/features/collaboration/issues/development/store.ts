import { sql } from "kysely";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { branchPrefix } from "../../../repositories/refs/model.ts";

/** Maximum number of branches, and of linked issues or pull requests, that are listed. */
const maxListed = 20;

const existing = compiled((db, given: Slots<{ issueId: number; storeId: number }>) =>
  db.sql
    .selectFrom("issue_branches as b")
    .innerJoin("refs as r", (join) => join.on("r.store_id", "=", given.storeId).on(sql<boolean>`r.name = ${branchPrefix} || b.branch`))
    .select("b.branch")
    .where("b.issue_id", "=", given.issueId)
    .orderBy("b.created_ms")
    .orderBy("b.branch")
    .limit(maxListed),
);

/** Existing branches that are linked to an issue, in the store of its repository. */
export const listBranchesOf = async (db: Reader, issueId: number, storeId: number): Promise<readonly string[]> =>
  (await existing(db, { issueId, storeId })).map(({ branch }) => branch);

/** Numbers of open issues that a branch is linked to. */
export async function listIssuesOfBranch(db: Reader, repoId: number, branch: string): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("issue_branches as b")
    .innerJoin("issues as i", "i.id", "b.issue_id")
    .select("i.number")
    .where("b.repo_id", "=", repoId)
    .where("b.branch", "=", branch)
    .where("i.is_closed", "=", 0)
    .orderBy("i.number")
    .limit(maxListed)
    .execute();
  return rows.map(({ number }) => number);
}

/** Links a branch to an issue; repeating it has no effect. */
export async function insertIssueBranch(tx: Tx, issue: { readonly id: number; readonly repoId: number }, branch: string): Promise<void> {
  await tx.sql
    .insertInto("issue_branches")
    .values({ issue_id: issue.id, repo_id: issue.repoId, branch, created_ms: tx.nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteIssueBranch(tx: Tx, issueId: number, branch: string): Promise<void> {
  await tx.sql.deleteFrom("issue_branches").where("issue_id", "=", issueId).where("branch", "=", branch).execute();
}

/** Follows the rename of a branch. A deleted branch with the new name may have belonged to the same issues. */
export async function renameIssueBranch(tx: Tx, repoId: number, from: string, to: string): Promise<void> {
  const renamed = tx.sql.selectFrom("issue_branches as old").select("old.issue_id").where("old.repo_id", "=", repoId).where("old.branch", "=", from);
  await tx.sql.deleteFrom("issue_branches").where("repo_id", "=", repoId).where("branch", "=", to).where("issue_id", "in", renamed).execute();
  await tx.sql.updateTable("issue_branches").set({ branch: to }).where("repo_id", "=", repoId).where("branch", "=", from).execute();
}

/** Ids of other issues and pull requests, in the order in which they were connected. They can be in any repository, also in a deleted one. */
export interface Connections {
  readonly dependencies: readonly number[];
  /** Those that depend on the issue. */
  readonly blocks: readonly number[];
  /** Pull requests whose texts close the issue, or issues that the texts of the pull request close. */
  readonly linked: readonly number[];
}

/** One statement. */
export async function listConnections(db: Reader, { id, isPull }: { readonly id: number; readonly isPull: boolean }): Promise<Connections> {
  const closes = db.sql
    .selectFrom("comments as c")
    .innerJoin("issues as i", "i.id", isPull ? "c.issue_id" : "c.ref_issue_id")
    .select(["i.id", sql<string>`'linked'`.as("side"), sql<number>`min(c.id)`.as("position")])
    .where(isPull ? "c.ref_issue_id" : "c.issue_id", "=", id)
    .where("c.payload", "like", '%"refAction":"closes"%')
    .where("i.is_pull", "=", isPull ? 0 : 1)
    .groupBy("i.id");
  const rows = await db.sql
    .selectFrom("issue_dependencies as d")
    .select([
      sql<number>`case when d.issue_id = ${id} then d.dependency_id else d.issue_id end`.as("id"),
      sql<string>`case when d.issue_id = ${id} then 'dependencies' else 'blocks' end`.as("side"),
      "d.created_ms as position",
    ])
    .where((eb) => eb.or([eb("d.issue_id", "=", id), eb("d.dependency_id", "=", id)]))
    .unionAll(closes)
    .execute();
  rows.sort((a, b) => a.position - b.position || a.id - b.id);
  const of = (side: string): number[] => rows.filter((row) => row.side === side).map((row) => row.id);
  return { dependencies: of("dependencies"), blocks: of("blocks"), linked: of("linked").slice(0, maxListed) };
}
