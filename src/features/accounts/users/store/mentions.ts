import type { Reader } from "../../../../db/db.ts";
import type { AccountsTable } from "../../../../db/tables/accounts.ts";

export interface MentionedAccount {
  readonly id: number;
  readonly nameFolded: string;
  readonly visibility: AccountsTable["visibility"];
}

/** The accounts with some names. One statement. */
export async function loadMentioned(db: Reader, foldedNames: readonly string[]): Promise<readonly MentionedAccount[]> {
  if (foldedNames.length === 0) return [];
  return db.sql.selectFrom("accounts").select(["id", "name_folded as nameFolded", "visibility"]).where("name_folded", "in", foldedNames).execute();
}
