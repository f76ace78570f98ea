import { expect, test } from "vitest";
import { scopeNames } from "../../../access/scopes.ts";
import { covers, rightsOf, spellOut, splitScopes } from "./scopes.ts";

const rights = (text: string): string => scopeNames(rightsOf(splitScopes(text))).join(" ");

test("grants all rights without an API scope, and only the named rights otherwise", () => {
  expect(rights("")).toBe("all");
  expect(rights("openid profile email groups")).toBe("all");
  expect(rights("openid read:repository")).toBe("read:repository");
  expect(rights("write:issue read:issue")).toBe("write:issue");
  expect(rights("all read:user")).toBe("all");
});

test("grants no rights for unknown scopes", () => {
  expect(rights("read:repositry")).toBe("");
  expect(rights("openid gist")).toBe("");
  expect(rights("constructor __proto__")).toBe("");
  expect(rights("read:user nonsense")).toBe("read:user");
  expect(rights("public-only")).toBe("public-only");
});

test.each([
  ["user:email read:org", "read:organization read:user"],
  ["user", "write:user"],
  ["user:follow write:org", "read:organization read:user"],
  ["admin:org", "write:organization"],
  ["repo", "write:issue write:repository"],
  ["openid repo read:user", "write:issue write:repository read:user"],
  ["public_repo", "public-only write:issue write:repository"],
  ["public_repo read:repository", "public-only write:issue write:repository"],
  ["public_repo repo", "write:issue write:repository"],
  ["public_repo all", "all"],
  ["notifications read:packages", "write:notification read:package"],
  ["write:packages", "write:package"],
  ["gist write:repo_hook admin:repo_hook repo:status delete_repo workflow admin:public_key site_admin", ""],
])("maps GitHub's scopes %j to the rights %j", (requested, given) => {
  expect(rights(requested)).toBe(given);
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
  ["user:email", "read:user", true],
  ["user:email", "user", false],
  ["public_repo", "repo", false],
])("consent to %j covers %j: %s", (granted, wanted, expected) => {
  expect(covers(spellOut(splitScopes(granted)), splitScopes(wanted))).toBe(expected);
});
