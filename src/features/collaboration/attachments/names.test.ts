import { expect, test } from "vitest";
import { checkName } from "./names.ts";

const endings = [".txt", ".tar.gz"];

test.each(["a.txt", "A.TXT", "x.tar.gz", "née ☂.txt", ".txt"])("accepts %j", (name) => expect(checkName(name, endings)).toBe(name));

test.each(["evil.exe", "a.txt.exe", "txt", "a.gz"])("rejects the extension of %j", (name) =>
  expect(() => checkName(name, endings)).toThrow("forbidden file extension"),
);

test.each([".", "..", "../a.txt", "a/b.txt", "a\\b.txt", "a\n.txt", "a\x7f.txt", "gpj\u202etxt.txt", `${"x".repeat(252)}.txt`])(
  "rejects %j as a file name",
  (name) => expect(() => checkName(name, ["*"])).toThrow(/name/),
);

test("rejects a missing name", () => expect(() => checkName("", ["*"])).toThrow("Could not determine name of attachment."));
test("accepts all extensions with *", () => expect(checkName("evil.exe", ["*"])).toBe("evil.exe"));
