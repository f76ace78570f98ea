import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Config, ConfigError } from "../config/config.ts";
import { systemClock } from "../core/clock.ts";
import { openDatabase } from "../db/open.ts";
import { registerTransactionHandlers } from "../mount/mount.ts";
import { type Command, type Flags, type FlagValues, usageOf } from "./commands/command.ts";
import { adminCommands } from "./commands/table.ts";
import { features } from "./features.ts";
import { createLog } from "./log.ts";

/**
 * `hearth admin ...`: works on the database beside a server that may be running.
 * @param words what stands behind `admin`
 * @returns the exit code
 * @throws ConfigError, ForgeError, or an error of `parseArgs`, with one line for the operator
 */
export async function administer(config: Config, words: readonly string[], print: (text: string) => number): Promise<number> {
  const { command, operands, flags } = readCommand(words);
  const log = createLog("warn");
  const db = await openDatabase({
    url: config.database.url === "" ? join(config.dataDirectory, "hearth.db") : config.database.url,
    log,
    role: "tool",
  });
  try {
    registerTransactionHandlers(features, db, config);
    return print(await command.run({ config, db, clock: systemClock, log }, operands, flags));
  } finally {
    await db.close();
  }
}

interface Call {
  readonly command: Command;
  readonly operands: readonly string[];
  readonly flags: FlagValues<Flags>;
}

/** Finds the command that the first words name, the longest of several; what is left are its operands and flags. */
function readCommand(words: readonly string[]): Call {
  const [command] = adminCommands.filter((known) => startsWith(words, known.words.split(" "))).toSorted((a, b) => b.words.length - a.words.length);
  if (command === undefined) throw new ConfigError(unknownCommand(words));
  const { values, positionals } = parseArgs({
    args: words.slice(command.words.split(" ").length),
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(command.flags).map(([name, { value }]) => [name, { type: value === undefined ? "boolean" : "string" } as const]),
    ),
  });
  if (positionals.length !== command.operands.length) throw new ConfigError(`it is called so: ${usageOf(command)}`);
  return { command, operands: positionals, flags: values as FlagValues<Flags> };
}

/** Tells whoever typed the beginning of a command how it can go on. */
function unknownCommand(words: readonly string[]): string {
  const typed = ["admin", ...words].join(" ");
  const further = adminCommands.map(({ words: known }) => known.split(" ")).filter((known) => startsWith(known, words));
  if (further.length === 0) return `there is no command ${typed}; \`hearth help\` lists them`;
  const next = new Set(further.map((known) => known[words.length]));
  return `${typed} goes on with one of: ${[...next].join(", ")}; \`hearth help\` tells what each does`;
}

const startsWith = (words: readonly string[], first: readonly string[]): boolean => first.every((word, index) => words[index] === word);
