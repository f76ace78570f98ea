import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { checkTree } from "./check-tree.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

function check(
  files: Readonly<Record<string, string>>,
  exceptions: Readonly<Record<string, string>> = {},
  allowed: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
  timed: Readonly<Record<string, string>> = {},
): string[] {
  const root = mkdtempSync(join(tmpdir(), "tree-"));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkTree(root, exceptions, allowed, timed).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

const lines = (count: number): string => "export {};\n".repeat(count);
// Concatenated, so that this file does not violate the rules it tests.
const later = "TO-DO".replace("-", "");
const checkout = ["", "work", "hearth"].join("/");
const shared = ["", "tmp"].join("/");
const home = ["", "home", "someone", "hearth"].join("/");

test.each([
  ["package-lock.json", `{\n"resolved": "https://registry.example/a.tgz"\n}`, 2, /the URL (?:of a registry|or credentials of a registry)/],
  [
    "package-lock.json",
    `{ "packages": { "": { "dependencies": { "a": "1" } }, "node_modules/a": { "optionalDependencies": { "@b/c": "1" } } } }`,
    1,
    /@b\/c is required/,
  ],
  [".npmrc", "save-exact=true\nregistry=https://registry.example", 2, /the URL (?:of a registry|or credentials of a registry)/],
  ["src/a.ts", `// ${later}: later`, 1, /unfinished work/],
  ["src/a.ts", `  * ${later}: later`, 1, /unfinished work/],
  [".ci/run", `# ${later}: later`, 1, /unfinished work/],
  ["docs/a.md", `open ${home}`, 1, /absolute path/],
  ["src/a.ts", `const path = "${home}";`, 1, /absolute path/],
  ["src/a.test.ts", `const path = "${checkout}";`, 1, /absolute path/],
  ["src/a.test.ts", `const home = await mkdtemp("${shared}/key-");`, 1, /use tmpdir\(\)/],
  ["README.md", `a\n${"<".repeat(7)} ours\n`, 2, /merge conflict/],
  ["src/a.ts", lines(401), 401, /401 lines, above 400/],
  ["src/a.test.ts", lines(801), 801, /801 lines, above 800/],
  ["src/a.ts", "// Sent to whoever asks.", 1, /"whoever" is not plain technical English: name the role/],
  ["docs/picture.svg", "x".repeat(1_000_001), 1, /1000001 bytes/],
])("rejects the text of %s (%#)", (file, text, line, message) => {
  const faults = check({ [file]: text });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(message);
  expect(faults[0]).toMatch(`${file}:${line} `);
});

test("accepts similar but harmless text", () => {
  expect(
    check({
      "package-lock.json": `{ "packages": { "": { "dependencies": { "a": "1" } }, "node_modules/x/node_modules/a": { "funding": { "url": "https://example.org/sponsor" } } } }`,
      "src/a.ts": `${lines(399)}const method = "${later}"; // https://example.org/home/page, src/work/item, ./home/x\n`,
      "src/a.test.ts": `${lines(799)}const path = "${home}";\n`,
      "docs/long.md": "line\n".repeat(2_000),
      "node_modules/a/index.js": `// ${later}`,
      "contract/types.json": later,
      "docs/picture.png": `\0${later}`,
    }),
  ).toEqual([]);
});

describe("tests that measure time", () => {
  const clock = ["performance", "now()"].join(".");
  const now = ["Date", "now()"].join(".");

  test.each([
    `const startedMs = ${clock};`,
    `const before = process.${"cpu"}Usage();`,
    `import { ${"monitorEventLoop"}Delay } from "node:perf_hooks";`,
    `expect(${now} - startedMs).toBeLessThan(5);`,
    `expect(${now}).toBeLessThan(until);`,
  ])("are rejected: %s", (line) => {
    expect(check({ "src/a.test.ts": `\n${line}\n` })).toEqual([expect.stringMatching(/^src\/a\.test\.ts:2 a test that measures time/)]);
    expect(check({ "src/a.ts": line, "bench/a.ts": line })).toEqual([]);
  });

  test("are accepted with a reason, which has to be needed", () => {
    expect(check({ "src/a.test.ts": clock }, {}, {}, { "src/a.test.ts": "it has to" })).toEqual([]);
    expect(check({ "src/a.test.ts": "" }, {}, {}, { "src/a.test.ts": "it has to" })).toEqual([expect.stringMatching(/does not measure time any more/)]);
    expect(check({ "src/a.test.ts": `expect(await sweep(${now} - 5)).toBe(0);` })).toEqual([]);
  });
});

test("skips the .git file of a worktree", () => {
  expect(check({ ".git": `gitdir: ${home}/.git/worktrees/a`, "src/a.ts": lines(1) })).toEqual([]);
});

test("accepts a long file with a reason, and rejects a reason without its file", () => {
  expect(check({ "src/a.ts": lines(500) }, { "src/a.ts": "one table" })).toEqual([]);
  expect(check({ "src/a.ts": lines(5) }, { "src/a.ts": "one table" })).toEqual([expect.stringMatching(/not too long/)]);
  expect(check({}, { "src/a.ts": "one table" })).toEqual([expect.stringMatching(/not too long/)]);
});

test("Markdown pages name source files and folders that exist", () => {
  const page = "`src/a/one.ts`, `a/one.ts`, `src/a`, `src/a/`, `src/b/NNNN-name.ts`, one.ts, `src/<area>/two.ts`\n```\nhttp/one.ts\n```\n";
  const tree = { "src/a/one.ts": "", "src/http/one.ts": "" };
  expect(check({ ...tree, "README.md": page })).toEqual([]);
  for (const name of ["`src/c`", "`tools/one.ts`", "b/one.ts", "two.tsx"]) {
    const path = name.replaceAll("`", "");
    expect(check({ ...tree, "README.md": `# Top\n${name}\n` })).toEqual([`README.md:2 ${path} does not exist: name the file or folder of today`]);
  }
});

describe("links of Markdown pages", () => {
  const target = "# A page\n\n## Error codes: `too_large`, and others\n";

  test("lead to existing files and headings", () => {
    const links = "[a](docs/page.md) [b](docs/page.md#error-codes-too_large-and-others) [c](docs) [d](#top) [e](https://example.org/x#y)";
    const shown = "`[f](missing.md)`\n```\n[g](missing.md)\n```\n";
    expect(check({ "docs/page.md": target, "README.md": `# Top\n${links}\n${shown}` })).toEqual([]);
  });

  test.each(["docs/missing.md", "page.md", "docs/page.md#missing", "#missing"])("are rejected if %s does not exist", (link) => {
    expect(check({ "docs/page.md": target, "README.md": `# Top\n\n[a](${link})\n` })).toEqual([`README.md:3 a link to ${link}, which does not exist`]);
  });
});

describe("the test files that comments on quirks name", () => {
  const checkComment = (comment: string): string[] =>
    check({ "src/http/a.test.ts": "", "src/ui/b.test.tsx": "", "src/a.ts": `${comment}\nexport {};\n// See x.test.ts.\n` });

  test.each([
    "/** @compat a 404 (a.test.ts) */",
    "// @compat a 404 (http/a.test.ts, src/ui/b.test.tsx)",
    "/**\n * @compat a 404\n * (ui/b.test.tsx).\n */",
    "/** @compat a 404 without a test */",
    "// A 404 (x.test.ts).",
  ])("exist: %j", (comment) => expect(checkComment(comment)).toEqual([]));

  test.each([
    ["/** @compat a 404 (http/a.test.ts, x.test.ts) */", 1, "x.test.ts"],
    ["// @compat a 404\n// (ui/a.test.ts)", 2, "ui/a.test.ts"],
    ["/**\n * A page. @compat a 404\n * (p/a.test.ts).\n */", 3, "p/a.test.ts"],
    ["// @compat a 404 (b.test.ts)", 1, "b.test.ts"],
  ])("are rejected if they do not exist: %j", (comment, line, name) => {
    expect(checkComment(comment)).toEqual([`src/a.ts:${line} the test file ${name} does not exist: name the one that covers this quirk`]);
  });
});

describe("the index of decisions", () => {
  const record = "# 7. Plain words\n";

  test("lists each record by its title", () => {
    expect(check({ "docs/decisions/0007-plain.md": record, "docs/decisions/README.md": "| 7 | [Plain words](0007-plain.md) | x |\n" })).toEqual([]);
  });

  test.each(["", "| 7 | [Another title](0007-plain.md) | x |\n"])("is rejected without a record or with another title (%#)", (index) => {
    expect(check({ "docs/decisions/0007-plain.md": record, "docs/decisions/README.md": index })).toEqual([
      "docs/decisions/README.md:1 [Plain words](0007-plain.md) is missing: add a row for the record",
    ]);
  });
});

test("accepts a listed word with a reason, and rejects a reason that is not needed", () => {
  const allowed = { "docs/a.md": { nobody: "the name of a system user" } };
  const faultsOf = (text: string): string[] => check({ "docs/a.md": text }, {}, allowed);
  expect(faultsOf("The user nobody owns it.")).toEqual([]);
  expect(faultsOf("The user nobody owns it, so it stands there.")).toEqual([expect.stringMatching(/"stands" is not plain/)]);
  expect(faultsOf("The user www-data owns it.")).toEqual([expect.stringMatching(/does not use "nobody" any more/)]);
});
