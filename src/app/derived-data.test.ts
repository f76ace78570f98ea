import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("docs/derived-data.md", "utf8");
const sources = globSync("src/**/*.ts")
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

/** All strings that a pattern captures in the sources. */
const captured = (pattern: RegExp): string[] => sources.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
const isNamed = (name: string): boolean => page.includes(`\`${name}\``);

test.each<readonly [kind: string, names: readonly string[], least: number]>([
  ["listener of events", captured(/\bafterCommit\(\s*"([^"]+)"/g), 10],
  ["job", captured(/defineJob<[^(]*\(\s*"([^"]+)"/g), 18],
  ["schedule", captured(/\{\s*name: "([^"]+)",\s*everyMs:/g), 14],
  ["database channel", captured(/db\s*\.listen\(\s*"([^"]+)"/g), 4],
  ["file with a cache in memory", sources.filter(({ text }) => /new LRUCache\b/.test(text)).map(({ path }) => path), 12],
  ["file that a snapshot or a copy of refs consists of", captured(/name: "(packed-refs|HEAD)", content/g), 2],
])("docs/derived-data.md names every %s", (_kind, names, least) => {
  expect(new Set(names).size).toBeGreaterThanOrEqual(least);
  expect(names.filter((name) => !isNamed(name))).toEqual([]);
});

test("docs/derived-data.md names no file, job or schedule that does not exist", () => {
  const known = sources.map(({ path, text }) => `${path}\n${text}`).join("\n");
  const named = [...page.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name.replace(/^git_stores\./, ""));
  expect(named.filter((name) => !known.includes(name))).toEqual(["src/app/derived-data.test.ts"]);
});
