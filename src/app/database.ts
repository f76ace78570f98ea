import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Db } from "../db/db.ts";
import { type OpenDatabaseOptions, openDatabase } from "../db/open.ts";

/** Opens the database that the configuration names. @throws ForgeError as `openDatabase` */
export const openConfiguredDatabase = (
  { database, dataDirectory }: Pick<Config, "database" | "dataDirectory">,
  options: Omit<OpenDatabaseOptions, "url" | "durability">,
): Promise<Db> =>
  openDatabase({
    ...options,
    url: database.url === "" ? join(dataDirectory, "hearth.db") : database.url,
    durability: database.durability === "full" ? "full" : "group",
  });
