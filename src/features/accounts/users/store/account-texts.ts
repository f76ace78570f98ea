import { sql } from "kysely";
import type { Tx } from "../../../../db/db.ts";

/** Adds all accounts to the index of names, which must be empty. Afterwards, triggers maintain it. */
export async function insertAccountTexts(tx: Tx): Promise<void> {
  const id = sql.ref(tx.dialect === "sqlite" ? "rowid" : "id");
  await sql`insert into account_texts (${id}, name, full_name, email)
    select a.id, a.name_folded, lower(a.full_name), lower(a.email) from accounts a`.execute(tx.sql);
}
