import { expect, test } from "vitest";
import { scopeNames } from "../../access/scopes.ts";
import { covers, rightsOf, spellOut, splitScopes } from "./scopes.ts";

const rights = (text: string): string => scopeNames(rightsOf(splitScopes(text))).join(" ");

test("who names no scope of the interface asks for all of it; who names one, for no more", () => {
  expect(rights("")).toBe("all");
  expect(rights("openid profile email groups")).toBe("all");
  expect(rights("openid read:repository")).toBe("read:repository");
  expect(rights("write:issue read:issue")).toBe("write:issue");
  expect(rights("all read:user")).toBe("all");
});

test("a scope that nobody knows gives nothing", () => {
  expect(rights("read:repositry")).toBe("");
  expect(rights("openid repo")).toBe("");
  expect(rights("read:user nonsense")).toBe("read:user");
  expect(rights("public-only")).toBe("public-only");
});

test.each([
  ["", "openid profile", false],
  ["openid profile email", "openid", true],
  ["all", "read:user", true],
  ["read:user", "all", false],
  ["read:user", "", false],
  ["write:user", "read:user", true],
  ["read:user", "write:user", false],
  ["public-only read:repository", "read:repository", false],
  ["read:repository", "public-only read:repository", true],
  ["openid read:user", "openid email read:user", false],
])("consent to %j is one to %j: %s", (granted, wanted, expected) => {
  expect(covers(spellOut(splitScopes(granted)), splitScopes(wanted))).toBe(expected);
});
