import { expect, test } from "vitest";
import { linesOfHunk, partsOf, suggestionOf } from "./suggestions.ts";

test("parses a suggestion block as a separate part of a comment", () => {
  expect(partsOf("Rather:\n\n```suggestion\nconst a = 1;\n\nconst b = 2;\n```\n\nThanks.")).toEqual([
    { kind: "text", text: "Rather:\n" },
    { kind: "suggestion", lines: ["const a = 1;", "", "const b = 2;"] },
    { kind: "text", text: "\nThanks." },
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
