import type { Reader, Tx } from "../../../../db/db.ts";
import type { Triggers } from "../language/workflow.ts";
import type { WorkflowRow } from "../model.ts";

export async function listWorkflows(db: Reader, repoId: number): Promise<readonly WorkflowRow[]> {
  const rows = await db.sql.selectFrom("action_workflows").selectAll().where("repo_id", "=", repoId).orderBy("file").execute();
  return rows.map((row) => ({
    id: row.id,
    repoId: row.repo_id,
    file: row.file,
    path: row.path,
    name: row.name,
    oid: row.oid,
    triggers: row.triggers === null ? null : (JSON.parse(row.triggers) as Triggers),
    isDisabled: row.is_disabled === 1,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  }));
}

export interface PresentWorkflow {
  readonly file: string;
  readonly path: string;
  readonly name: string;
  readonly oid: string;
  readonly triggers: Triggers | null;
}

/** Replaces the list of the workflows on the default branch. Disabled ones that are gone are kept, so that they are disabled if they return. */
export async function replaceWorkflows(tx: Tx, repoId: number, present: readonly PresentWorkflow[]): Promise<void> {
  const files = present.map(({ file }) => file);
  let gone = tx.sql.deleteFrom("action_workflows").where("repo_id", "=", repoId).where("is_disabled", "=", 0);
  let missing = tx.sql.updateTable("action_workflows").set({ oid: null }).where("repo_id", "=", repoId).where("is_disabled", "=", 1);
  if (files.length > 0) {
    gone = gone.where("file", "not in", files);
    missing = missing.where("file", "not in", files);
  }
  await gone.execute();
  await missing.execute();
  for (const { file, path, name, oid, triggers } of present) {
    const values = { path, name, oid, triggers: triggers === null ? null : JSON.stringify(triggers), updated_ms: tx.nowMs };
    await tx.sql
      .insertInto("action_workflows")
      .values({ ...values, repo_id: repoId, file, created_ms: tx.nowMs })
      .onConflict((conflict) => conflict.columns(["repo_id", "file"]).doUpdateSet(values))
      .execute();
  }
}

export async function setDisabled(tx: Tx, repoId: number, file: string, isDisabled: boolean): Promise<void> {
  await tx.sql
    .updateTable("action_workflows")
    .set({ is_disabled: isDisabled ? 1 : 0, updated_ms: tx.nowMs })
    .where("repo_id", "=", repoId)
    .where("file", "=", file)
    .execute();
}

/** Repositories with workflows that start by time. */
export async function listScheduled(db: Reader): Promise<readonly { readonly repoId: number; readonly file: string; readonly triggers: Triggers }[]> {
  const rows = await db.sql
    .selectFrom("action_workflows as w")
    .innerJoin("repositories as r", "r.id", "w.repo_id")
    .select(["w.repo_id", "w.file", "w.triggers"])
    .where("w.triggers", "like", '%"schedule":%')
    .where("w.oid", "is not", null)
    .where("w.is_disabled", "=", 0)
    .where("r.deleted_ms", "is", null)
    .where("r.is_archived", "=", 0)
    .execute();
  return rows.map(({ repo_id, file, triggers }) => ({ repoId: repo_id, file, triggers: JSON.parse(triggers ?? "{}") as Triggers }));
}
