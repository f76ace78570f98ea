import { expect, test } from "vitest";
import { commandOf, lineHtml, segmentsOf } from "./log-text.ts";

test("colors of terminals become classes, and other sequences are removed", () => {
  expect(segmentsOf("plain")).toEqual([{ text: "plain", classes: "" }]);
  expect(segmentsOf("\x1b[1;31mbad\x1b[0m and \x1b[92mgood\x1b[39m!")).toEqual([
    { text: "bad", classes: "ansi-bold ansi-red" },
    { text: " and ", classes: "" },
    { text: "good", classes: "ansi-green" },
    { text: "!", classes: "" },
  ]);
  expect(segmentsOf("\x1b[2K\x1b[38;5;196mx\x1b[48;2;1;31;3my\x1b[1mz\x1b[22m.\x1b[999m")).toEqual([
    { text: "x", classes: "" },
    { text: "y", classes: "" },
    { text: "z", classes: "ansi-bold" },
    { text: ".", classes: "" },
  ]);
  expect(segmentsOf("")).toEqual([]);
});

test("commands of workflows are recognized in both notations", () => {
  expect(commandOf("##[group]Install")).toEqual({ kind: "group", text: "Install" });
  expect(commandOf("::error file=a.js,line=1::It failed: here")).toEqual({ kind: "error", text: "It failed: here" });
  expect(commandOf("::endgroup::")).toEqual({ kind: "endgroup", text: "" });
  for (const text of ["::set-output name=x::1", "a ::error::b", "##[other]x", "::"]) expect(commandOf(text)).toEqual({ kind: "text", text });
});

test("a line is escaped HTML with its number and time", () => {
  expect(lineHtml([Date.UTC(2026, 0, 2, 3, 4, 5), `##[error]\x1b[31m<script>"&\x1b[0m`], 6)).toBe(
    '<li id="L7" value="7" class="log-error"><time datetime="2026-01-02T03:04:05Z">03:04:05</time>' +
      '<span><span class="ansi-red">&lt;script&gt;&quot;&amp;</span></span></li>',
  );
});
