import type { Reader, Tx } from "../../../db/db.ts";
import type { DraftView } from "./model.ts";

/** One statement. */
export async function loadDrafts(db: Reader, accountId: number, forms: readonly string[]): Promise<DraftView[]> {
  if (forms.length === 0) return [];
  const rows = await db.sql
    .selectFrom("drafts")
    .select(["form", "fields", "updated_ms"])
    .where("account_id", "=", accountId)
    .where("form", "in", forms)
    .orderBy("form")
    .execute();
  return rows.map((row) => ({ form: row.form, fields: JSON.parse(row.fields), updatedMs: row.updated_ms }));
}

export interface WrittenDraft {
  readonly accountId: number;
  readonly form: string;
  /** JSON. */
  readonly fields: string;
  readonly updatedMs: number;
}

export async function writeDraft(tx: Tx, { accountId, form, fields, updatedMs }: WrittenDraft): Promise<void> {
  await tx.sql
    .insertInto("drafts")
    .values({ account_id: accountId, form, fields, updated_ms: updatedMs })
    .onConflict((known) => known.columns(["account_id", "form"]).doUpdateSet({ fields, updated_ms: updatedMs }))
    .execute();
}

/** Deletes all but an account's newest drafts. */
export async function deleteBeyond(tx: Tx, accountId: number, kept: number): Promise<void> {
  await tx.sql
    .deleteFrom("drafts")
    .where("account_id", "=", accountId)
    .where("form", "in", (eb) =>
      eb
        .selectFrom("drafts as o")
        .select("o.form")
        .where("o.account_id", "=", accountId)
        .orderBy("o.updated_ms", "desc")
        .orderBy("o.form")
        .limit(1_000_000)
        .offset(kept),
    )
    .execute();
}

export async function deleteDraft(tx: Tx, accountId: number, form: string): Promise<void> {
  await tx.sql.deleteFrom("drafts").where("account_id", "=", accountId).where("form", "=", form).execute();
}

export async function deleteBefore(tx: Tx, beforeMs: number): Promise<void> {
  await tx.sql.deleteFrom("drafts").where("updated_ms", "<", beforeMs).execute();
}
