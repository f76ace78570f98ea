import type { ExpressionBuilder } from "kysely";
import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { Tables } from "../../../../db/tables.ts";
import { ownerColumns } from "../../secrets/model.ts";

const ownedBy = (owner: SettingsOwner) => (eb: ExpressionBuilder<Tables, "action_runner_tokens">) => {
  if (owner.scope === "repository") return eb("repo_id", "=", owner.repoId);
  if (owner.scope === "owner") return eb("owner_id", "=", owner.ownerId);
  return eb.and([eb("repo_id", "is", null), eb("owner_id", "is", null)]);
};

/** The sealed token that registers runners of an owner. */
export async function findActiveToken(db: Reader, owner: SettingsOwner): Promise<string | undefined> {
  const row = await db.sql
    .selectFrom("action_runner_tokens")
    .select("sealed")
    .where(ownedBy(owner))
    .where("is_active", "=", 1)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.sealed;
}

export async function insertToken(tx: Tx, owner: SettingsOwner, token: { readonly hash: string; readonly sealed: string }): Promise<void> {
  await tx.sql
    .insertInto("action_runner_tokens")
    .values({ ...ownerColumns(owner), token_hash: token.hash, sealed: token.sealed, is_active: 1, created_ms: tx.nowMs })
    .execute();
}

export async function deactivateTokens(tx: Tx, owner: SettingsOwner): Promise<void> {
  await tx.sql.updateTable("action_runner_tokens").set({ is_active: 0 }).where(ownedBy(owner)).where("is_active", "=", 1).execute();
}

/** The owner whose runners a token registers. */
export async function findTokenOwner(db: Reader, hash: string): Promise<SettingsOwner | undefined> {
  const row = await db.sql
    .selectFrom("action_runner_tokens as t")
    .leftJoin("repositories as r", "r.id", "t.repo_id")
    .leftJoin("accounts as a", (join) => join.on((eb) => eb("a.id", "=", eb.fn.coalesce("t.owner_id", "r.owner_id"))))
    .select(["t.repo_id", "t.owner_id", "r.name as repository", "a.name as account"])
    .where("t.token_hash", "=", hash)
    .where("t.is_active", "=", 1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.repo_id !== null) return { scope: "repository", repoId: row.repo_id, name: `${row.account}/${row.repository}` };
  return row.owner_id === null ? { scope: "server" } : { scope: "owner", ownerId: row.owner_id, name: row.account ?? "" };
}
