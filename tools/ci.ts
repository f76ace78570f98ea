import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hostileUmask, hostileVariables, writeDecoys } from "../test/kit/hostile.ts";
import { scratchFolder } from "../test/kit/scratch.ts";
import { checkAdvisories } from "./advisories.ts";
import { killAt, runCheck, runChecks } from "./check.ts";
import { repositoryRoot } from "./repository.ts";
import { describeProgress, readProgress, resultFiles, resultsVariable } from "./test-progress.ts";

/** Numbers of passed, failed and skipped items. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The part of vitest's report that is used. */
interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** The limits of a run, in minutes. A step that does not end in time is stopped and fails, so that the output always ends with the result. */
const limits = { tests: 33, withTests: 35, whole: 40 } as const;

export interface Deadlines {
  readonly testsMs: number;
  readonly wholeMs: number;
}

/** @param elapsedMs since the start of `.ci/run`, which installs programs and packages before the tests */
export function planDeadlines(nowMs: number, elapsedMs: number): Deadlines {
  const startMs = nowMs - elapsedMs;
  return { testsMs: Math.min(nowMs + limits.tests * 60_000, startMs + limits.withTests * 60_000), wholeMs: startMs + limits.whole * 60_000 };
}

/**
 * Counts the results of a test run. A file that cannot be loaded counts as one failure, and so does a failed run without a failed test (an
 * error outside of tests) or without a report.
 */
export function tallyTests(report: TestReport | undefined, hasSucceeded: boolean): Tally {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const broken = report.testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0).length;
  const failed = report.numFailedTests + broken;
  return { passed: report.numPassedTests, failed: failed === 0 && !hasSucceeded ? 1 : failed, skipped: report.numPendingTests + report.numTodoTests };
}

export function sumTallies(tallies: readonly Tally[]): Tally {
  const sum = (read: (tally: Tally) => number): number => tallies.reduce((total, tally) => total + read(tally), 0);
  return { passed: sum(({ passed }) => passed), failed: sum(({ failed }) => failed), skipped: sum(({ skipped }) => skipped) };
}

export function describeTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * Runs the test command of the README and shows its output. The environment is unusual on purpose (test/kit/hostile.ts), so that passing
 * tests do not depend on the machine.
 */
async function runTests(deadlineMs: number): Promise<Tally> {
  const folder = mkdtempSync(join(scratchFolder(), "hearth-ci-"));
  chmodSync(folder, 0o711);
  writeDecoys(folder);
  const umask = process.umask(hostileUmask);
  const results = resultFiles(folder);
  const startMs = Date.now();
  const hasSucceeded = await new Promise<boolean>((resolve) => {
    const child = spawn("npm", ["test"], {
      cwd: repositoryRoot,
      env: { ...process.env, ...hostileVariables, TMPDIR: folder, [resultsVariable]: folder },
      stdio: ["ignore", "inherit", "inherit"],
      detached: true,
    });
    process.umask(umask);
    const cancel = killAt(child, deadlineMs, () => console.log(`tests: not finished after ${Math.round((Date.now() - startMs) / 60_000)} minutes, stopped`));
    const end = (passed: boolean): void => {
      cancel();
      resolve(passed);
    };
    child.once("error", (error) => {
      console.log(`npm could not be started: ${error.message}`);
      end(false);
    });
    child.once("exit", (code) => end(code === 0));
  });
  console.log(["files of tests:", ...describeProgress(readProgress(results.progress, Date.now()))].join("\n"));
  const tally = tallyTests(readReport(results.report), hasSucceeded);
  try {
    rmSync(folder, { recursive: true });
  } catch (error) {
    // A failed test can leave a mounted file system. The remaining steps still run, and the last line still states the result.
    console.log(`tests: ${folder} could not be removed: ${String(error)}`);
  }
  return tally;
}

function readReport(path: string): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as TestReport;
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { elapsed: { type: "string", default: "0" } } });
  const { testsMs, wholeMs } = planDeadlines(Date.now(), Number(values.elapsed) * 1_000);
  const tests = await runTests(testsMs);
  const checks = await runChecks(wholeMs);
  const bench = await runCheck({ name: "bench, short", args: [join(repositoryRoot, "tools/run.mjs"), "bench", "--short"] }, wholeMs);
  console.log(bench.output.trimEnd());
  const described = await runCheck(
    {
      name: "schemathesis, short",
      args: [join(repositoryRoot, "tools/run.mjs"), "schemathesis", "--examples", "1", "--database", "sqlite"],
    },
    wholeMs,
  );
  console.log(described.output.trimEnd());
  const advisories = checkAdvisories();
  console.log(["known vulnerabilities of packages:", ...(advisories.lines.length > 0 ? advisories.lines : ["none"])].join("\n  "));
  const bill = await runCheck({ name: "bill of materials", args: [join(repositoryRoot, "tools/run.mjs"), "build"] }, wholeMs);
  const steps = [...checks, bench, described, bill, { name: "advisories", passed: advisories.passed }];
  for (const { name, passed } of steps) if (!passed) console.log(`FAILED  ${name}`);
  const total = sumTallies([tests, ...steps.map(({ passed }): Tally => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 }))]);
  console.log(describeTally(total));
  process.exitCode = total.failed === 0 ? 0 : 1;
}
