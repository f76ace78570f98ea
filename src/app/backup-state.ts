import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import type { Reader } from "../db/db.ts";
import type { MetricSource } from "../http/metrics.ts";
import type { Manifest } from "./backup-manifest.ts";
import { type PlaceState, readPlaceState } from "./backups/scheduled.ts";

/** The backups in the folder of `backup.folder`, or in the place of `backup.url`. */
export interface BackupState {
  /** The newest complete backup; undefined without one. */
  readonly newest: BackupDetails | undefined;
  /** When a backup was last restored and checked without problems; undefined if none was. */
  readonly verifiedMs: number | undefined;
  /** Whether there is no complete backup, or the newest one is older than `backup.max_age_hours`. */
  readonly isStale: boolean;
  /** The last scheduled backup, verification or deletion, if it failed. */
  readonly failure: { readonly failedMs: number; readonly reason: string } | undefined;
}

export interface BackupDetails {
  readonly createdMs: number;
  /** Undefined for a backup of an earlier version. */
  readonly sizeBytes: number | undefined;
  readonly seconds: number | undefined;
}

const hourMs = 3_600_000;

/** Reads the manifests of all backups. @returns undefined without the setting `backup.folder` */
export function readBackupState({ backup: { folder, max_age_hours } }: Pick<Config, "backup">, nowMs: number): BackupState | undefined {
  if (folder === "") return undefined;
  const manifests = namesIn(folder).flatMap((name) => readIfComplete(join(folder, name, "backup.json")) ?? []);
  const [newest] = manifests.map(detailsOf).toSorted((one, other) => other.createdMs - one.createdMs);
  const verified = manifests.map((manifest) => Date.parse(manifest.verified ?? "")).filter(Number.isFinite);
  return {
    newest,
    verifiedMs: verified.length === 0 ? undefined : Math.max(...verified),
    isStale: newest === undefined || nowMs - newest.createdMs > max_age_hours * hourMs,
    failure: undefined,
  };
}

/** The same for the place of `backup.url`. @param state undefined before the first look, which is not a problem yet */
export function stateOfPlace({ backup: { max_age_hours } }: Pick<Config, "backup">, state: PlaceState | undefined, nowMs: number): BackupState | undefined {
  if (state === undefined) return undefined;
  return {
    newest: state.newest ?? undefined,
    verifiedMs: state.verifiedMs ?? undefined,
    isStale: state.newest === null || nowMs - state.newest.createdMs > max_age_hours * hourMs,
    failure: state.failure ?? undefined,
  };
}

/** The state of the backups for pages and metrics. */
export interface BackupWatch {
  /** Undefined if neither a folder nor a place is configured. */
  state(): BackupState | undefined;
  readonly isConfigured: boolean;
  stop(): void;
}

const renewMs = 60_000;

/** @param deps the state of a place is in the database, because one of the nodes looks at it */
export async function openBackupWatch({ config, db, clock }: { readonly config: Config; readonly db: Reader; readonly clock: Clock }): Promise<BackupWatch> {
  const { folder, url } = config.backup;
  if (url === "") return { state: () => readBackupState(config, clock.now()), isConfigured: folder !== "", stop: () => {} };
  let latest = await readPlaceState(db);
  const renew = async (): Promise<void> => {
    latest = await readPlaceState(db);
  };
  const timer = setInterval(() => void renew().catch(() => {}), renewMs);
  timer.unref();
  return { state: () => stateOfPlace(config, latest, clock.now()), isConfigured: true, stop: () => clearInterval(timer) };
}

const detailsOf = ({ created, bytes, seconds }: Manifest): BackupDetails => ({ createdMs: Date.parse(created), sizeBytes: bytes, seconds });

/** The problem of missing, old or failed backups, in one line; undefined without a problem. */
export async function describeStaleBackup(config: Pick<Config, "backup">, db: Reader | undefined, nowMs: number): Promise<string | undefined> {
  const { folder, url, max_age_hours } = config.backup;
  const isPlace = url !== "" && db !== undefined;
  const state = isPlace ? stateOfPlace(config, await readPlaceState(db), nowMs) : readBackupState(config, nowMs);
  if (state?.failure !== undefined) return `backups: the last scheduled one failed: ${state.failure.reason}`;
  if (state === undefined || !state.isStale) return undefined;
  const place = isPlace ? url : folder;
  if (state.newest === undefined) return `backups: there is no complete backup in ${place}`;
  const hours = Math.floor((nowMs - state.newest.createdMs) / hourMs);
  return `backups: the newest one in ${place} is ${hours} hours old; backup.max_age_hours is ${max_age_hours}`;
}

/** Gauges of the backups; none without the settings. The age of a backup that does not exist is infinite, so alerts need no special case. */
export function backupMetrics(watch: Pick<BackupWatch, "state" | "isConfigured">, now: () => number): readonly MetricSource[] {
  if (!watch.isConfigured) return [];
  const age = (timeOf: (state: BackupState) => number | undefined) => (): number => {
    const state = watch.state();
    const ms = state && timeOf(state);
    return ms === undefined ? Number.POSITIVE_INFINITY : (now() - ms) / 1_000;
  };
  const gauge = (name: string, help: string, read: () => number): MetricSource => ({ name, help, kind: "gauge", read });
  return [
    gauge(
      "hearth_backup_age_seconds",
      "Age of the newest complete backup.",
      age(({ newest }) => newest?.createdMs),
    ),
    gauge(
      "hearth_backup_verification_age_seconds",
      "Time since a backup was last verified.",
      age(({ verifiedMs }) => verifiedMs),
    ),
    gauge("hearth_backup_size_bytes", "Size of the newest complete backup.", () => watch.state()?.newest?.sizeBytes ?? 0),
    gauge("hearth_backup_duration_seconds", "Duration of the newest complete backup.", () => watch.state()?.newest?.seconds ?? 0),
    gauge("hearth_backup_failed", "1 if the last scheduled backup failed.", () => (watch.state()?.failure === undefined ? 0 : 1)),
  ];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith(".") ? entry.name : []));
  } catch {
    return [];
  }
}

/** Undefined for a folder that is not a complete backup. */
function readIfComplete(path: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
    return Number.isFinite(Date.parse(manifest.created)) ? manifest : undefined;
  } catch {
    return undefined;
  }
}
