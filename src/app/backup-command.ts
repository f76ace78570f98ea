import { constants, setPriority } from "node:os";
import { type Config, ConfigError } from "../config/config.ts";
import type { Retention } from "./backup-retention.ts";
import { isPlaceUrl } from "./backups/place.ts";

/** Options of `hearth backup` and its subcommands, as typed. */
export type TypedBackupOptions = Partial<Record<"base" | "keep-daily" | "keep-weekly" | "keep-monthly" | "backup" | "identity", string>> & {
  readonly "no-check"?: boolean;
  readonly recipient?: readonly string[];
};

type Option = keyof TypedBackupOptions;
type Subcommand = "backup" | "verify" | "prune" | "list";

const keeping: readonly Option[] = ["keep-daily", "keep-weekly", "keep-monthly"];
/** By the kind of the target. */
const optionsOf: Readonly<Record<"folder" | "place", Readonly<Record<Subcommand, readonly Option[]>>>> = {
  folder: { backup: ["base", "no-check"], verify: [], prune: keeping, list: [] },
  place: { backup: ["recipient"], verify: ["backup", "identity"], prune: keeping, list: [] },
};

/**
 * Runs `backup FOLDER|URL`, `backup verify FOLDER|URL`, `backup prune FOLDER|URL` or `backup list URL`.
 * @returns the exit code
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function runBackupCommand(
  config: Config,
  [first, second]: readonly string[],
  typed: TypedBackupOptions,
  print: (text: string) => number,
): Promise<number> {
  const subcommand = first === "verify" || first === "prune" || first === "list" ? first : "backup";
  const target = subcommand === "backup" ? first : second;
  const name = subcommand === "backup" ? "backup" : `backup ${subcommand}`;
  if (target === undefined) throw new ConfigError(`usage: ${name} ${subcommand === "list" ? "URL" : "FOLDER or URL"}`);
  const kind = isPlaceUrl(target) ? "place" : "folder";
  const wrong = (Object.keys(typed) as Option[]).find((option) => !optionsOf[kind][subcommand].includes(option));
  if (wrong !== undefined) {
    const isOfOther = optionsOf[kind === "place" ? "folder" : "place"][subcommand].includes(wrong);
    const place = kind === "place" ? "a bucket or file:// address" : "a folder";
    throw new ConfigError(isOfOther ? `--${wrong} is not an option for ${place}` : `--${wrong} is not an option of \`hearth ${name}\``);
  }
  // The server has to answer meanwhile.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  return kind === "place" ? runOnPlace(config, subcommand, target, typed, print) : runOnFolder(config, subcommand, target, typed, print);
}

async function runOnFolder(
  config: Config,
  subcommand: Subcommand,
  folder: string,
  typed: TypedBackupOptions,
  print: (text: string) => number,
): Promise<number> {
  switch (subcommand) {
    case "backup":
      return (await import("./backup.ts")).backUp(config, folder, print, { checks: typed["no-check"] !== true, base: typed.base });
    case "verify":
      return (await import("./verify-backup.ts")).verifyBackup(config, folder, print);
    case "prune":
      return (await import("./backup-retention.ts")).pruneBackups(folder, readRetention(typed), print);
    case "list":
      throw new ConfigError(`usage: backup list URL. ${JSON.stringify(folder)} is not an address such as s3://host/bucket/prefix or file:///folder`);
  }
}

async function runOnPlace(config: Config, subcommand: Subcommand, url: string, typed: TypedBackupOptions, print: (text: string) => number): Promise<number> {
  if (subcommand === "backup") {
    const { writeBackup } = await import("./backups/write.ts");
    await writeBackup(config, url, typed.recipient ?? config.backup.recipients, print);
    return 0;
  }
  const { listPlacedBackups, prunePlacedBackups, verifyPlacedBackup } = await import("./backups/manage.ts");
  if (subcommand === "list") return listPlacedBackups(config, url, print);
  if (subcommand === "prune") return prunePlacedBackups(config, url, readRetention(typed), print);
  return verifyPlacedBackup(config, url, { backup: typed.backup, identity: typed.identity }, print);
}

function readRetention(typed: TypedBackupOptions): Retention {
  return {
    daily: readCount("keep-daily", typed["keep-daily"]),
    weekly: readCount("keep-weekly", typed["keep-weekly"]),
    monthly: readCount("keep-monthly", typed["keep-monthly"]),
  };
}

function readCount(option: string, text = "0"): number {
  if (!/^\d{1,4}$/.test(text)) throw new ConfigError(`--${option} must be a number of at most four digits, not ${JSON.stringify(text)}`);
  return Number(text);
}
