import { parseArgs } from "node:util";
import { type Config, ConfigError } from "../config/config.ts";
import { systemClock } from "../core/clock.ts";
import { registerTransactionHandlers } from "../mount/mount.ts";
import { type Command, type Flags, type FlagValues, usageOf } from "./commands/command.ts";
import { adminCommands } from "./commands/table.ts";
import { openConfiguredDatabase } from "./database.ts";
import { features } from "./features.ts";
import { createLog } from "./log.ts";

/**
 * `hearth admin ...`: works directly on the database; a server may be running at the same time.
 * @param words the arguments after `admin`
 * @returns the exit code
 * @throws ConfigError, ForgeError, or an error of `parseArgs`, with one line for the operator
 */
export async function administer(config: Config, words: readonly string[], print: (text: string) => number): Promise<number> {
  const { command, operands, flags } = readCommand(words);
  const log = createLog("warn");
  const db = await openConfiguredDatabase(config, { log, role: "tool" });
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

/** Finds the command with the longest name that the first words match. The rest are its operands and flags. */
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
  if (positionals.length !== command.operands.length) throw new ConfigError(`usage: ${usageOf(command)}`);
  return { command, operands: positionals, flags: values as FlagValues<Flags> };
}

/** The error for an unknown or incomplete command. */
function unknownCommand(words: readonly string[]): string {
  const typed = ["admin", ...words].join(" ");
  const further = adminCommands.map(({ words: known }) => known.split(" ")).filter((known) => startsWith(known, words));
  if (further.length === 0) return `unknown command ${typed}; run \`hearth help\` for a list`;
  const next = new Set(further.map((known) => known[words.length]));
  return `${typed} needs a subcommand: ${[...next].join(", ")}; run \`hearth help\` for details`;
}

const startsWith = (words: readonly string[], first: readonly string[]): boolean => first.every((word, index) => words[index] === word);
