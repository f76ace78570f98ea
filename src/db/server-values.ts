import type { Db } from "./db.ts";

/**
 * A value that the servers of one database make once and then share. Of several that make it at once one wins, and all get that one's.
 * @param make secrets are sealed by it: the value is stored as it is given
 */
export async function loadOrCreateServerValue(db: Db, name: string, make: () => Promise<string>): Promise<string> {
  const kept = await db.sql.selectFrom("server_values").select("value").where("name", "=", name).executeTakeFirst();
  if (kept !== undefined) return kept.value;
  const made = await make();
  return db.tx(async (tx) => {
    await tx.sql
      .insertInto("server_values")
      .values({ name, value: made })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    const { value } = await tx.sql.selectFrom("server_values").select("value").where("name", "=", name).executeTakeFirstOrThrow();
    return value;
  });
}
