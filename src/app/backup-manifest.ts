import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../config/config.ts";

/** Written last: a backup without it is incomplete. */
export const manifestName = "backup.json";
/** Exists while a backup is written, and names the data folder. A backup that was interrupted continues with the files that never change. */
export const incompleteName = "backup.incomplete";
export const formatVersion = 1;

/** The description of a backup. */
export interface Manifest {
  readonly format: number;
  /** Version of the program that wrote the backup. */
  readonly version: string;
  readonly created: string;
  /** `postgres`: a dump of an earlier version. */
  readonly database: "sqlite" | "postgres";
  /** Whether uploaded files are part of the backup. Earlier versions left out those in a bucket. */
  readonly hasUploads: boolean;
  /** False if a restore has to build the search indexes. */
  readonly hasSearchIndex?: boolean;
  /** Identifies the secret key of the server; absent in backups of earlier versions. */
  readonly keyId?: string;
  /** Size of all files, also of those that are linked to an earlier backup. */
  readonly bytes?: number;
  /** Duration of the backup. */
  readonly seconds?: number;
  /** When it was last restored and checked without problems. */
  readonly verified?: string;
}

/** @throws ConfigError if the folder is not a complete backup, or has a format of a later version */
export function readManifest(folder: string): Manifest {
  const path = join(folder, manifestName);
  if (!existsSync(path)) throw new ConfigError(`${folder} is not a complete backup: ${manifestName} is missing`);
  try {
    const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
    if (manifest.format === formatVersion) return manifest;
    throw new ConfigError(
      `${path} has format ${String(manifest.format)}, which this version of Hearth cannot read: restore it with version ${manifest.version}`,
    );
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
