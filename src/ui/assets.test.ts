import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { scriptFolder, scriptPathIn, scripts } from "./script.ts";
import { style } from "./style.ts";

const packedBytes = (text: string): number => gzipSync(text).length;

test("compressed, the scripts of a page take at most 60 KB and its style sheet at most 20 KB", () => {
  const bytes = [...scripts.values()].reduce((sum, text) => sum + packedBytes(text), 0);
  expect(bytes).toBeLessThan(60_000);
  expect(packedBytes(style)).toBeLessThan(20_000);
});

test("the style sheet contains every file of style/", () => {
  const folder = new URL("./style/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name !== "main.css");
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect([name, style.includes(readFileSync(new URL(name, folder), "utf8"))]).toEqual([name, true]);
});

test("scripts import only existing scripts", () => {
  const requested = [...scripts.values()].flatMap((text) => [...text.matchAll(/^import .*? from "(.*?)";$/gm)].map(([, name = ""]) => name));
  expect(requested.length).toBeGreaterThan(5);
  for (const name of requested) expect([name, scripts.has(name.replace(/^\.\//, ""))]).toEqual([name, true]);
  expect([...scripts.keys()]).toEqual(expect.arrayContaining(["main.js", "main-en.js", "main-de.js"]));
  expect(scriptPathIn("de")).toBe(`/assets/${scriptFolder}/main-de.js`);
});
