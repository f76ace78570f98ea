import { Client } from "pg";
import type { TestDatabase } from "./databases.ts";

/** Executes a statement on a connection of its own. */
export async function administer(database: TestDatabase, statement: string): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Ends all connections of a database, as a restart of the server does. */
export const endOtherConnections = (database: TestDatabase): Promise<void> =>
  administer(database, "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
