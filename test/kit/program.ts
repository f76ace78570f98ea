import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { bundlePath, ensureBuilt } from "../../tools/build.mjs";
import { serverFlags } from "../../tools/server-flags.mjs";
import { runProgram as runToEnd } from "./small-process.ts";

/** The real program, as built, in a process of its own. */
export interface RunningProgram extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** The output so far. */
  output(): string;
  /** Resolves when it has ended for any reason. */
  readonly ended: Promise<void>;
  /** Kills it like a power failure: no process of it is running when this resolves. */
  kill(): Promise<void>;
  /** Stops it with a signal. @returns its exit code, null if the signal ended it @throws Error if it printed a warning of Node.js */
  stop(signal?: "SIGTERM" | "SIGINT"): Promise<number | null>;
}

export interface ProgramOptions {
  /** Path of the program. Default: the one that was built from these sources. */
  readonly program?: string | undefined;
  /** Flags of Node.js. Default: those of `npm start`. */
  readonly flags?: readonly string[];
}

export interface ProgramRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program of `npm start`, which starts in half the time of the sources. */
const builtProgram = async (): Promise<string> => {
  built ??= ensureBuilt();
  await built;
  return bundlePath;
};
let built: Promise<boolean> | undefined;

/**
 * Starts `hearth serve` on a free loopback port and waits until it listens.
 * @param settings `HEARTH_...` and other environment variables
 * @param before a command prefix, such as `strace` and its arguments
 * @throws Error with its output, if it exits before that
 */
export async function startProgram(
  settings: Readonly<Record<string, string>>,
  before: readonly string[] = [],
  options: ProgramOptions = {},
): Promise<RunningProgram> {
  const [file = process.execPath, ...words] = [
    ...before,
    process.execPath,
    ...(options.flags ?? serverFlags),
    options.program ?? (await builtProgram()),
    "serve",
  ];
  const child = spawn(file, words, { env: environment(settings), stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
  const url = await address(child, ended, () => printed);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  };
  return {
    url,
    pid: child.pid ?? 0,
    output: () => printed,
    ended: ended.then(() => undefined),
    kill: async () => void (await end("SIGKILL")),
    stop: async (signal = "SIGTERM") => {
      const code = await end(signal);
      const warning = /^\(node:\d+\) .*$/m.exec(printed)?.[0];
      if (warning !== undefined) throw new Error(`the program printed a warning of Node.js: ${warning}`);
      return code;
    },
    [Symbol.asyncDispose]: async () => void (await end("SIGKILL")),
  };
}

const environment = (settings: Readonly<Record<string, string>>) => ({
  PATH: process.env.PATH,
  HEARTH_HOST: "127.0.0.1",
  HEARTH_PORT: "0",
  HEARTH_SSH_ENABLED: "false",
  HEARTH_LOG_LEVEL: "warn",
  ...settings,
});

/** Runs the program with these words to its end. @param before a command prefix, such as `strace` and its arguments */
export async function runProgram(
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  before: readonly string[] = [],
): Promise<ProgramRun> {
  const [file = process.execPath, ...args] = [...before, process.execPath, await builtProgram(), ...words];
  const { code, stdout, stderr } = await runToEnd({ file, args, cwd: process.cwd(), env: environment(settings) });
  return { code, stdout: stdout.toString(), stderr: stderr.toString() };
}

async function address(child: ChildProcess, ended: Promise<unknown>, printed: () => string): Promise<string> {
  const listening = new Promise<string>((resolve) => {
    child.stdout?.on("data", () => {
      const url = /^Hearth serves (\S+)$/m.exec(printed())?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const url = await Promise.race([listening, ended.then(() => undefined)]);
  if (url === undefined) throw new Error(`the program ended before it listened:\n${printed()}`);
  return url;
}
