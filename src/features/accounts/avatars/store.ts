import { sql } from "kysely";
import { anyOf } from "../../../db/any-of.ts";
import type { Reader } from "../../../db/db.ts";

/** The literal condition of the partial indexes; the database matches it by text. */
const isUploaded = (column: string) => sql<boolean>`${sql.ref(column)} <> ''`;

export async function isAccountAvatar(db: Reader, name: string): Promise<boolean> {
  const row = await db.sql.selectFrom("accounts").select("id").where("avatar", "=", name).where(isUploaded("avatar")).executeTakeFirst();
  return row !== undefined;
}

/** Whether a repository that is not deleted has this picture. */
export async function isRepositoryAvatar(db: Reader, name: string): Promise<boolean> {
  const query = db.sql.selectFrom("repositories").select("id").where("avatar", "=", name).where(isUploaded("avatar"));
  return (await query.where("deleted_ms", "is", null).executeTakeFirst()) !== undefined;
}

/** Those of the names that a row references: an account, or a repository whose deletion is not final. Two statements. */
export async function findUsedAvatars(db: Reader, names: readonly string[]): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const table of ["accounts", "repositories"] as const) {
    const rows = await db.sql
      .selectFrom(table)
      .select("avatar")
      .where((eb) => anyOf(db, eb.ref("avatar"), names))
      .where(isUploaded("avatar"))
      .execute();
    for (const { avatar } of rows) used.add(avatar);
  }
  return used;
}

/** Names of the pictures of accounts and repositories, ascending, after a given name. */
export async function listAvatars(db: Reader, after: string, limit: number): Promise<readonly string[]> {
  const namesIn = (table: "accounts" | "repositories") => db.sql.selectFrom(table).select("avatar").where("avatar", ">", after).where(isUploaded("avatar"));
  const rows = await namesIn("accounts").union(namesIn("repositories")).orderBy("avatar").limit(limit).execute();
  return rows.map(({ avatar }) => avatar);
}
