import { expect, test } from "vitest";
import { expensiveTables } from "../../../../test/kit/expensive-texts.ts";
import { renderTableFile } from "./table-file.ts";

const cellsOf = (html: string): string[][] =>
  html
    .split("<tr>")
    .slice(1)
    .map((row) => [...row.matchAll(/<t[hd]>([^<]*)</g)].map(([, cell]) => cell ?? ""));

test("values become a table with the first line as heading", () => {
  expect(renderTableFile("a,b\n1,2\n", false)).toBe(
    '<table class="data-table"><tr><th class="line-num">1</th><th>a</th><th>b</th></tr>\n<tr><td class="line-num">2</td><td>1</td><td>2</td></tr></table>\n',
  );
});

test.each<[string, string[][]]>([
  ["a;b,c;d\n", [["a", "b,c", "d"]]],
  [
    "a|b\nc|d",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ['"a,b","c""d"\n', [["a,b", 'c"d'.replace('"', "&quot;")]]],
  ['"two\nlines",x\n', [["two\nlines", "x"]]],
  ["a,\n,b\r\n\nc", [["a", ""], ["", "b"], [""], ["c"]]],
  ['"unclosed, and\nmore', [["unclosed, and\nmore"]]],
  ['"a"b,c', [["ab", "c"]]],
  ["<script>,&", [["&lt;script&gt;", "&amp;"]]],
  ["", [[""]]],
])("%j", (text, expected) => {
  expect(cellsOf(renderTableFile(text, false))).toEqual(expected);
});

test("tab-separated files are supported", () => {
  expect(cellsOf(renderTableFile("a,b\tc", true))).toEqual([["a,b", "c"]]);
});

test.each(Object.entries(expensiveTables))("a table with too many cells is returned as text early: %s", (_name, text) => {
  expect(renderTableFile(text, false)).toMatch(/^<(pre|table class="data-table")>/);
});
