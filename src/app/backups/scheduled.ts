import type { Config } from "../../config/config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Db, Reader } from "../../db/db.ts";
import { readServerValue, writeServerValue } from "../../db/server-values.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { openPlace } from "./place.ts";
import { runOwnProgram } from "./run-program.ts";
import { listBackups } from "./store.ts";

/** The backups of the place in `backup.url`, as of the last look. */
export interface PlaceState {
  readonly newest: { readonly createdMs: number; readonly sizeBytes: number; readonly seconds: number } | null;
  readonly verifiedMs: number | null;
  /** The last scheduled backup, verification or deletion, if it failed. */
  readonly failure: { readonly failedMs: number; readonly reason: string } | null;
}

const stateName = "backup_state";
const hourMs = 3_600_000;
const maxReason = 500;

/** @returns undefined before the first look */
export async function readPlaceState(db: Reader): Promise<PlaceState | undefined> {
  const text = await readServerValue(db, stateName);
  return text === undefined ? undefined : (JSON.parse(text) as PlaceState);
}

/** The times of a setting like `03:00` or `hourly`. */
export function slotsOf(schedule: string): { readonly everyMs: number; readonly offsetMs: number } {
  if (schedule === "hourly") return { everyMs: hourMs, offsetMs: 0 };
  const [hours = 0, minutes = 0] = schedule.split(":").map(Number);
  return { everyMs: 24 * hourMs, offsetMs: hours * hourMs + minutes * 60_000 };
}

interface ScheduledDeps {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

/** Backs up as `backup.schedule` says, on one node, and looks at the place every hour. */
export function scheduleBackups(jobs: JobQueue, { config, db, clock, log }: ScheduledDeps): void {
  const { url, schedule } = config.backup;
  if (url === "") return;
  const look = async (failure: PlaceState["failure"] | undefined): Promise<PlaceState> => {
    const backups = await listBackups(openPlace(url, config));
    const [newest] = backups;
    const verified = backups.map((one) => Date.parse(one.verified ?? "")).filter(Number.isFinite);
    return {
      newest: newest === undefined ? null : { createdMs: Date.parse(newest.created), sizeBytes: newest.bytes, seconds: newest.seconds },
      verifiedMs: verified.length === 0 ? null : Math.max(...verified),
      failure: failure === undefined ? ((await readPlaceState(db))?.failure ?? null) : failure,
    };
  };
  jobs.schedule({ name: "look_at_backups", everyMs: hourMs }, async (run) => {
    const state = await look(undefined);
    await run.tx((tx) => writeServerValue(tx, stateName, JSON.stringify(state)));
  });
  if (schedule === "") return;
  jobs.schedule({ name: "back_up", ...slotsOf(schedule) }, async (run) => {
    let reason: string | undefined;
    for (const words of commandsOf(config)) {
      reason = await runOwnProgram(words, run.signal);
      // The next process of this database begins it again.
      if (run.signal.aborted) return;
      if (reason === undefined) continue;
      reason = `${words.slice(0, words[1] === url ? 1 : 2).join(" ")}: ${reason}`.slice(0, maxReason);
      log.error({ reason }, "the scheduled backup failed");
      break;
    }
    const failure = reason === undefined ? null : { failedMs: clock.now(), reason };
    // A place that cannot be reached keeps the last state.
    const state = await look(failure).catch(async () => ({ ...((await readPlaceState(db)) ?? { newest: null, verifiedMs: null }), failure }));
    await run.tx((tx) => writeServerValue(tx, stateName, JSON.stringify(state)));
  });
}

function commandsOf({ backup }: Config): readonly (readonly string[])[] {
  const { url, keep_daily, keep_weekly, keep_monthly, verify, identity_file } = backup;
  const keeps = ["--keep-daily", String(keep_daily), "--keep-weekly", String(keep_weekly), "--keep-monthly", String(keep_monthly)];
  const identity = identity_file === "" ? [] : ["--identity", identity_file];
  return [
    ["backup", url],
    ...(verify ? [["backup", "verify", url, ...identity]] : []),
    ...(keep_daily + keep_weekly + keep_monthly > 0 ? [["backup", "prune", url, ...keeps]] : []),
  ];
}
