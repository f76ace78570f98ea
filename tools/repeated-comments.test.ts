import { expect, test } from "vitest";
import { findRepeatedComments } from "./repeated-comments.ts";

// Concatenated, so that this file does not violate the rule it tests.
const begin = "/**";

test.each([
  [`${begin} The labels of a repository. */\nexport const listLabels = (repository: Repository) => [];`, "The labels of a repository."],
  [`interface Row {\n  ${begin} Enabled units. */\n  readonly enabledUnits: Unit[];\n}`, "Enabled units."],
  ["// Replaces the labels.\nreplaceLabels();\n", "Replaces the labels."],
])("finds the comment that repeats %j", (code, comment) => {
  expect(findRepeatedComments(code)).toEqual([{ line: code.split("\n").findIndex((line) => line.includes(comment)) + 1, comment }]);
});

test.each([
  "/** The labels of a repository, oldest first. */\nexport const listLabels = (repository: Repository) => [];",
  "/** Null: not merged. */\nreadonly merged: Merge | null;",
  "/** Milliseconds. */\nreadonly timeout: number;",
  "/** @returns the labels */\nfunction labels() {}",
])("accepts the comment of %j", (code) => {
  expect(findRepeatedComments(code)).toEqual([]);
});
