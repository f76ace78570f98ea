import type { Config } from "../../config/config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Db } from "../../db/db.ts";

/** What a command works with: the database, beside a server that may be running. */
export interface CommandContext {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Flag {
  /** What stands for its value in the help. Undefined: a switch, without a value. */
  readonly value?: string;
  readonly help: string;
}
export type Flags = Readonly<Record<string, Flag>>;

/** What was given: the text of a flag that takes a value, `true` for a switch. */
export type FlagValues<F extends Flags> = { readonly [Name in keyof F]?: (F[Name] extends { readonly value: string } ? string : true) | undefined };

/** One command of `hearth admin`. The help, the documentation and the reading of the command line come from this. */
export interface Command<F extends Flags = Flags> {
  /** What stands behind `admin`: a noun and a verb. */
  readonly words: string;
  /** The operands, all of them required, as they stand in the help. */
  readonly operands: readonly string[];
  readonly summary: string;
  readonly flags: F;
  /**
   * @param operands as many as were declared
   * @returns what is printed
   * @throws ConfigError or ForgeError with one line for the operator; nothing was changed then
   */
  run(context: CommandContext, operands: readonly string[], flags: FlagValues<F>): Promise<string>;
}

/** Gives `run` the types of the flags that the command declares. */
export const defineCommand = <const F extends Flags>(command: Command<F>): Command => command as Command;

/** How a command is called, without its flags. */
export const usageOf = (command: Command): string => ["admin", command.words, ...command.operands].join(" ");

/** The lines of the help: a command each, its flags below it. */
export function helpOf(commands: readonly Command[]): string {
  return commands
    .map((command) => {
      const flags = Object.entries(command.flags).map(([name, { value, help }]) => line(`    --${name}${value === undefined ? "" : ` ${value}`}`, help));
      return [line(`  ${usageOf(command)}`, command.summary), ...flags].join("");
    })
    .join("");
}

const column = 44;
const line = (left: string, right: string): string => `${left.padEnd(column - 1)} ${right}\n`;
