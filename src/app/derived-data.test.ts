import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("docs/derived-data.md", "utf8");
/** Scripts of the browser run in pages, one visitor at a time. */
const sources = globSync("src/**/*.{ts,tsx}")
  .filter((path) => !/\.test\.tsx?$/.test(path) && !path.startsWith("src/ui/scripts/"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

/** All strings that a pattern captures in the sources. */
const captured = (pattern: RegExp): string[] => sources.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
/** The text between `beforeCommit(` and the name has no parenthesis; anything else is reported as it is written. */
const handlersBeforeCommit = sources
  .filter(({ path }) => path.endsWith("/feature.ts"))
  .flatMap(({ text }) => text.split("beforeCommit(").slice(1))
  .map((rest) => /^[^()]*?,\s*(\w+)\)/.exec(rest)?.[1] ?? rest.slice(0, 40));
const isNamed = (name: string): boolean => page.includes(`\`${name}\``);

/** Without initial content, so not a table of constants. */
const emptyContainer = /= (?:\{ .*)?new (?:Map|Set|WeakMap|WeakSet|LRUCache)(?:<.*>)?\((?:\{|\))/;
/** Functions whose results live as long as the server, or as long as one request or connection. */
const factory = /^(?:create|open|start|compiled)/;

/** Whether a module or one of its factories keeps values between calls: a variable of the module, or a map that a factory's result refers to. */
function keepsState(text: string): boolean {
  let owner = "";
  for (const line of text.split("\n")) {
    owner = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/.exec(line)?.[1] ?? owner;
    if (/^let /.test(line) || (/^(?:export )?const /.test(line) && emptyContainer.test(line))) return true;
    if (/^ {2}(?:readonly |const )?#?\w+(?:: .+)? = /.test(line) && emptyContainer.test(line) && (factory.test(owner) || /^ {2}(?:readonly|#)/.test(line)))
      return true;
  }
  return false;
}

test.each<readonly [kind: string, names: readonly string[], least: number]>([
  ["listener of events", captured(/\bafterCommit\(\s*"([^"]+)"/g), 10],
  ["job", captured(/defineJob<[^(]*\(\s*"([^"]+)"/g), 18],
  ["schedule", captured(/\{\s*name: "([^"]+)",\s*everyMs:/g), 14],
  ["database channel", captured(/db\s*\.listen\(\s*"([^"]+)"/g), 4],
  ["handler before COMMIT", handlersBeforeCommit, 17],
  ["file with a cache in memory", sources.filter(({ text }) => /new LRUCache\b/.test(text)).map(({ path }) => path), 12],
  ["file that keeps values in memory between calls", sources.filter(({ text }) => keepsState(text)).map(({ path }) => path), 40],
  ["file that a snapshot or a copy of refs consists of", captured(/name: "(packed-refs|HEAD)", content/g), 2],
])("docs/derived-data.md names every %s", (_kind, names, least) => {
  expect(new Set(names).size).toBeGreaterThanOrEqual(least);
  expect(names.filter((name) => !isNamed(name))).toEqual([]);
});

test.each([
  ["a map of the module", "const known = new Map<string, Value>();", true],
  ["a variable of the module", "let table: Promise<Table> | undefined;", true],
  ["a map of a factory", "export function createReader() {\n  const kept = new Map<string, number>();\n}", true],
  ["a field of a class", "class Reader {\n  readonly #kept = new Set<string>();\n}", true],
  ["a table of constants", 'const names = new Map([["a", 1]]);', false],
  ["a map of one call", "export function read() {\n  const found = new Map<string, number>();\n}", false],
])("recognizes %s", (_what, text, expected) => {
  expect(keepsState(text)).toBe(expected);
});

test("docs/derived-data.md names no file, job or schedule that does not exist", () => {
  const known = sources.map(({ path, text }) => `${path}\n${text}`).join("\n");
  const named = [...page.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name.replace(/^git_stores\./, ""));
  expect(named.filter((name) => !known.includes(name))).toEqual(["src/app/derived-data.test.ts"]);
});
