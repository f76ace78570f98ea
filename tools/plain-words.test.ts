import { expect, test } from "vitest";
import { findWords } from "./plain-words.ts";

const wordsIn = (file: string, text: string): string[] => findWords(file, () => text).map(({ line, word }) => `${line} ${word}`);

test.each([
  ["a line comment", "src/a.ts", "export const a = 1;\n// Whoever may read it.", ["2 Whoever"]],
  ["a comment of several lines", "src/a.ts", "/**\n * Says that the user\n * is told. He\n * does not wait.\n */", ["3 He", "3 told"]],
  ["a pronoun for a user", "src/a.tsx", "// Shows his issues to him.", ["1 his", "1 him"]],
  ["the name of a test", "src/a.test.ts", `test("a page that somebody reads", () => {});`, ["1 somebody"]],
  ["the name of a table of tests", "src/a.test.ts", `])("%s is sent as a letter", () => {});`, ["1 letter"]],
  ["a text of the interface", "src/ui/texts/site/english.ts", `title: "Nobody follows you",`, ["1 Nobody"]],
  ["a page", "docs/a.md", "# Title\n\nIt stands in the list.\n", ["3 stands"]],
  ["a cell of a table", "docs/a.md", "| Row | nobody may, there is none |", ["1 nobody"]],
  ["a relative clause as a subject", "docs/a.md", "The rows exist. What is left is removed.", ["1 What"]],
  ["a fragment", "src/a.ts", "/** Of the first line. */", ["1 Of"]],
  ["a script", "tools/a.mjs", "const a = 1; // It is none.", ["1 is none"]],
])("finds a listed word in %s", (_where, file, text, expected) => {
  expect(wordsIn(file, text)).toEqual(expected);
});

test.each([
  ["code", "src/a.ts", "const heard = letters(he); // sends the email"],
  ["a string of the program", "src/a.ts", `throw new Error("nobody can read it");`],
  ["quoted code in a comment", "src/a.ts", '// Sends `told` and "whoever asks".'],
  ["a block of a page", "docs/a.md", "```sh\ntold --whoever\n```"],
  ["the target of a link", "docs/a.md", "See [email](decisions/0029-letters-told.md)."],
  ["letters of the alphabet", "docs/a.md", "Lower-case letters, letters and digits, letters of other scripts."],
  ["words that contain a listed one", "src/a.ts", "// Outstanding: standard, tellurium, heritage, history, themes."],
  ["an ordinary use", "src/a.ts", "// Undefined if there is none. CSRF stands for cross-site request forgery."],
  ["a question", "CONTRIBUTING.md", "A reviewer asks: Who may see the result?"],
  ["data", "contract/types.json", `{"told": "whoever"}`],
])("ignores a listed word in %s", (_where, file, text) => {
  expect(wordsIn(file, text)).toEqual([]);
});

test("finds a listed word in a declared name, but not in a use or in a test", () => {
  const text = "export const askedNames = told(1);\nfunction tellUsers() {}\n  readonly isNobody: boolean;\n  readonly askedIds: string;\n";
  expect(wordsIn("src/a.ts", text)).toEqual(["1 askedNames", "2 tellUsers", "3 isNobody"]);
  expect(wordsIn("src/a.test.ts", text)).toEqual([]);
});

test("says what to write instead", () => {
  expect(findWords("docs/a.md", () => "It tells the user.")[0]?.advice).toContain("notifies");
});
