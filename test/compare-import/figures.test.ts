import { expect, test } from "vitest";
import type { Aspect } from "./differences.ts";
import { type Compared, countAll, countWithoutDocumented, showFigures } from "./figures.ts";

const compared = (values: number, ...differences: readonly (readonly [Aspect, row: string | undefined])[]): Compared => ({
  differences: differences.map(([aspect, row]) => ({ aspect, place: "", gitea: 1, hearth: 2, row })),
  values,
});

const answers = [
  compared(10),
  compared(10, ["value", "a row"], ["value", "a row"]),
  compared(10, ["shape", "a row"], ["value", "a row"]),
  compared(1, ["status", "a row"]),
] as const;

test("an answer with another status counts as one with another shape", () => {
  expect(countAll(answers)).toEqual({ status: { same: 3, of: 4 }, shape: { same: 2, of: 4 }, values: { same: 28, of: 31 } });
});

test("answers and values that differ as documented are not counted without them", () => {
  expect(countWithoutDocumented(answers)).toEqual({ status: { same: 3, of: 3 }, shape: { same: 2, of: 2 }, values: { same: 28, of: 28 } });
});

test("a difference without a row lowers the figures without documented differences", () => {
  const open = [...answers, compared(5, ["value", undefined]), compared(5, ["shape", undefined]), compared(1, ["status", undefined])];
  expect(countWithoutDocumented(open)).toEqual({ status: { same: 5, of: 6 }, shape: { same: 3, of: 5 }, values: { same: 38, of: 39 } });
});

test("a figure with a difference is never shown as 100 %", () => {
  const share = { same: 99_999, of: 100_000 };
  expect(showFigures({ status: share, shape: { same: 5, of: 5 }, values: { same: 0, of: 0 } })).toBe(
    "status 99.99 % of 100000, shape 100.00 % of 5, values 0.00 % of 0",
  );
});
