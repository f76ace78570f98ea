import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Config, ConfigError } from "../../config/config.ts";
import { unavailable } from "../../core/errors.ts";
import { formatTime } from "../../core/time.ts";
import { chooseKept, type Retention } from "../backup-retention.ts";
import { doctor } from "../doctor.ts";
import { restore } from "../restore.ts";
import type { RestoreOptions } from "../restore-source.ts";
import { openPlace } from "./place.ts";
import { openPlacedBackup } from "./read.ts";
import { keys, listBackups, readBackup, withMark } from "./store.ts";
import { makeScratch, writeManifest } from "./write.ts";

const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

/** `hearth backup list URL`. @returns the exit code @throws ConfigError, ForgeError `unavailable` */
export async function listPlacedBackups(config: Config, url: string, print: (text: string) => number): Promise<number> {
  const backups = await listBackups(openPlace(url, config));
  for (const { name, created, bytes, addedBytes, seconds, recipients, verified } of backups) {
    const details = [
      created,
      `${mebibytes(bytes)}, ${mebibytes(addedBytes)} of them new`,
      `${seconds} s`,
      verified === undefined ? "not verified" : `verified ${verified}`,
    ];
    print(`${name}  ${[...details, ...(recipients.length > 0 ? ["encrypted"] : [])].join(", ")}\n`);
  }
  return print(`complete backups in ${url}: ${backups.length}\n`);
}

/**
 * `hearth backup verify URL`: restores a backup into a scratch folder of the data folder, with an embedded database, and checks the result. Records the
 * time of a check without problems.
 * @returns the exit code: 1 when there are problems
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function verifyPlacedBackup(config: Config, url: string, options: RestoreOptions, print: (text: string) => number): Promise<number> {
  const { backup } = await openPlacedBackup(config, url, options);
  const scratch = await makeScratch(config.dataDirectory, "verify-");
  try {
    const scratchConfig: Config = {
      ...config,
      dataDirectory: join(scratch, "data"),
      backup: { ...config.backup, folder: "", url: "" },
      database: { ...config.database, url: "" },
      storage: { ...config.storage, url: "" },
    };
    // The access to the bucket of the backups may be that of the storage.
    await restore(scratchConfig, url, { ...options, backup: backup.name }, () => 0);
    const code = await doctor(scratchConfig, print);
    if (code !== 0) return code;
    const place = openPlace(url, config);
    // A prune may have deleted it meanwhile.
    await writeManifest(place, { ...(await readBackup(place, backup.name)), verified: formatTime(Date.now()) });
    return print(`verified the backup ${backup.name}: it can be restored\n`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * `hearth backup prune URL`: deletes the backups that the retention does not keep, then the objects that no backup refers to, among them those of
 * interrupted backups.
 * @returns the exit code
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function prunePlacedBackups(config: Config, url: string, retention: Retention, print: (text: string) => number): Promise<number> {
  if (retention.daily + retention.weekly + retention.monthly === 0)
    throw new ConfigError("set at least one of --keep-daily, --keep-weekly and --keep-monthly to a number above 0");
  const place = openPlace(url, config);
  return withMark(place, "prune", async (requireMark) => {
    const backups = (await listBackups(place)).map((backup) => ({ ...backup, ms: Date.parse(backup.created) }));
    const kept = chooseKept(backups, retention);
    const needed = new Set<string>();
    for (const { name } of kept) {
      const references = await place.get(keys.references(name));
      if (references === undefined || references.length % 32 !== 0)
        throw unavailable(`the list of objects of the backup ${name} is missing or damaged: nothing was deleted; move or delete backups/${name}.json by hand`);
      for (let at = 0; at < references.length; at += 32) needed.add(references.toString("hex", at, at + 32));
    }
    for (const backup of backups.filter((one) => !kept.has(one))) {
      // Without its description a backup is incomplete.
      await place.delete(keys.manifest(backup.name));
      print(`deleted ${backup.name}\n`);
    }
    const names = new Set([...kept].map(({ name }) => name));
    for await (const { key } of place.list("backups/"))
      if (key.endsWith(".objects") && !names.has(key.slice("backups/".length, -".objects".length))) await place.delete(key);
    await requireMark();
    let deleted = 0;
    let bytes = 0;
    for await (const { key, sizeBytes } of place.list("objects/")) {
      if (needed.has(key.slice(key.lastIndexOf("/") + 1))) continue;
      await place.delete(key);
      deleted += 1;
      bytes += sizeBytes;
    }
    return print(`kept ${kept.size} of ${backups.length} backups in ${url}, and deleted ${deleted} objects (${mebibytes(bytes)})\n`);
  });
}
