import type { Db, Tx } from "../../src/db/db.ts";

/** Rows of a table without references, for tests of transactions. */
export const write = (tx: Tx, name: string): Promise<unknown> => tx.sql.insertInto("server_values").values({ name, value: "" }).execute();
export const namesIn = async (db: Db): Promise<string[]> =>
  (await db.sql.selectFrom("server_values").select("name").orderBy("name").execute()).map(({ name }) => name);
