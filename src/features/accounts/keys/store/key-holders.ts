import type { DeployKeyGrant } from "../../../../access/actor.ts";
import type { Reader, Tx } from "../../../../db/db.ts";

export interface KeyRow {
  readonly accountId: number | null;
  readonly title: string;
}

export async function findKeyRow(db: Reader, id: number): Promise<KeyRow | undefined> {
  const row = await db.sql.selectFrom("public_keys").select(["account_id", "title"]).where("id", "=", id).executeTakeFirst();
  return row && { accountId: row.account_id, title: row.title };
}

/** A key's permissions by repository. */
export async function listGrants(db: Reader, keyId: number): Promise<ReadonlyMap<number, DeployKeyGrant>> {
  const rows = await db.sql.selectFrom("deploy_keys").select(["id", "repo_id", "title", "is_read_only"]).where("key_id", "=", keyId).orderBy("id").execute();
  return new Map(rows.map((row) => [row.repo_id, { deployKeyId: row.id, title: row.title, mode: row.is_read_only === 1 ? "read" : "write" }]));
}

export interface KeyUse {
  readonly keyId: number;
  /** The repository for which the key was used; its deploy key is updated too, if it has this one. */
  readonly repoId: number | undefined;
}

/** The time of the last recorded use; 0: never. */
export async function findLastUse(db: Reader, { keyId, repoId }: KeyUse): Promise<number> {
  const row = await db.sql
    .selectFrom("public_keys as k")
    .leftJoin("deploy_keys as d", (join) => join.onRef("d.key_id", "=", "k.id").on("d.repo_id", "=", repoId ?? 0))
    .select(["k.last_used_ms", "d.last_used_ms as there_ms"])
    .where("k.id", "=", keyId)
    .executeTakeFirst();
  return row === undefined ? 0 : Math.min(row.last_used_ms, row.there_ms ?? row.last_used_ms);
}

/** Updates the key and deploy key if they were last used before `beforeMs`. */
export async function touchKey(tx: Tx, { keyId, repoId }: KeyUse, beforeMs: number): Promise<void> {
  const last_used_ms = tx.nowMs;
  await tx.sql.updateTable("public_keys").set({ last_used_ms }).where("id", "=", keyId).where("last_used_ms", "<", beforeMs).execute();
  if (repoId === undefined) return;
  await tx.sql
    .updateTable("deploy_keys")
    .set({ last_used_ms })
    .where("key_id", "=", keyId)
    .where("repo_id", "=", repoId)
    .where("last_used_ms", "<", beforeMs)
    .execute();
}
