import { expect, test } from "vitest";
import { isValidBranchName } from "../../../../git/objects/ref-names.ts";
import { branchNameFor } from "./branch-name.ts";

test("the name of a branch for an issue has its number and the words of its title, and is always valid and free", () => {
  const nameOf = (title: string, taken: readonly string[] = []): string => branchNameFor({ number: 12, title }, taken);
  expect(nameOf("Fix: the proxy's `..` path / HEAD.lock @{0}")).toBe("12-fix-the-proxy-s-path-head-lock-0");
  expect(nameOf("עברית и Ünïcode")).toBe("12-עברית-и-ünïcode");
  expect(nameOf("???")).toBe("12");
  expect(nameOf("a", ["12-a", "12-a-2"])).toBe("12-a-3");
  expect(nameOf("word ".repeat(50)).length).toBeLessThanOrEqual(60);
  expect(nameOf("x".repeat(200))).toBe(`12-${"x".repeat(30)}`);
  for (const title of ["-- x", "a.lock", "~^:?*[\\", "\0\u0007", "e\u0301te\u0301"]) expect(isValidBranchName(nameOf(title)), title).toBe(true);
});
