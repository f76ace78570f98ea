import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/**
 * Runs a command of this program in a process of its own, with the same settings.
 * @returns the reason of a failure in one line; undefined for success
 */
export async function runOwnProgram(words: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  const [, file] = process.argv;
  if (file === undefined) return "the program has no file";
  const child = spawn(process.execPath, [...process.execArgv, file, ...words], { stdio: ["ignore", "pipe", "pipe"], signal });
  const exited = new Promise<string | undefined>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => resolve(code === 0 ? undefined : `exit code ${code}`));
  });
  const [printed, warned, failure] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  if (failure === undefined) return undefined;
  const lines = `${printed}\n${warned}`.split("\n").filter((line) => line !== "");
  const reason = lines.findLast((line) => line.startsWith("hearth: "))?.slice("hearth: ".length) ?? lines.at(-1);
  return reason ?? failure;
}
