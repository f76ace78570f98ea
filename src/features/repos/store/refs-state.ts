import type { Reader, Tx } from "../../../db/db.ts";

/** What a repository's row says about its refs. */
export interface RefsState {
  readonly storeId: number;
  readonly defaultBranch: string;
  readonly isEmpty: boolean;
  readonly branchesCount: number;
}

export async function findRefsState(db: Reader, repoId: number): Promise<RefsState | undefined> {
  const row = await db.sql
    .selectFrom("repositories")
    .select(["code_store_id", "default_branch", "is_empty", "branches_count"])
    .where("id", "=", repoId)
    .where("deleted_ms", "is", null)
    .executeTakeFirst();
  return row && { storeId: row.code_store_id, defaultBranch: row.default_branch, isEmpty: row.is_empty === 1, branchesCount: row.branches_count };
}

export async function updateRefsState(tx: Tx, repoId: number, state: Omit<RefsState, "storeId">): Promise<void> {
  await tx.sql
    .updateTable("repositories")
    .set({ default_branch: state.defaultBranch, is_empty: state.isEmpty ? 1 : 0, branches_count: state.branchesCount, updated_ms: tx.nowMs })
    .where("id", "=", repoId)
    .execute();
}
