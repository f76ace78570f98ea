import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/kit/cpu.ts";
import { settingsFor } from "./editorconfig.ts";
import { compileGlob } from "./glob.ts";

describe("editorconfig patterns", () => {
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
    const glob = compileGlob(pattern);
    expect(fitting.filter((path) => !glob(path))).toEqual([]);
    expect(other.filter(glob)).toEqual([]);
  });

  test("matching time is bounded by pattern length times path length", () => {
    const path = `${"a".repeat(2_000)}b`;
    const started = cpuMs();
    for (const pattern of [
      `${"*a".repeat(250)}c`,
      `${"{a,a}".repeat(200)}c`,
      `${"{*,**}".repeat(150)}c`,
      "{".repeat(1000),
      "[".repeat(1000),
      "{1..9}".repeat(150),
    ]) {
      expect(compileGlob(pattern)(path)).toBe(false);
    }
    expect(cpuMs() - started).toBeLessThan(5_000);
  });
});

describe("editorconfig properties of a path", () => {
  const text =
    "\ufeff# top\nroot = true\r\n[*]\nIndent_Style = SPACE\nindent_size=4\n; no\n[*.md]\nindent_size = 2\n[src/*.go]\nindent_style = tab\nindent_size = unset\n[/top]\ncharset = utf-8\n[bad\nx = y\nno value\n";
  test("later sections take precedence, and unset properties are omitted", () => {
    expect([...settingsFor(text, "a.txt")]).toEqual([
      ["indent_style", "space"],
      ["indent_size", "4"],
    ]);
    expect(settingsFor(text, "docs/README.md").get("indent_size")).toBe("2");
    expect([...settingsFor(text, "src/x.go")]).toEqual([
      ["indent_style", "tab"],
      ["indent_size", "tab"],
    ]);
    expect(settingsFor(text, "lib/src/x.go").get("indent_style")).toBe("space");
    expect(settingsFor(text, "top").get("charset")).toBe("utf-8");
    expect(settingsFor(text, "d/top").has("charset")).toBe(false);
    expect(settingsFor("", "x").size).toBe(0);
    expect(settingsFor("indent_size = 3\n", "x").size).toBe(0);
  });
});
