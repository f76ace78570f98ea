import { join } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { writeServerValue } from "../db/server-values.ts";
import { fetchPacks, forgetPacks, type MovePacksDeps, sharePacks } from "../features/repositories/refs/service/move-packs.ts";
import { outdateProjections } from "../features/repositories/refs/service/projection.ts";
import { createSharedPacks } from "../features/repositories/refs/service/shared-packs.ts";
import { openGitStores } from "../git/stores.ts";
import { copyFilesToService, openFileStores } from "../storage/open.ts";
import { makeDataDirectory } from "./data-directory.ts";
import { openConfiguredDatabase } from "./database.ts";
import { createLog } from "./log.ts";
import { placeOfPacks, readPlace } from "./stores.ts";

/**
 * `hearth storage move bucket|disk`: moves the repositories of a site to the database and the bucket, where several nodes share them, or back
 * to the data folder of one node. Nothing is deleted. An interrupted move is continued by the same command, and no server starts before
 * it is complete.
 * @returns the exit code
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function moveStorage(config: Config, to: string, print: (text: string) => number): Promise<number> {
  if (to !== "bucket" && to !== "disk") throw new ConfigError("usage: storage move bucket|disk");
  if (config.database.url === "")
    throw new ConfigError("an embedded database serves one node only: set HEARTH_DATABASE_URL to the PostgreSQL database of the site");
  const { packFiles } = openFileStores(config);
  if (packFiles === undefined) throw new ConfigError("set HEARTH_STORAGE_URL to the address of the bucket");
  makeDataDirectory(config.dataDirectory);
  const log = createLog("warn");
  const db = await openConfiguredDatabase(config, { log, role: "tool" });
  try {
    const presence = await db.join();
    try {
      if ((await presence.listRunning()).size > 1) throw new ConfigError("a server uses this database: stop all servers first");
      const place = await readPlace(db, { packFiles });
      if (place === to) return print(`the repositories are in the ${to === "bucket" ? "bucket" : "data folder"} already\n`);
      if (place !== `to-${to}` && place.startsWith("to-"))
        throw new ConfigError(`an earlier move is not complete: run \`hearth storage move ${place.slice("to-".length)}\` first`);
      await db.tx((tx) => writeServerValue(tx, placeOfPacks, `to-${to}`));
      const packs = createSharedPacks({ db, files: packFiles, log }, { role: "tool" });
      const { dataDirectory, searchPath, git: settings } = config;
      const git = await openGitStores({ root: join(dataDirectory, "repositories"), log, searchPath, program: settings.binary, packs });
      try {
        print(await (to === "bucket" ? moveToBucket(config, { db, git }) : moveToDisk({ db, git })));
      } finally {
        await git.close();
      }
      return 0;
    } finally {
      await presence.close();
    }
  } finally {
    await db.close();
  }
}

async function moveToBucket(config: Config, deps: MovePacksDeps): Promise<string> {
  const packs = await sharePacks(deps);
  const files = await copyFilesToService(config);
  await deps.db.tx((tx) => writeServerValue(tx, placeOfPacks, "bucket"));
  return `stored ${packs} packs, and copied ${files} uploaded files into the bucket; the data folder is unchanged\n`;
}

async function moveToDisk(deps: MovePacksDeps): Promise<string> {
  const stores = await fetchPacks(deps);
  await deps.db.tx(async (tx) => {
    await forgetPacks(tx);
    // The copies of refs in the directories are those of an earlier time.
    await outdateProjections(tx);
    await writeServerValue(tx, placeOfPacks, "disk");
  });
  return `fetched the packs of ${stores} repositories and wikis into the data folder; uploaded files stay in the bucket\n`;
}
