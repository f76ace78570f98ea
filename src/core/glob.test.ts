import { describe, expect, test } from "vitest";
import { isPlainText, parseGlob } from "./glob.ts";

const matches = (pattern: string, text: string, separators = "/"): boolean | undefined => parseGlob(pattern, { separators })?.matches(text);

describe("a pattern", () => {
  test.each([
    ["main", "main", true],
    ["main", "mainly", false],
    ["rel/*", "rel/1", true],
    ["rel/*", "rel/1/2", false],
    ["rel/**", "rel/1/2", true],
    ["**/x", "a/b/x", true],
    ["*", "", true],
    ["v?.*", "v1.2", true],
    ["v?.*", "v12", false],
    ["?", "/", false],
    ["[a-c]x", "bx", true],
    ["[!a-c]x", "bx", false],
    ["[^a-c]x", "dx", true],
    ["[a-]", "-", true],
    ["{main,dev*}", "develop", true],
    ["{a,{b,c}d}e", "cde", true],
    ["{a,{b,c}d}e", "ade", false],
    ["a\\*b", "a*b", true],
    ["a\\*b", "axb", false],
    ["ü?", "üä", true],
    ["*a*b*", "xxaxxbxx", true],
    ["*a*b*", "xxbxxaxx", false],
  ])("%s and %s: %s", (pattern, text, expected) => expect(matches(pattern, text)).toBe(expected));

  test("stops at the given separators", () => {
    expect([matches("*.md", "docs/a.md", ""), matches("*.md", "docs/a.md", "./"), matches("docs/**.md", "docs/a/b.md", "./")]).toEqual([true, false, true]);
  });

  test("can ignore case", () => {
    expect(parseGlob("Rel/*", { separators: "/", ignoresCase: true })?.matches("rEL/One")).toBe(true);
  });

  test.each(["[a", "{a,b", "a}", "a\\", "[]", "[z-a]", "x".repeat(1_001), "{a,b}".repeat(7)])("%s is invalid", (text) => {
    expect(parseGlob(text, { separators: "/" })).toBeUndefined();
  });

  test("matches in bounded time for hostile patterns", () => {
    expect(matches(`${"*a".repeat(200)}b`, "a".repeat(2_000))).toBe(false);
  });
});

test("without special characters is plain text", () => {
  expect([isPlainText("release/1.0"), isPlainText("release/*"), isPlainText("a[b]"), isPlainText("a\\b")]).toEqual([true, false, false, false]);
});
