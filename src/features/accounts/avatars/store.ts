import { sql } from "kysely";
import { anyOf } from "../../../db/any-of.ts";
import type { Reader } from "../../../db/db.ts";

/** The literal condition of the partial indexes; the database matches it by text. */
const isUploaded = (column: string) => sql<boolean>`${sql.ref(column)} <> ''`;

export async function isAccountAvatar(db: Reader, name: string): Promise<boolean> {
  const row = await db.sql.selectFrom("accounts").select("id").where("avatar", "=", name).where(isUploaded("avatar")).executeTakeFirst();
  return row !== undefined;
}

/** Whether a repository that is not deleted has this avatar or image of link previews. */
export async function isRepositoryPicture(db: Reader, name: string): Promise<boolean> {
  for (const column of ["avatar", "preview"] as const) {
    const query = db.sql.selectFrom("repositories").select("id").where(column, "=", name).where(isUploaded(column));
    if ((await query.where("deleted_ms", "is", null).executeTakeFirst()) !== undefined) return true;
  }
  return false;
}

/** Those of the names that a row references: an account, or a repository whose deletion is not final. One statement. */
export async function findUsedAvatars(db: Reader, names: readonly string[]): Promise<ReadonlySet<string>> {
  const accounts = db.sql
    .selectFrom("accounts")
    .select("avatar as name")
    .where((eb) => anyOf(db, eb.ref("avatar"), names))
    .where(isUploaded("avatar"));
  const repositories = (column: "avatar" | "preview") =>
    db.sql
      .selectFrom("repositories")
      .select(`${column} as name`)
      .where((eb) => anyOf(db, eb.ref(column), names))
      .where(isUploaded(column));
  const rows = await accounts.unionAll(repositories("avatar")).unionAll(repositories("preview")).execute();
  return new Set(rows.map(({ name }) => name));
}

/** Names of the pictures of accounts and repositories, ascending, after a given name. */
export async function listAvatars(db: Reader, after: string, limit: number): Promise<readonly string[]> {
  const accounts = db.sql.selectFrom("accounts").select("avatar as name").where("avatar", ">", after).where(isUploaded("avatar"));
  const repositories = (column: "avatar" | "preview") =>
    db.sql.selectFrom("repositories").select(`${column} as name`).where(column, ">", after).where(isUploaded(column));
  const rows = await accounts.union(repositories("avatar")).union(repositories("preview")).orderBy("name").limit(limit).execute();
  return rows.map(({ name }) => name);
}
