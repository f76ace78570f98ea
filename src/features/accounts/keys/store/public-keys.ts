import type { Selectable } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { PublicKeysTable } from "../../../../db/tables/accounts.ts";
import type { PublicKeyView } from "../model.ts";

type Row = Omit<Selectable<PublicKeysTable>, "id" | "account_id" | "is_principal"> & { readonly id: number; readonly account_id: number };

const toView = (row: Row): PublicKeyView => ({
  id: row.id,
  accountId: row.account_id,
  title: row.title,
  content: row.content,
  fingerprint: row.fingerprint,
  createdMs: row.created_ms,
  lastUsedMs: row.last_used_ms,
});

const columns = ["id", "account_id", "title", "content", "fingerprint", "created_ms", "last_used_ms"] as const;

/** A user's keys, oldest first. Two statements. */
export async function pageUserKeys(db: Reader, accountId: number, fingerprint: string | undefined, page: Page): Promise<Paged<PublicKeyView>> {
  let query = db.sql.selectFrom("public_keys").where("account_id", "=", accountId).where("is_principal", "=", 0);
  if (fingerprint !== undefined) query = query.where("fingerprint", "=", fingerprint);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query.select(columns).$narrowType<{ account_id: number }>().orderBy("id").limit(page.limit).offset(page.offset).execute();
  return { total: Number(total), items: rows.map(toView) };
}

/** A user's principals of SSH certificates, oldest first. One statement. */
export async function listPrincipals(db: Reader, accountId: number): Promise<readonly PublicKeyView[]> {
  const query = db.sql.selectFrom("public_keys").where("account_id", "=", accountId).where("is_principal", "=", 1);
  return (await query.select(columns).$narrowType<{ account_id: number }>().orderBy("id").execute()).map(toView);
}

/** All keys of a user as lines, oldest first. */
export async function listKeyLines(db: Reader, accountId: number): Promise<readonly string[]> {
  const query = db.sql.selectFrom("public_keys").where("account_id", "=", accountId).where("is_principal", "=", 0);
  const rows = await query.select("content").orderBy("id").execute();
  return rows.map((row) => row.content);
}

/** A user's key by id. */
export async function findUserKey(db: Reader, id: number): Promise<PublicKeyView | undefined> {
  const row = await db.sql
    .selectFrom("public_keys")
    .select(columns)
    .where("id", "=", id)
    .where("account_id", "is not", null)
    .where("is_principal", "=", 0)
    .$narrowType<{ account_id: number }>()
    .executeTakeFirst();
  return row && toView(row);
}

/** A key by fingerprint, of any owner. Without an account it is or was a deploy key. */
export async function findByFingerprint(
  db: Reader,
  fingerprint: string,
): Promise<{ readonly id: number; readonly accountId: number | null; readonly content: string } | undefined> {
  const row = await db.sql.selectFrom("public_keys").select(["id", "account_id", "content"]).where("fingerprint", "=", fingerprint).executeTakeFirst();
  return row && { id: row.id, accountId: row.account_id, content: row.content };
}

/** Throws a unique violation for a title or a key in use. */
export async function insertPublicKey(
  tx: Tx,
  key: { readonly accountId: number | null; readonly title: string; readonly content: string; readonly fingerprint: string },
): Promise<number> {
  const { id } = await tx.sql
    .insertInto("public_keys")
    .values({ account_id: key.accountId, title: key.title, content: key.content, fingerprint: key.fingerprint, created_ms: tx.nowMs })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function deleteUserKey(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("public_keys").where("id", "=", id).where("account_id", "is not", null).execute();
}

/**
 * Deletes a key that has neither an owner nor a repository. Deleted repositories do not count, although their rows may still exist.
 * @returns whether the key is gone
 */
export async function deleteUnusedKey(tx: Tx, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.sql
    .deleteFrom("public_keys")
    .where("id", "=", id)
    .where("account_id", "is", null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("deploy_keys as d")
            .innerJoin("repositories as r", "r.id", "d.repo_id")
            .select("d.id")
            .where("d.key_id", "=", id)
            .where("r.deleted_ms", "is", null),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
