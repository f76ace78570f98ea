import { expect, test } from "vitest";
import { highlightCode, loadGrammars } from "./highlight.ts";
import { highlightedLines } from "./highlighted-lines.ts";

test("closes and reopens spans so that each line of highlighted code is valid by itself", async () => {
  await loadGrammars(["ts"]);
  const code = "const a = `x ${'<b>'}\n  y`;\n/* one\n\ntwo */ let z;";
  const lines = highlightedLines(highlightCode(code, "ts") ?? "");
  const texts = lines.map((line) =>
    line
      .replace(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&#x27;", "'"),
  );
  expect(texts).toEqual(code.split("\n"));
  for (const line of lines) expect(line.match(/<span/g)?.length ?? 0).toBe(line.match(/<\/span/g)?.length ?? 0);
  expect(lines[2]).toBe('<span class="hljs-comment">/* one</span>');
  expect(lines[3]).toBe('<span class="hljs-comment"></span>');
});
