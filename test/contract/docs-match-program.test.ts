import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { adminCommands } from "../../src/app/commands/table.ts";
import { allSettings } from "../../src/config/config.ts";
import { environmentName } from "../../src/config/settings.ts";
import { repositoryRoot } from "../../tools/repository.ts";

/** Settings, commands and messages that the pages name exist in the program. */

const read = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");
const docs = readdirSync(join(repositoryRoot, "docs")).filter((name) => name.endsWith(".md"));
const pages = ["README.md", "CONTRIBUTING.md", ...docs.map((name) => `docs/${name}`)].map((path) => ({ path, text: read(path) }));

test("docs/README.md lists every page of docs, and README.md links to it", () => {
  const index = read("docs/README.md");
  expect(docs.filter((name) => name !== "README.md" && !index.includes(`](${name})`))).toEqual([]);
  expect(read("README.md")).toContain("](docs/README.md)");
});

test("pages name only environment variables that exist", () => {
  const known = new Set(["HEARTH_CONFIG", ...allSettings().map(({ section, name, setting }) => environmentName(section, name, setting))]);
  // Variables of the tests and benchmarks, in the pages for developers.
  const ofTools = /^HEARTH_(TEST|BENCH|GALLERY|CONFORMANCE)/;
  const named = pages.flatMap(({ path, text }) => [...text.matchAll(/\bHEARTH_[A-Z][A-Z0-9_]*\b/g)].map(([name]) => ({ path, name })));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => !known.has(name) && !ofTools.test(name))).toEqual([]);
});

test("pages name only settings that exist", () => {
  const known = new Set(allSettings().map(({ section, name }) => `${section}.${name}`));
  const sections = [...new Set(allSettings().map(({ section }) => section))].join("|");
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(`\`((?:${sections})\\.[a-z][a-z0-9_]*)\``, "g"))].map(([, name = ""]) => ({ path, name })),
  );
  const operators = [
    "docs/install.md",
    "docs/operating.md",
    "docs/reverse-proxy.md",
    "docs/backup.md",
    "docs/upgrade.md",
    "docs/sign-in.md",
    "docs/credentials.md",
  ];
  // The manifest of a backup is a file.
  const ofOperators = named.filter(({ path, name }) => operators.includes(path) && name !== "backup.json");
  expect(ofOperators.length).toBeGreaterThan(20);
  expect(ofOperators.filter(({ name }) => !known.has(name))).toEqual([]);
});

test("pages name only commands that exist", () => {
  const named = pages.flatMap(({ path, text }) => [...text.matchAll(/hearth admin ([a-z-]+(?: [a-z-]+)?)/g)].map(([, words = ""]) => ({ path, words })));
  expect(named.length).toBeGreaterThan(10);
  const isKnown = (words: string): boolean => adminCommands.some((command) => command.words === words || command.words.startsWith(`${words} `));
  expect(named.filter(({ words }) => !isKnown(words))).toEqual([]);
});

test("the troubleshooting table of docs/operating.md quotes messages that the program has", () => {
  const rows = read("docs/operating.md")
    .split("\n")
    .filter((line) => line.startsWith('| "'));
  const quotes = rows.map((row) => /^\| "([^"]+)"/.exec(row)?.[1] ?? "");
  expect(quotes.length).toBeGreaterThan(4);
  const missing = quotes.filter((quote) => {
    try {
      execFileSync("git", ["grep", "-qF", quote, "--", "src"], { cwd: repositoryRoot });
      return false;
    } catch {
      return true;
    }
  });
  expect(missing).toEqual([]);
});
