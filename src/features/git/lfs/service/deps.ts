import type { Config } from "../../../../config/config.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Log } from "../../../../core/log.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import type { FileStore } from "../../../../storage/files.ts";

export interface LfsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly urls: Urls;
  readonly sealer: Sealer;
  readonly config: Config;
  /** The store of the contents. */
  readonly files: FileStore;
}
