import type { Reader } from "../../db/db.ts";

/** Asks the database for a row that may not be there: that it answers is the answer. */
export async function pingDatabase(db: Reader): Promise<void> {
  await db.sql.selectFrom("server_values").select("name").limit(1).execute();
}
