import { describe, expect, test } from "vitest";
import { allowsScope, parseScopes, type ScopeSet, scopeNames } from "./scopes.ts";

const parsed = (...texts: string[]): ScopeSet => {
  const scopes = parseScopes(texts);
  if ("unknown" in scopes) throw new Error(scopes.unknown);
  return scopes;
};

test("scopes are written in the wire's order, write before read", () => {
  expect(scopeNames(parsed("read:user", "write:issue", "read:issue", "read:repository", "public-only"))).toEqual([
    "public-only",
    "write:issue",
    "read:repository",
    "read:user",
  ]);
});

test("write scopes of every category equal all", () => {
  const every = "activitypub admin misc notification organization package issue repository user".split(" ").map((category) => `write:${category}`);
  expect(scopeNames(parsed(...every))).toEqual(["all"]);
});

test.each(["bogus", "read:bogus", "sudo", "repo", "write:", "read:user:x", "Write:user", "__proto__"])("%s is not a scope", (text) => {
  expect(parseScopes([text])).toEqual({ unknown: text });
});

describe("permissions of a scope set", () => {
  test.each([
    [["read:user"], "user", "read", true],
    [["read:user"], "user", "write", false],
    [["write:user"], "user", "read", true],
    [["write:user"], "repository", "read", false],
    [["all"], "admin", "write", true],
    [["public-only"], "user", "read", false],
  ] as const)("%j: %s %s is %s", (texts, category, level, allowed) => expect(allowsScope(parsed(...texts), category, level)).toBe(allowed));
});
