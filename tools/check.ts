import { spawn } from "node:child_process";
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

/** Runs all checks, two at a time, and prints a line for each, with its output if it failed. */
export async function runChecks(): Promise<CheckResult[]> {
  const waiting = [...checks];
  const results: CheckResult[] = [];
  const worker = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const result = await runCheck(check);
      results.push(result);
      console.log(`${result.passed ? "passed" : "FAILED"}  ${result.name} (${result.seconds.toFixed(1)} s)`);
      if (!result.passed) console.log(result.output.trimEnd());
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}

/** Runs one program of the project with the current Node.js, and captures its output. */
export function runCheck({ name, args }: Check): Promise<CheckResult> {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: repositoryRoot, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const collect = (chunk: Buffer): void => {
      output += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const end = (passed: boolean): void => resolve({ name, passed, seconds: (performance.now() - start) / 1000, output });
    child.once("error", (error) => {
      output += error.message;
      end(false);
    });
    child.once("close", (code) => end(code === 0));
  });
}

if (import.meta.main) {
  const failed = (await runChecks()).filter(({ passed }) => !passed);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
