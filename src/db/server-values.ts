import type { Db, Reader, Tx } from "./db.ts";

/**
 * A value that is created once and shared by all servers of a database. If several create it concurrently, one wins and all use its value.
 * @param make returns the value to store; it has to seal secrets itself
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

/** Replaces a value. */
export async function writeServerValue(tx: Tx, name: string, value: string): Promise<void> {
  await tx.sql
    .insertInto("server_values")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

export async function readServerValue(db: Reader, name: string): Promise<string | undefined> {
  return (await db.sql.selectFrom("server_values").select("value").where("name", "=", name).executeTakeFirst())?.value;
}

export async function deleteServerValue(tx: Tx, name: string): Promise<void> {
  await tx.sql.deleteFrom("server_values").where("name", "=", name).execute();
}
