import { describe, expect, test } from "vitest";
import { isPlainText, matchAny, parseGlob } from "./glob.ts";

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

  test.each(["[a", "{a,b", "a}", "a\\", "[]", "[z-a]", "x".repeat(1_001)])("%s is invalid", (text) => {
    expect(parseGlob(text, { separators: "/" })).toBeUndefined();
  });

  test("has any number of alternatives", () => {
    expect(matches("{a,b}".repeat(50), "ab".repeat(25))).toBe(true);
  });
});

/** A pattern of an editorconfig file. */
const editorconfig = (pattern: string): ((path: string) => boolean) => {
  const glob = parseGlob(pattern, { syntax: "editorconfig", separators: "/" });
  return (path) => glob?.matches(path) === true;
};

describe("an editorconfig pattern", () => {
  test.each([
    ["*.js", ["a.js", ".js"], ["a.jsx", "d/a.js", "a.JS"]],
    ["**.js", ["a.js", "d/e/a.js"], ["a.ts"]],
    ["src/**/x", ["src/a/x", "src/a/b/x"], ["src/x", "x"]],
    ["a?c", ["abc", "aéc", "a\u{1f600}c"], ["ac", "a/c", "abbc"]],
    ["[ab]x", ["ax", "bx"], ["cx", "[ab]x"]],
    ["[!ab]x", ["cx"], ["ax", "/x"]],
    ["[a-c]x", ["bx"], ["dx", "-x"]],
    ["[ab", ["[ab"], ["a"]],
    ["[a/b]", ["[a/b]"], ["a"]],
    ["{a,b}.js", ["a.js", "b.js"], ["c.js", "{a,b}.js"]],
    ["{a,{b,c}d,}x", ["ax", "bdx", "cdx", "x"], ["dx"]],
    ["{single}", ["{single}"], ["single"]],
    ["{a,b", ["{a,b"], ["a"]],
    ["{a,{b}}", ["a", "{b}"], ["b"]],
    ["{a,\\,,[,}]}", ["a", ",", "}"], ["b"]],
    ["a}b", ["a}b"], ["ab"]],
    ["{package.json,*.yml}", ["package.json", "x.yml"], ["y.json"]],
    ["f{1..10}", ["f1", "f10", "f7"], ["f0", "f11", "f", "f1x"]],
    ["f{-3..+3}", ["f-3", "f+2", "f0"], ["f4", "f-4"]],
    ["\\*\\{", ["*{"], ["x{"]],
    ["", [""], ["a"]],
  ])("%s", (pattern, fitting, other) => {
    const glob = editorconfig(pattern);
    expect(fitting.filter((path) => !glob(path))).toEqual([]);
    expect(other.filter(glob)).toEqual([]);
  });

  test("with a range of numbers matches each number in it, with a sign and leading zeros", () => {
    for (const [least, most] of [
      [0, 0],
      [1, 9],
      [7, 123],
      [-12, 5],
      [-130, -99],
      [995, 1005],
    ] as const) {
      const matches = editorconfig(`{${least}..${most}}`);
      for (let number = -1_200; number <= 1_200; number += 1) expect([number, matches(String(number))]).toEqual([number, number >= least && number <= most]);
    }
    const matches = editorconfig("f{-3..999999999999999999}");
    expect(["f007", "f+07", "f-002", "f-0", "f123456789012345678", "f-4", "f1000000000000000000", "f"].map(matches)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

test.each([
  `${"*a".repeat(200)}b`,
  `${"*a".repeat(250)}c`,
  `${"{a,a}".repeat(200)}c`,
  `${"{*,**}".repeat(150)}c`,
  "{1..9}".repeat(150),
  "{".repeat(1_000),
  "[".repeat(1_000),
  "{-999999999999999999..999999999999999999}".repeat(24),
])("matches in linear time: %.20s", (pattern) => {
  // An engine that tries alternatives one by one would not end within the time of a test.
  expect(editorconfig(pattern)(`${"a".repeat(2_000)}b`)).toBe(pattern.endsWith("b"));
  expect(matches(pattern, "x".repeat(2_000)) ?? false).toBe(false);
});

test("many patterns match like each of them, in any number", () => {
  const globs = Array.from({ length: 3_000 }, (_, n) => parseGlob(`Src/**/file${n}.{ts,js}`, { separators: "./", ignoresCase: true }) ?? []).flat();
  const matchesAny = matchAny(globs);
  const paths = ["src/a/file0.ts", "SRC/a/b/file2999.js", "src/file3000.ts", "src/a/file7.tsx"];
  expect(paths.map(matchesAny)).toEqual([true, true, false, false]);
  expect(paths.map((path) => globs.some((glob) => glob.matches(path)))).toEqual([true, true, false, false]);
  expect(matchAny([])("x")).toBe(false);
});

test("without special characters is plain text", () => {
  expect([isPlainText("release/1.0"), isPlainText("release/*"), isPlainText("a[b]"), isPlainText("a\\b")]).toEqual([true, false, false, false]);
});
