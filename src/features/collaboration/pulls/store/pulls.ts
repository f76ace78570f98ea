import type { Updateable } from "kysely";
import type { Tx } from "../../../../db/db.ts";
import type { PullRequestsTable } from "../../../../db/tables/pulls.ts";
import type { PullRow } from "../model.ts";

export type NewPull = Pick<PullRow, "issueId" | "repoId" | "baseBranch" | "headBranch" | "headOid" | "flow" | "allowsMaintainerEdit"> & {
  readonly headRepoId: number;
};

export async function insertPull(tx: Tx, pull: NewPull): Promise<number> {
  const { id } = await tx.sql
    .insertInto("pull_requests")
    .values({
      issue_id: pull.issueId,
      repo_id: pull.repoId,
      base_branch: pull.baseBranch,
      head_repo_id: pull.headRepoId,
      head_branch: pull.headBranch,
      head_oid: pull.headOid,
      flow: pull.flow,
      allows_maintainer_edit: pull.allowsMaintainerEdit ? 1 : 0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updatePull(tx: Tx, id: number, changes: Updateable<PullRequestsTable>): Promise<void> {
  await tx.sql.updateTable("pull_requests").set(changes).where("id", "=", id).execute();
}
