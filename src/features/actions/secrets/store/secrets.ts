import type { SettingsOwner } from "../../../../access/settings-owner.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { ownerColumns, type SecretView } from "../model.ts";
import { ownedBy } from "./owned.ts";

/** The secrets of an owner by name. Two statements. */
export async function pageSecrets(db: Reader, owner: SettingsOwner, page: Page): Promise<Paged<SecretView>> {
  const query = db.sql.selectFrom("action_secrets").where(ownedBy(owner));
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query.select(["name", "description", "created_ms", "updated_ms"]).orderBy("name").limit(page.limit).offset(page.offset).execute();
  const items = rows.map(({ name, description, created_ms, updated_ms }) => ({ name, description, createdMs: created_ms, updatedMs: updated_ms }));
  return { items, total: Number(total) };
}

/** @returns whether the secret is new. At most two statements. */
export async function upsertSecret(
  tx: Tx,
  owner: SettingsOwner,
  { name, value, description }: { readonly name: string; readonly value: string; readonly description: string },
): Promise<boolean> {
  const updated = await tx.sql
    .updateTable("action_secrets")
    .set({ value, description, updated_ms: tx.nowMs })
    .where(ownedBy(owner))
    .where("name", "=", name)
    .executeTakeFirst();
  if (updated.numUpdatedRows > 0n) return false;
  await tx.sql
    .insertInto("action_secrets")
    .values({ ...ownerColumns(owner), name, value, description, created_ms: tx.nowMs, updated_ms: tx.nowMs })
    .execute();
  return true;
}

/** @returns false if there is none of this name */
export async function deleteSecret(tx: Tx, owner: SettingsOwner, name: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom("action_secrets").where(ownedBy(owner)).where("name", "=", name).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The sealed secrets of a repository and its owner, those of the repository last. One statement. */
export async function listSealed(
  db: Reader,
  repoId: number,
  ownerId: number,
): Promise<readonly { readonly isOfRepository: boolean; readonly name: string; readonly value: string }[]> {
  const rows = await db.sql
    .selectFrom("action_secrets")
    .select(["repo_id", "name", "value"])
    .where((eb) => eb.or([eb("repo_id", "=", repoId), eb("owner_id", "=", ownerId)]))
    .execute();
  const all = rows.map(({ repo_id, name, value }) => ({ isOfRepository: repo_id !== null, name, value }));
  return [...all.filter(({ isOfRepository }) => !isOfRepository), ...all.filter(({ isOfRepository }) => isOfRepository)];
}
