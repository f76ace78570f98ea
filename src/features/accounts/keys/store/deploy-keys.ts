import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { DeployKeyView } from "../model.ts";

const deployKeys = (db: Reader, repoId: number) =>
  db.sql.selectFrom("deploy_keys as d").innerJoin("public_keys as k", "k.id", "d.key_id").where("d.repo_id", "=", repoId);
const columns = ["d.id", "d.key_id", "d.repo_id", "d.title", "k.content", "k.fingerprint", "d.is_read_only", "d.created_ms"] as const;

interface Row {
  readonly id: number;
  readonly key_id: number;
  readonly repo_id: number;
  readonly title: string;
  readonly content: string;
  readonly fingerprint: string;
  readonly is_read_only: number;
  readonly created_ms: number;
}

const toView = (row: Row): DeployKeyView => ({
  id: row.id,
  keyId: row.key_id,
  repoId: row.repo_id,
  title: row.title,
  content: row.content,
  fingerprint: row.fingerprint,
  isReadOnly: row.is_read_only === 1,
  createdMs: row.created_ms,
});

export interface DeployKeyFilter {
  readonly keyId: number | undefined;
  readonly fingerprint: string | undefined;
}

/** The deploy keys of a repository, oldest first. Two statements. */
export async function pageDeployKeys(db: Reader, repoId: number, filter: DeployKeyFilter, page: Page): Promise<Paged<DeployKeyView>> {
  let query = deployKeys(db, repoId);
  if (filter.keyId !== undefined) query = query.where("d.key_id", "=", filter.keyId);
  if (filter.fingerprint !== undefined) query = query.where("k.fingerprint", "=", filter.fingerprint);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query.select(columns).orderBy("d.id").limit(page.limit).offset(page.offset).execute();
  return { total: Number(total), items: rows.map(toView) };
}

export async function findDeployKey(db: Reader, repoId: number, id: number): Promise<DeployKeyView | undefined> {
  const row = await deployKeys(db, repoId).select(columns).where("d.id", "=", id).executeTakeFirst();
  return row && toView(row);
}

/** Throws a unique violation for a key or title that the repository already has. */
export async function insertDeployKey(
  tx: Tx,
  key: { readonly repoId: number; readonly keyId: number; readonly title: string; readonly isReadOnly: boolean },
): Promise<number> {
  const { id } = await tx.sql
    .insertInto("deploy_keys")
    .values({ repo_id: key.repoId, key_id: key.keyId, title: key.title, is_read_only: key.isReadOnly ? 1 : 0, created_ms: tx.nowMs })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Deletes a deploy key of one repository. */
export async function deleteDeployKey(tx: Tx, repoId: number, id: number): Promise<void> {
  await tx.sql.deleteFrom("deploy_keys").where("repo_id", "=", repoId).where("id", "=", id).execute();
}
