import { type Config, ConfigError } from "../config/config.ts";

/** Options of `hearth backup` and its subcommands, as typed. */
export type TypedBackupOptions = Partial<Record<"base" | "keep-daily" | "keep-weekly" | "keep-monthly", string>> & { readonly "no-check"?: boolean };

const optionsOf: Readonly<Record<"backup" | "verify" | "prune", readonly (keyof TypedBackupOptions)[]>> = {
  backup: ["base", "no-check"],
  verify: [],
  prune: ["keep-daily", "keep-weekly", "keep-monthly"],
};

/** Runs `backup FOLDER`, `backup verify FOLDER` or `backup prune FOLDER`. @returns the exit code @throws ConfigError, ForgeError `unavailable` */
export async function runBackupCommand(
  config: Config,
  [first, second]: readonly string[],
  typed: TypedBackupOptions,
  print: (text: string) => number,
): Promise<number> {
  const subcommand = first === "verify" || first === "prune" ? first : "backup";
  const folder = subcommand === "backup" ? first : second;
  const wrong = (Object.keys(typed) as (keyof TypedBackupOptions)[]).find((option) => !optionsOf[subcommand].includes(option));
  const name = subcommand === "backup" ? "backup" : `backup ${subcommand}`;
  if (wrong !== undefined) throw new ConfigError(`--${wrong} is not an option of \`hearth ${name}\``);
  if (folder === undefined) throw new ConfigError(`usage: ${name} FOLDER`);
  if (subcommand === "backup") {
    const { backUp } = await import("./backup.ts");
    return backUp(config, folder, print, { checks: typed["no-check"] !== true, base: typed.base });
  }
  if (subcommand === "verify") {
    const { verifyBackup } = await import("./verify-backup.ts");
    return verifyBackup(config, folder, print);
  }
  const { pruneBackups } = await import("./backup-retention.ts");
  const count = (option: "keep-daily" | "keep-weekly" | "keep-monthly"): number => readCount(option, typed[option]);
  return pruneBackups(folder, { daily: count("keep-daily"), weekly: count("keep-weekly"), monthly: count("keep-monthly") }, print);
}

function readCount(option: string, text = "0"): number {
  if (!/^\d{1,4}$/.test(text)) throw new ConfigError(`--${option} must be a number of at most four digits, not ${JSON.stringify(text)}`);
  return Number(text);
}
