import { expect, test } from "vitest";
import { checkName } from "./names.ts";

const endings = [".txt", ".tar.gz"];

test.each(["a.txt", "A.TXT", "x.tar.gz", "née ☂.txt", ".txt"])("%j is taken", (name) => expect(checkName(name, endings)).toBe(name));

test.each(["evil.exe", "a.txt.exe", "txt", "a.gz"])("the ending of %j is not taken", (name) =>
  expect(() => checkName(name, endings)).toThrow("forbidden file extension"),
);

test.each([".", "..", "../a.txt", "a/b.txt", "a\\b.txt", "a\n.txt", "a\x7f.txt", "gpj\u202etxt.txt", `${"x".repeat(252)}.txt`])("%j is no name", (name) =>
  expect(() => checkName(name, ["*"])).toThrow(/name/),
);

test("without a name there is none", () => expect(() => checkName("", ["*"])).toThrow("Could not determine name of attachment."));
test("all endings", () => expect(checkName("evil.exe", ["*"])).toBe("evil.exe"));
