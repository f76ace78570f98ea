import { expect, test } from "vitest";
import { createBudget } from "./budget.ts";

function open(allowedMs = 1_000, maxCallers = 100) {
  let nowMs = 0;
  const budget = createBudget({ allowedMs, windowMs: 10_000, maxCallers, now: () => nowMs });
  return { budget, pass: (ms: number) => (nowMs += ms) };
}

test("a caller who has used a budget waits until enough of it is free again, and others do not", () => {
  const { budget, pass } = open();
  budget.spend("a", 900);
  expect(budget.waitMs("a")).toBe(0);
  budget.spend("a", 400);
  expect([budget.waitMs("a"), budget.waitMs("b")]).toEqual([3_000, 0]);
  pass(1_000);
  expect(budget.waitMs("a")).toBe(2_000);
  pass(2_000);
  expect(budget.waitMs("a")).toBe(0);
});

test("one long request costs at most two budgets, so the wait ends within a window", () => {
  const { budget, pass } = open();
  budget.spend("a", 1_000_000);
  expect(budget.waitMs("a")).toBe(10_000);
  pass(10_000);
  expect(budget.waitMs("a")).toBe(0);
});

test("without a limit no caller waits", () => {
  const { budget } = open(0);
  budget.spend("a", 1_000_000);
  expect(budget.waitMs("a")).toBe(0);
});

test("callers that have used nothing lately are forgotten, and then those with the oldest use", () => {
  const { budget, pass } = open(1_000, 2);
  budget.spend("a", 100);
  pass(5_000);
  for (const key of ["b", "c"]) budget.spend(key, 2_000);
  expect([budget.size(), budget.waitMs("b") > 0]).toEqual([2, true]);
  budget.spend("d", 2_000);
  expect([budget.size(), budget.waitMs("b"), budget.waitMs("d") > 0]).toEqual([2, 0, true]);
});
