import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { scriptFolder, scriptPath, scripts } from "./script.ts";
import { style } from "./style.ts";

const packedBytes = (text: string): number => gzipSync(text).length;

test("what a page needs besides itself stays small: scripts within 60 KB, the style sheet within 20 KB, as they are sent", () => {
  const bytes = [...scripts.values()].reduce((sum, text) => sum + packedBytes(text), 0);
  expect(bytes).toBeLessThan(60_000);
  expect(packedBytes(style)).toBeLessThan(20_000);
});

test("modules ask for each other alone, by names that are there", () => {
  const asked = [...scripts.values()].flatMap((text) => [...text.matchAll(/^import .*? from "(.*?)";$/gm)].map(([, name = ""]) => name));
  expect(asked.length).toBeGreaterThan(5);
  for (const name of asked) expect([name, scripts.has(name.replace(/^\.\//, ""))]).toEqual([name, true]);
  expect([...scripts.keys()]).toEqual(expect.arrayContaining(["main.js", "texts-en.js", "texts-de.js"]));
  expect(scriptPath).toBe(`/assets/${scriptFolder}/main.js`);
});
