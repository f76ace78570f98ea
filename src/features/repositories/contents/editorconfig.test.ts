import { describe, expect, test } from "vitest";
import { settingsFor } from "./editorconfig.ts";

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
