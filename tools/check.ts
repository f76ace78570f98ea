import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { repositoryRoot } from "./repository.ts";

/** A check of the sources other than tests: prints little on success and exits with 0. */
interface Check {
  readonly name: string;
  /** Arguments for Node.js. */
  readonly args: readonly string[];
}

export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
}

const run = join(repositoryRoot, "tools/run.mjs");

const checks: readonly Check[] = [
  { name: "types", args: [run, "typecheck"] },
  { name: "types of the browser scripts", args: [run, "typecheck-scripts"] },
  { name: "format and lint", args: [run, "lint"] },
  { name: "import rules", args: [join(repositoryRoot, "tools/check-imports.ts")] },
  { name: "table rules", args: [join(repositoryRoot, "tools/check-tables.ts")] },
  { name: "tree rules", args: [join(repositoryRoot, "tools/check-tree.ts")] },
];

/**
 * Runs all checks, two at a time, and prints a line for each, with its output if it failed.
 * @param deadlineMs checks that have not ended by then fail
 */
export async function runChecks(deadlineMs?: number): Promise<CheckResult[]> {
  const waiting = [...checks];
  const results: CheckResult[] = [];
  const worker = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const result = await runCheck(check, deadlineMs);
      results.push(result);
      console.log(`${result.passed ? "passed" : "FAILED"}  ${result.name} (${result.seconds.toFixed(1)} s)`);
      if (!result.passed) console.log(result.output.trimEnd());
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}

/**
 * Runs one program of the project with the current Node.js, and captures its output.
 * @param deadlineMs when the program and its child processes are killed
 */
export function runCheck({ name, args }: Check, deadlineMs?: number): Promise<CheckResult> {
  const start = performance.now();
  return new Promise((resolve) => {
    // A group of its own can be killed as a whole. Without a deadline, Ctrl-C has to reach it.
    const child = spawn(process.execPath, args, { cwd: repositoryRoot, stdio: ["ignore", "pipe", "pipe"], detached: deadlineMs !== undefined });
    let output = "";
    const collect = (chunk: Buffer): void => {
      output += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const cancel = deadlineMs === undefined ? undefined : killAt(child, deadlineMs, () => (output += "\nnot finished in time, stopped"));
    const end = (passed: boolean): void => {
      cancel?.();
      resolve({ name, passed, seconds: (performance.now() - start) / 1000, output });
    };
    child.once("error", (error) => {
      output += error.message;
      end(false);
    });
    child.once("close", (code) => end(code === 0));
  });
}

/** Kills the process group of a detached child process at a time, unless the returned function is called before. */
export function killAt({ pid }: ChildProcess, deadlineMs: number, before: () => void): () => void {
  const limit = setTimeout(
    () => {
      before();
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    },
    Math.max(0, deadlineMs - Date.now()),
  );
  return () => clearTimeout(limit);
}

if (import.meta.main) {
  const failed = (await runChecks()).filter(({ passed }) => !passed);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
