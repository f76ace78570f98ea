import type { Tx } from "../../../../db/db.ts";
import type { Oid } from "../../../../git/types.ts";
import type { PullMerge } from "../model.ts";

export interface ImportedPullRow {
  readonly issueId: number;
  readonly repoId: number;
  readonly baseBranch: string;
  /** Null: the head is in a repository that was not imported. */
  readonly headRepoId: number | null;
  readonly headBranch: string;
  readonly headOid: Oid;
  readonly allowsMaintainerEdit: boolean;
  readonly merged: Omit<PullMerge, "mergerId"> | null;
}

/** Imported pull requests, without author and merger accounts. */
export async function insertImportedPulls(tx: Tx, rows: readonly ImportedPullRow[]): Promise<void> {
  await tx.sql
    .insertInto("pull_requests")
    .values(
      rows.map(({ merged, ...row }) => ({
        issue_id: row.issueId,
        repo_id: row.repoId,
        base_branch: row.baseBranch,
        head_repo_id: row.headRepoId,
        head_branch: row.headBranch,
        head_oid: row.headOid,
        flow: "branch" as const,
        allows_maintainer_edit: row.allowsMaintainerEdit ? 1 : 0,
        merged_merge_base_oid: merged?.mergeBaseOid ?? null,
        merged_base_oid: merged?.baseOid ?? null,
        merged_ms: merged?.mergedMs ?? null,
        merge_style: merged?.style ?? null,
        merge_commit_oid: merged?.commitOid ?? null,
      })),
    )
    .execute();
}

/** Sets the repository of a head that was imported after its pull request. */
export async function setHeadRepository(tx: Tx, pullId: number, headRepoId: number): Promise<void> {
  await tx.sql.updateTable("pull_requests").set({ head_repo_id: headRepoId }).where("id", "=", pullId).execute();
}
