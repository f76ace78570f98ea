import { expect, test } from "vitest";
import { readTypedIssue, readTypedTime } from "./parse-duration.ts";
import { typedTime } from "./time-text.ts";

test.each([
  ["1h 30m", 5_400],
  ["2H", 7_200],
  ["45", 2_700],
  ["1d2h", 93_600],
  ["", undefined],
  ["soon", undefined],
  ["-1h", undefined],
  ["1h x", undefined],
])("parses the time %j as %j seconds", (typed, seconds) => expect(readTypedTime(typed)).toBe(seconds));

test.each(["1h 30m", "45s", "20h", "100h 5s", "5m"])("shows a time in a form as it is typed: %s", (typed) => {
  expect(typedTime(readTypedTime(typed) ?? 0)).toBe(typed);
});

test("parses issue references of the same and other repositories", () => {
  const here = { ownerName: "ada", name: "garden" };
  expect(["12", "#12", "ben/beds#3"].map((typed) => readTypedIssue(typed, here))).toEqual([
    { owner: "ada", repository: "garden", number: 12 },
    { owner: "ada", repository: "garden", number: 12 },
    { owner: "ben", repository: "beds", number: 3 },
  ]);
  expect(readTypedIssue("the first one", here)).toBeUndefined();
});
