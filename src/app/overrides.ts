import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { StatementListener } from "../db/db.ts";
import type { ProjectorOptions } from "../features/repositories/refs/service/projector.ts";
import type { Spawner } from "../git/run/spawner.ts";

/** Replacements for tests. */
export interface Overrides {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly onStatement?: StatementListener;
  /** When refs are written to the directories of stores. */
  readonly projector?: ProjectorOptions;
  /** The result of an earlier `checkGitVersion` with the same settings. */
  readonly gitVersion?: string;
  /** Starts git. */
  readonly spawner?: Spawner;
  /** Hashes the password of the first administrator, or returns an earlier hash of it. */
  readonly hashPassword?: (password: string) => Promise<string>;
}
