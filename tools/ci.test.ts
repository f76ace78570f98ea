import { expect, test } from "vitest";
import { runCheck } from "./check.ts";
import { describeTally, planDeadlines, sumTallies, tallyTests } from "./ci.ts";

const report = (counts: Partial<Parameters<typeof tallyTests>[0]>) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...counts,
});

test("counts tests, and files that could not be loaded", () => {
  const loaded = { status: "failed", assertionResults: [{}] };
  const broken = { status: "failed", assertionResults: [] };
  expect(tallyTests(report({ numPassedTests: 5, numPendingTests: 2, numTodoTests: 1 }), true)).toEqual({ passed: 5, failed: 0, skipped: 3 });
  expect(tallyTests(report({ numPassedTests: 5, numFailedTests: 1, testResults: [loaded, broken] }), false)).toEqual({ passed: 5, failed: 2, skipped: 0 });
});

test("counts a failed run without a failed test or without a report as one failure", () => {
  expect(tallyTests(report({ numPassedTests: 5 }), false)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  expect(tallyTests(undefined, false)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(tallyTests(undefined, true)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("mentions skipped tests in the last line only if there are any", () => {
  const tallies = [
    { passed: 2, failed: 1, skipped: 0 },
    { passed: 1, failed: 0, skipped: 0 },
  ];
  expect(describeTally(sumTallies(tallies))).toBe("3 passed, 1 failed");
  expect(describeTally(sumTallies([...tallies, { passed: 0, failed: 0, skipped: 4 }]))).toBe("3 passed, 1 failed, 4 skipped");
});

test("tests end after 33 minutes, earlier if the installation was slow, and everything ends 40 minutes after the start", () => {
  const minute = 60_000;
  const now = 1_000 * minute;
  expect(planDeadlines(now, 2 * minute)).toEqual({ testsMs: now + 33 * minute, wholeMs: now + 38 * minute });
  expect(planDeadlines(now, 12 * minute)).toEqual({ testsMs: now + 23 * minute, wholeMs: now + 28 * minute });
});

test("a step that is not finished at its deadline is stopped with its child processes, and fails", async () => {
  const script = `require("node:child_process").spawn("sleep", ["1000"], { stdio: "inherit" }); console.log("begun"); setInterval(() => undefined, 1000)`;
  // Resolves when no process has the output open.
  const { passed, output } = await runCheck({ name: "endless", args: ["-e", script] }, Date.now() + 2_000);
  expect(passed).toBe(false);
  expect(output).toContain("not finished in time, stopped");
  expect(await runCheck({ name: "short", args: ["-e", ""] }, Date.now() + 1_000_000)).toMatchObject({ passed: true, output: "" });
});
