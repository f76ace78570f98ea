import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Db } from "../db/db.ts";
import { type OpenDatabaseOptions, openDatabase } from "../db/open.ts";

/** Opens the database that the configuration names. @throws ForgeError as `openDatabase` */
export const openConfiguredDatabase = (
  { database, dataDirectory }: Pick<Config, "database" | "dataDirectory">,
  options: Omit<OpenDatabaseOptions, "url" | "limits" | "durability">,
): Promise<Db> =>
  openDatabase({
    ...options,
    url: database.url === "" ? join(dataDirectory, "hearth.db") : database.url,
    limits: {
      poolSize: database.pool_size,
      connectTimeoutMs: database.connect_timeout_seconds * 1_000,
      statementTimeoutMs: database.statement_timeout_seconds * 1_000,
    },
    durability: database.durability === "full" ? "full" : "group",
  });
