import { expect, test } from "vitest";
import { findCalls, parseImports } from "./parse-imports.ts";

const specifiers = (source: string): string[] => parseImports(source).map(({ specifier }) => specifier);
const types = (source: string): boolean[] => parseImports(source).map(({ isTypeOnly }) => isTypeOnly);

test.each([
  [`import "./a.ts";`, false],
  [`import a from "./a.ts";`, false],
  [`import a, { b as c, default as d } from './a.ts'`, false],
  [`import * as a from "./a.ts";`, false],
  [`import {\n  a, // the first\n  b, /* } from "./no.ts" */\n} from "./a.ts";`, false],
  [`import { type A, b } from "./a.ts";`, false],
  [`import { type A } from "./a.ts";`, false],
  [`import type { A } from "./a.ts";`, true],
  [`import type A from "./a.ts";`, true],
  [`import type * as A from "./a.ts";`, true],
  [`import type from "./a.ts";`, false],
  [`import type, { a } from "./a.ts";`, false],
  [`import a from "./a.ts" with { type: "json" };`, false],
  [`export { a } from "./a.ts";`, false],
  [`export * from "./a.ts";`, false],
  [`export * as a from "./a.ts";`, false],
  [`export type { A } from "./a.ts";`, true],
  [`const a = await import("./a.ts");`, false],
  [`const a = (await import("./a.ts")).then;`, false],
  [`let a: import("./a.ts").A;`, true],
  [`let a: typeof import("./a.ts");`, true],
  [`const a = require("./a.ts");`, false],
  ['const a = `${await import("./a.ts")}`;', false],
  ["const a = `${{ b: `${import('./a.ts')}` }}`;", false],
])("finds the import of %s", (source, isTypeOnly) => {
  expect(parseImports(source)).toEqual([{ specifier: "./a.ts", line: 1, isTypeOnly }]);
});

test.each([
  `// import "./a.ts"`,
  `/* import "./a.ts" */`,
  `const a = 'import "./a.ts"';`,
  "const a = `import './a.ts' ${b} import './b.ts'`;",
  `const a = /import ".\\/a.ts"/;`,
  `const a = /[/"]/; // import "./a.ts"`,
  `const a = b / c; const d = 'import "./a.ts"' / e;`,
  "const a = import.meta.url;",
  `modules.import("./a.ts");`,
  "import(name);",
  `export const from = "./a.ts";`,
  `export { a };\nconst from = "./a.ts";`,
  `export type A = { from: "./a.ts" };`,
  "export type { A };",
])("finds no import in %s", (source) => {
  expect(specifiers(source)).toEqual([]);
});

test("reports the line on which each import begins", () => {
  const source = `/* two\n lines */ import "./a.ts";\nconst text = \`\n\n\`;\nimport {\n  b,\n} from "./b.ts";\nawait import(\n  "./c.ts");`;
  expect(parseImports(source).map(({ specifier, line }) => [specifier, line])).toEqual([
    ["./a.ts", 2],
    ["./b.ts", 6],
    ["./c.ts", 9],
  ]);
});

test("continues after unusual syntax", () => {
  expect(specifiers("const a = /`/; const b = c ? .5 / 2 : `${d}`;\nimport './a.ts'")).toEqual(["./a.ts"]);
  expect(specifiers(`function f(): void {}\n/x"/.test(y);\nimport "./a.ts";`)).toEqual(["./a.ts"]);
  expect(types(`export {};\nimport type { A } from "./a.ts";\nexport * from "./b.ts";`)).toEqual([true, false]);
});

test("finds method calls, but not other occurrences of the name", () => {
  const source = `const a = db.sql.selectFrom("x");\n// db.sql.selectFrom("x")\nconst selectFrom = "selectFrom(";\ndb?.sql\n  ?.selectFrom<"y">("y");`;
  expect(findCalls(source, new Set(["selectFrom"])).map(({ line }) => line)).toEqual([1, 5]);
});
