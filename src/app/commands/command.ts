import type { Config } from "../../config/config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Db } from "../../db/db.ts";

/** The dependencies of a command. A server may be running on the same database. */
export interface CommandContext {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Flag {
  /** Placeholder of the value in the help. Undefined for a switch without a value. */
  readonly value?: string;
  readonly help: string;
}
export type Flags = Readonly<Record<string, Flag>>;

/** Values of the flags: a string for a flag with a value, `true` for a switch. */
export type FlagValues<F extends Flags> = { readonly [Name in keyof F]?: (F[Name] extends { readonly value: string } ? string : true) | undefined };

/** A command of `hearth admin`. The help, the documentation and the argument parser are derived from it. */
export interface Command<F extends Flags = Flags> {
  /** The words after `admin`: a noun and a verb. */
  readonly words: string;
  /** Names of the operands in the help; all are required. */
  readonly operands: readonly string[];
  readonly summary: string;
  readonly flags: F;
  /**
   * @param operands as many as declared
   * @returns the output
   * @throws ConfigError or ForgeError with one line for the operator; nothing has been changed in this case
   */
  run(context: CommandContext, operands: readonly string[], flags: FlagValues<F>): Promise<string>;
}

/** Types the arguments of `run` by the declared flags. */
export const defineCommand = <const F extends Flags>(command: Command<F>): Command => command as Command;

/** The usage of a command, without its flags. */
export const usageOf = (command: Command): string => ["admin", command.words, ...command.operands].join(" ");

/** The lines of the help: one per command, its flags below it. */
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
