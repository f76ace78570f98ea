import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The page says which test shows what: a title that is no test's any longer would promise what nobody tries. */
const page = new URL("../../docs/security.md", import.meta.url);
const text = readFileSync(page, "utf8");

test("every test that docs/security.md names is there", () => {
  const named = [...text.matchAll(/\[([^\]]+)\]\((\.\.\/[^)]+\.test\.ts)\)/g)].map(([, title = "", path = ""]) => ({ title, path }));
  expect(named.length).toBeGreaterThan(40);
  const missing = named.filter(({ title, path }) => !readFileSync(new URL(path, page), "utf8").includes(`"${title}"`));
  expect(missing).toEqual([]);
});

test("every row of docs/security.md names one", () => {
  const rows = text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Attack "));
  expect(rows.filter((row) => !row.includes(".test.ts)"))).toEqual([]);
});
