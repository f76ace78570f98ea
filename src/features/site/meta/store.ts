import type { Reader } from "../../../db/db.ts";

/** Selects a row that need not exist; any result shows that the database responds. */
export async function pingDatabase(db: Reader): Promise<void> {
  await db.sql.selectFrom("server_values").select("name").limit(1).execute();
}

/** Users who show themselves to everybody. */
export async function countPublicUsers(db: Reader): Promise<number> {
  const { total } = await db.sql
    .selectFrom("account_totals")
    .select((select) => select.fn.sum<number>("n").as("total"))
    .where("kind", "=", "user")
    .where("visibility", "=", "public")
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
}
