import { expect, test } from "vitest";
import { evaluateContent, isMergeable } from "./requirements.ts";

const pull = { baseBranch: "main", baseTipOid: "a".repeat(40), merged: null };
const check = { baseOid: "a", headOid: "b", mergeBaseOid: "a", outcome: "clean", isEmpty: false, size: null } as const;
const missing = (...given: Parameters<typeof evaluateContent>) => evaluateContent(...given).flatMap(({ code, isMet }) => (isMet ? [] : code));

test("content without a base branch, readable commits, a common history or a clean merge cannot be merged", () => {
  expect(missing(pull, check)).toEqual([]);
  expect(missing({ ...pull, baseTipOid: null }, undefined)).toEqual(["base"]);
  expect(missing(pull, undefined)).toEqual(["head"]);
  expect(missing(pull, { ...check, outcome: "unrelated" })).toEqual(["related"]);
  expect(missing(pull, { ...check, outcome: "conflict" })).toEqual(["no-conflict"]);
  expect(missing(pull, { ...check, isEmpty: true })).toEqual(["changes"]);
});

test("mergeable is false for content that cannot be merged, except for a pull request without changes", () => {
  const answers = [check, undefined, { ...check, outcome: "conflict" }, { ...check, outcome: "unrelated" }, { ...check, isEmpty: true }] as const;
  expect(answers.map((one) => isMergeable(pull, one))).toEqual([true, false, false, false, true]);
  expect(isMergeable({ ...pull, baseTipOid: null }, check)).toBe(false);
});
