import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { MetricSource } from "../http/metrics.ts";
import type { Manifest } from "./backup-manifest.ts";

/** The backups in the folder of `backup.folder`. */
export interface BackupState {
  /** The newest complete backup; undefined without one. */
  readonly newest: BackupDetails | undefined;
  /** When a backup was last restored and checked without problems; undefined if none was. */
  readonly verifiedMs: number | undefined;
  /** Whether there is no complete backup, or the newest one is older than `backup.max_age_hours`. */
  readonly isStale: boolean;
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
  };
}

const detailsOf = ({ created, bytes, seconds }: Manifest): BackupDetails => ({ createdMs: Date.parse(created), sizeBytes: bytes, seconds });

/** The problem of missing or old backups, in one line; undefined without a problem. */
export function describeStaleBackup(config: Pick<Config, "backup">, nowMs: number): string | undefined {
  const state = readBackupState(config, nowMs);
  if (state === undefined || !state.isStale) return undefined;
  const { folder, max_age_hours } = config.backup;
  if (state.newest === undefined) return `backups: there is no complete backup in ${folder}`;
  const hours = Math.floor((nowMs - state.newest.createdMs) / hourMs);
  return `backups: the newest one in ${folder} is ${hours} hours old; backup.max_age_hours is ${max_age_hours}`;
}

/** Gauges of the ages of backups; none without the setting. The value of a backup that does not exist is infinite, so alerts need no special case. */
export function backupMetrics(config: Pick<Config, "backup">, now: () => number): readonly MetricSource[] {
  if (config.backup.folder === "") return [];
  const age = (timeOf: (state: BackupState) => number | undefined) => (): number => {
    const state = readBackupState(config, now());
    const ms = state && timeOf(state);
    return ms === undefined ? Number.POSITIVE_INFINITY : (now() - ms) / 1_000;
  };
  return [
    { name: "hearth_backup_age_seconds", help: "Age of the newest complete backup.", kind: "gauge", read: age(({ newest }) => newest?.createdMs) },
    {
      name: "hearth_backup_verification_age_seconds",
      help: "Time since a backup was last verified.",
      kind: "gauge",
      read: age(({ verifiedMs }) => verifiedMs),
    },
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
