import { expect, test } from "vitest";
import { linesOfHunk, partsOf, suggestionOf, withTask } from "./suggestions.ts";

test("parses a suggestion block as a separate part of a comment", () => {
  expect(partsOf("Rather:\n\n```suggestion\nconst a = 1;\n\nconst b = 2;\n```\n\nThanks.")).toEqual([
    { kind: "text", text: "Rather:\n", offset: 0 },
    { kind: "suggestion", lines: ["const a = 1;", "", "const b = 2;"] },
    { kind: "text", text: "\nThanks.", offset: 54 },
  ]);
  expect(suggestionOf("```suggestion\n```")).toEqual([]);
  expect(suggestionOf("````suggestion\n```js\nx\n```\n````")).toEqual(["```js", "x", "```"]);
});

test("treats incomplete or nested suggestion blocks as text", () => {
  for (const text of ["No block", "```suggestion\nnever ends", "```md\n```suggestion\nx\n```", " > ```suggestion", "```suggestions\nx\n```"])
    expect([text, suggestionOf(text)]).toEqual([text, undefined]);
});

test("takes the commented lines from the end of the hunk", () => {
  const hunk = "@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n+drei";
  expect(linesOfHunk(hunk, "new", 2)).toEqual(["zwei", "drei"]);
  expect(linesOfHunk(hunk, "new", 3)).toEqual(["one", "zwei", "drei"]);
  expect(linesOfHunk(hunk, "old", 1)).toEqual(["two"]);
});

test("finds task items by their position in a part, and changes only their mark", () => {
  const content = "Für später:\r\n\r\n- [ ] one\r\n```suggestion\r\nx\r\n```\r\n- [x] two ü\r\n```suggestion \r\n- [ ] three";
  for (const [word, isDone] of [
    ["one", true],
    ["two", false],
    ["three", true],
  ] as const) {
    const part = partsOf(content).find((one) => one.kind === "text" && one.text.includes(word));
    if (part?.kind !== "text") throw new Error("no part");
    const inPart = part.text.slice(0, part.text.indexOf(word) - 4);
    const unix = content.replaceAll("\r\n", "\n");
    const at = unix.indexOf(word) - 4;
    expect(withTask(content, part.offset + Buffer.byteLength(inPart), isDone)).toBe(`${unix.slice(0, at)}[${isDone ? "x" : " "}]${unix.slice(at + 3)}`);
  }
  for (const position of [-1, 0, 3, 10_000]) expect(withTask(content, position, true)).toBeUndefined();
});
