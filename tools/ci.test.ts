import { expect, test } from "vitest";
import { describeTally, sumTallies, tallyTests } from "./ci.ts";

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
