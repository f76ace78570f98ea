import { describe, expect, test } from "vitest";
import { foldEmail, foldName, isValidEmail, isValidUsername, reservedAccountName, reservedRepositoryName } from "./names.ts";

describe("user names", () => {
  test.each(["alice", "a", "a-b", "a.b_c", "A1", "foo.git"])("%s is one", (name) => expect(isValidUsername(name)).toBe(true));
  test.each(["", "-a", "a-", "a--b", "a..b", ".a", "a b", "a/b", "ａdmin", "admin\u200b", "a\0", "\u212a", "a\n"])("%j is none", (name) =>
    expect(isValidUsername(name)).toBe(false),
  );
});

test("folding knows ASCII alone: no letter of another script becomes one of a name", () => {
  expect([foldName("Mike-K.X"), foldEmail("Mike@EXAMPLE.com")]).toEqual(["mike-k.x", "mike@example.com"]);
  const others = Array.from({ length: 0x11000 - 0x80 }, (_, at) => String.fromCodePoint(at + 0x80));
  expect(others.filter((letter) => foldName(letter) !== letter)).toEqual([]);
});

describe("reserved names, whatever the case", () => {
  test.each(["api", "API", "swagger.v1.json", "ghost", "alice.keys", "x.PNG"])("%s for accounts", (name) => expect(reservedAccountName(name)).toBeDefined());
  test.each(["alice", "admin", "foo.git"])("%s is free for accounts", (name) => expect(reservedAccountName(name)).toBeUndefined());
  test.each([".", "..", "-", "x.git", "x.GIT", "x.wiki", "a..b", "x.rss", "x.atom"])("%s for repositories", (name) =>
    expect(reservedRepositoryName(name)).toBeDefined(),
  );
  test.each([".hid", "api", "a.b"])("%s is free for repositories", (name) => expect(reservedRepositoryName(name)).toBeUndefined());
});

describe("e-mail addresses", () => {
  test.each(["a@b", "a.b+c@example.com", "root@localhost"])("%s is one", (text) => expect(isValidEmail(text)).toBe(true));
  test.each(["", "a", "a@", "@b", "-a@b.c", "a@b c", "a@b\n", "mıke@example.com", "a@-b.c", "a@b..c", `${"a".repeat(65)}@b`, "a@b@c"])("%j is none", (text) =>
    expect(isValidEmail(text)).toBe(false),
  );
});
