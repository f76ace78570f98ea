import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { titleOfPrincipal } from "../public-key.ts";

/** A principal of SSH certificates with the account that signs in by it. */
export interface PrincipalRow {
  readonly id: number;
  readonly name: string;
  readonly accountId: number;
  readonly accountName: string;
}

/** The accounts of some principals, in no order. One statement. */
export async function findPrincipals(db: Reader, names: readonly string[]): Promise<readonly PrincipalRow[]> {
  const rows = await db.sql
    .selectFrom("public_keys as k")
    .innerJoin("accounts as a", "a.id", "k.account_id")
    .select(["k.id", "k.content", "k.account_id", "a.name"])
    .where((eb) => anyOf(db, eb.ref("k.fingerprint"), names.map(titleOfPrincipal)))
    .where("k.account_id", "is not", null)
    .$narrowType<{ account_id: number }>()
    .execute();
  return rows.map((row) => ({ id: row.id, name: row.content, accountId: row.account_id, accountName: row.name }));
}

/** Throws a unique violation for a principal in use. */
export async function insertPrincipal(tx: Tx, accountId: number, name: string): Promise<number> {
  const { id } = await tx.sql
    .insertInto("public_keys")
    .values({ account_id: accountId, title: titleOfPrincipal(name), content: name, fingerprint: titleOfPrincipal(name), is_principal: 1, created_ms: tx.nowMs })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function deletePrincipal(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("public_keys").where("id", "=", id).where("is_principal", "=", 1).execute();
}
