import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { systemClock } from "../core/clock.ts";
import type { Db } from "../db/db.ts";
import { checkIntegrity, findBlindSpot } from "../db/integrity.ts";
import { checkServer } from "../db/server-check.ts";
import { isTrial } from "../db/trial.ts";
import { checkAvatars, countUnsweptAvatars } from "../features/accounts/avatars/service/sweep.ts";
import { checkIssueCounts } from "../features/collaboration/issues/service/check.ts";
import { checkStores } from "../features/repositories/refs/service/check.ts";
import { countUnusedPackFiles } from "../features/repositories/refs/service/pack-files.ts";
import { namesOfStores } from "../features/repositories/repos/service/stores.ts";
import { checkFiles } from "../features/site/blobs/service/upkeep.ts";
import { checkGitVersion, gitWarning } from "../git/run/git-version.ts";
import { type FileStores, findDenied, openFileStores } from "../storage/open.ts";
import { describeStaleBackup } from "./backup-state.ts";
import { openPathsWarning, pathsOpenToOthers } from "./data-directory.ts";
import { openConfiguredDatabase } from "./database.ts";
import { createLog } from "./log.ts";
import { describeLogProblem } from "./log-shipping/status.ts";
import { openStores } from "./stores.ts";

/**
 * `hearth doctor`: checks the integrity of the data and changes nothing, apart from a small file that it stores in a bucket and deletes. A server may be running.
 * @returns the exit code: 1 when there are problems
 * @throws ConfigError when there is no database
 */
export async function doctor(config: Config, print: (text: string) => number): Promise<number> {
  const databaseFile = join(config.dataDirectory, "hearth.db");
  const isEmbedded = config.database.url === "";
  if (isEmbedded && !existsSync(databaseFile))
    throw new ConfigError(`there is no database in ${config.dataDirectory}: set HEARTH_DATA to the data folder of the server`);
  const version = await checkGitVersion(config.searchPath, config.git.binary);
  print(`${gitWarning(version) ?? `git ${version}`}\n`);
  // Before the database is opened, which creates further files.
  const openPaths = openPathsWarning(pathsOpenToOthers(config.dataDirectory));
  if (openPaths !== undefined) print(`${openPaths}\n`);
  const log = createLog("warn");
  const db = await openConfiguredDatabase(config, { log, role: "tool" });
  const fileStores = openFileStores(config);
  const { git, areShared } = await openStores(config, { db, fileStores, log, role: "tool" });
  try {
    let problems = 0;
    const say = (text: string): void => {
      problems += 1;
      print(`${text}\n`);
    };
    const server = await checkServer(db, systemClock);
    if (server !== undefined) print(`${server.version}\n`);
    for (const text of server?.problems ?? []) say(text);
    const blindSpot = await findBlindSpot(db);
    if (blindSpot !== undefined) print(`${blindSpot}\n`);
    if (await isTrial(db)) print("this server is in a trial after its import: mirrors and scheduled workflows wait until `hearth admin end-trial`\n");
    const stale = await describeStaleBackup(config, db, Date.now());
    if (stale !== undefined) say(stale);
    const behind = describeLogProblem(config);
    if (behind !== undefined) say(behind);
    for (const text of await checkIntegrity(db)) say(`database: ${text}`);
    for (const text of await checkIssueCounts({ db })) say(text);
    const denied = config.storage.url === "" ? undefined : await findDenied(fileStores);
    if (denied !== undefined) say(denied);
    const stores = await checkStores({ db, git }, async (storeId, text) => {
      const repository = (await namesOfStores(db, [storeId])).get(storeId);
      say(`store ${storeId}${repository === undefined ? "" : ` (${repository})`}: ${text}`);
    });
    const unused = areShared ? await countUnusedPackFiles({ db, ...fileStores }) : 0;
    if (unused > 0) say(`${unused} packs in the bucket belong to no repository; the daily sweep of a running server deletes them`);
    const files = await checkUploads(db, fileStores, say);
    print(
      problems === 0
        ? `ok: the database, ${stores} object stores and ${files} uploaded files\n`
        : `${problems} problems in the database, ${stores} object stores and ${files} uploaded files\n`,
    );
    return problems === 0 ? 0 : 1;
  } finally {
    await git.close();
    await db.close();
  }
}

/** Checks that every row has its complete file, and that no file is left without a row. @returns the number of files that rows refer to */
async function checkUploads(db: Db, { files, avatars }: FileStores, say: (text: string) => void): Promise<number> {
  const uploaded = await checkFiles({ db, files }, say);
  const pictures = await checkAvatars({ db, avatars }, (name, text) => say(`picture ${name}: ${text}`));
  const unused = await countUnsweptAvatars({ db, avatars });
  if (unused > 0) say(`pictures: ${unused} unused files should be deleted; the daily sweep of a running server deletes them`);
  return uploaded + pictures;
}
