import { type RawBuilder, sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";

export interface SecondFactorRow {
  readonly sealedSecret: string;
  /** Null: pending. */
  readonly confirmedMs: number | null;
  readonly recoveryCodes: number;
}

export async function findSecondFactor(db: Reader, accountId: number): Promise<SecondFactorRow | undefined> {
  const row = await db.sql
    .selectFrom("second_factors as f")
    .select((eb) => [
      "f.sealed_secret",
      "f.confirmed_ms",
      eb
        .selectFrom("recovery_codes as c")
        .select((of) => of.fn.countAll<number>().as("total"))
        .whereRef("c.account_id", "=", "f.account_id")
        .as("codes"),
    ])
    .where("f.account_id", "=", accountId)
    .executeTakeFirst();
  return row && { sealedSecret: row.sealed_secret, confirmedMs: row.confirmed_ms, recoveryCodes: Number(row.codes) };
}

/** Those of the accounts that have a confirmed second factor. One statement. */
export async function listWithSecondFactor(db: Reader, accountIds: readonly number[]): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("second_factors as f")
    .select("f.account_id")
    .where("f.confirmed_ms", "is not", null)
    .where((eb) => anyOf(db, eb.ref("f.account_id"), accountIds))
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** 1 if an `accounts` row has a confirmed second factor. */
export const hasSecondFactor: RawBuilder<number> = sql<number>`(case when exists (
  select 1 from second_factors f where f.account_id = accounts.id and f.confirmed_ms is not null) then 1 else 0 end)`;

/** Stores a pending secret in place of another pending one. @returns false if one is already confirmed */
export async function insertPendingFactor(tx: Tx, accountId: number, sealedSecret: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.sql
    .insertInto("second_factors")
    .values({ account_id: accountId, sealed_secret: sealedSecret, created_ms: tx.nowMs, confirmed_ms: null })
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet({ sealed_secret: sealedSecret, created_ms: tx.nowMs }).where("second_factors.confirmed_ms", "is", null),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** @returns false unless this exact secret was pending */
export async function confirmFactor(tx: Tx, accountId: number, sealedSecret: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("second_factors")
    .set({ confirmed_ms: tx.nowMs, last_step: step })
    .where("account_id", "=", accountId)
    .where("sealed_secret", "=", sealedSecret)
    .where("confirmed_ms", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Consumes the code of a step. One statement: of several concurrent callers one gets true. */
export async function spendStep(tx: Tx, accountId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("account_id", "=", accountId)
    .where("last_step", "<", step)
    .where("confirmed_ms", "is not", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Consumes a recovery code, as {@link spendStep} does. */
export async function spendRecoveryCode(tx: Tx, accountId: number, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql
    .deleteFrom("recovery_codes")
    .where("account_id", "=", accountId)
    .where("code_hash", "=", codeHash)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Stored recovery codes of an account that were imported. */
export async function listImportedCodes(db: Reader, accountId: number): Promise<readonly string[]> {
  const rows = await db.sql
    .selectFrom("recovery_codes")
    .select("code_hash")
    .where("account_id", "=", accountId)
    .where("code_hash", "like", "pbkdf2$%")
    .execute();
  return rows.map(({ code_hash }) => code_hash);
}

/** Replaces all recovery codes. Throws a foreign key violation without a second factor. */
export async function replaceRecoveryCodes(tx: Tx, accountId: number, codeHashes: readonly string[]): Promise<void> {
  await tx.sql.deleteFrom("recovery_codes").where("account_id", "=", accountId).execute();
  await tx.sql
    .insertInto("recovery_codes")
    .values(codeHashes.map((hash) => ({ account_id: accountId, code_hash: hash })))
    .execute();
}

/** @returns whether one was in effect */
export async function deleteFactor(tx: Tx, accountId: number): Promise<boolean> {
  const deleted = await tx.sql.deleteFrom("second_factors").where("account_id", "=", accountId).returning("confirmed_ms").executeTakeFirst();
  return deleted !== undefined && deleted.confirmed_ms !== null;
}
