import type { Config } from "../../../../config/config.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Log } from "../../../../core/log.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import type { GitStores } from "../../../../git/stores.ts";
import type { WorkflowLanguage } from "../language/pool.ts";
import type { WorkflowReader } from "./files.ts";

export interface RunsDeps {
  readonly config: Config;
  readonly db: Db;
  readonly git: GitStores;
  readonly clock: Clock;
  readonly log: Log;
  readonly urls: Urls;
  readonly sealer: Sealer;
  readonly workflowLanguage: WorkflowLanguage;
  readonly workflowReader: WorkflowReader;
}
