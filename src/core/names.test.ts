import { describe, expect, test } from "vitest";
import { foldEmail, foldName, isValidEmail, isValidUsername, reservedAccountName, reservedRepositoryName } from "./names.ts";

describe("user names", () => {
  test.each(["alice", "a", "a-b", "a.b_c", "A1", "foo.git"])("%s is valid", (name) => expect(isValidUsername(name)).toBe(true));
  test.each(["", "-a", "a-", "a--b", "a..b", ".a", "a b", "a/b", "ａdmin", "admin\u200b", "a\0", "\u212a", "a\n"])("%j is invalid", (name) =>
    expect(isValidUsername(name)).toBe(false),
  );
});

test("case folding affects only ASCII letters", () => {
  expect([foldName("Mike-K.X"), foldEmail("Mike@EXAMPLE.com")]).toEqual(["mike-k.x", "mike@example.com"]);
  const others = Array.from({ length: 0x11000 - 0x80 }, (_, at) => String.fromCodePoint(at + 0x80));
  expect(others.filter((letter) => foldName(letter) !== letter)).toEqual([]);
});

describe("reserved names, in any case", () => {
  test.each(["api", "API", "swagger.v1.json", "ghost", "alice.keys", "x.PNG"])("%s is reserved for accounts", (name) =>
    expect(reservedAccountName(name)).toBeDefined(),
  );
  test.each(["alice", "admin", "foo.git"])("%s is available for accounts", (name) => expect(reservedAccountName(name)).toBeUndefined());
  test.each([".", "..", "-", "x.git", "x.GIT", "x.wiki", "a..b", "x.rss", "x.atom"])("%s is reserved for repositories", (name) =>
    expect(reservedRepositoryName(name)).toBeDefined(),
  );
  test.each([".hid", "api", "a.b"])("%s is available for repositories", (name) => expect(reservedRepositoryName(name)).toBeUndefined());
});

describe("email addresses", () => {
  test.each(["a@b", "a.b+c@example.com", "root@localhost"])("%s is valid", (text) => expect(isValidEmail(text)).toBe(true));
  test.each(["", "a", "a@", "@b", "-a@b.c", "a@b c", "a@b\n", "mıke@example.com", "a@-b.c", "a@b..c", `${"a".repeat(65)}@b`, "a@b@c"])(
    "%j is invalid",
    (text) => expect(isValidEmail(text)).toBe(false),
  );
});
