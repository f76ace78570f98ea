import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Log } from "../core/log.ts";
import type { Db } from "../db/db.ts";
import { readServerValue, writeServerValue } from "../db/server-values.ts";
import { fetchPacks, forgetPacks } from "../features/repositories/refs/service/move-packs.ts";
import { outdateProjections } from "../features/repositories/refs/service/projection.ts";
import { createSharedPacks } from "../features/repositories/refs/service/shared-packs.ts";
import { openGitStores } from "../git/stores.ts";
import { openDiskFiles } from "../storage/disk.ts";
import { copyFilesToService } from "../storage/open.ts";
import { placeOfPacks } from "./stores.ts";

export interface RestoredPacks {
  readonly config: Config;
  readonly db: Db;
  readonly log: Log;
  /** The folder whose `packs` have the packs that were in a bucket. */
  readonly packs: string;
}

/**
 * Brings the packs of a site whose nodes shared them to where this server has them: into the bucket of the configuration, or into the data folder.
 * Does nothing for other sites. Can be repeated.
 */
export async function installSharedPacks({ config, db, log, packs: folder }: RestoredPacks): Promise<void> {
  if ((await readServerValue(db, placeOfPacks)) !== "bucket") return;
  const { dataDirectory, searchPath, git: settings, storage } = config;
  if (db.dialect === "postgres" && storage.url !== "") {
    if (existsSync(join(folder, "packs"))) await copyFilesToService({ dataDirectory: folder, storage }, ["packs"]);
    return;
  }
  const packs = createSharedPacks({ db, files: openDiskFiles(join(folder, "packs")), log }, { role: "tool" });
  const git = await openGitStores({ root: join(dataDirectory, "repositories"), log, searchPath, program: settings.binary, packs });
  try {
    await fetchPacks({ db, git });
  } finally {
    await git.close();
  }
  await db.tx(async (tx) => {
    await forgetPacks(tx);
    await outdateProjections(tx);
    await writeServerValue(tx, placeOfPacks, "disk");
  });
}
