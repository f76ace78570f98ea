import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readScript, scriptFolder, scriptNames, scriptPathIn } from "./script.ts";
import { style } from "./style.ts";
import { sharedTexts } from "./texts/shared.ts";
import { languages } from "./texts/texts.ts";

const packedBytes = (text: string): number => gzipSync(text).length;

test("compressed, the scripts of a page take at most 60 KB and its style sheet at most 20 KB", async () => {
  const texts = await Promise.all(["main-en.js", "diagram-frame.js"].map(readScript));
  const bytes = texts.map((text = "") => packedBytes(text));
  expect(Math.min(...bytes)).toBeGreaterThan(100);
  expect(bytes.reduce((sum, more) => sum + more)).toBeLessThan(60_000);
  expect(packedBytes(style)).toBeLessThan(20_000);
});

test("the style sheet contains every file of style/", () => {
  const folder = new URL("./style/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name !== "main.css");
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect([name, style.includes(readFileSync(new URL(name, folder), "utf8"))]).toEqual([name, true]);
});

test("each language has one script with all modules of scripts/, and another script runs in the frame of a diagram", async () => {
  const folder = new URL("./scripts/", import.meta.url);
  const bundled = readdirSync(folder).filter((name) => name.endsWith(".js") && name !== "diagram-frame.js");
  expect(bundled.length).toBeGreaterThan(30);
  for (const language of languages) {
    const name = `main-${language}.js`;
    const script = (await readScript(name)) ?? "";
    expect(scriptPathIn(language)).toBe(`/assets/${scriptFolder}/${name}`);
    // The bundler writes the name of each module above its code.
    expect([name, bundled.filter((module) => !script.includes(`/scripts/${module}`))]).toEqual([name, []]);
    expect([name, script.endsWith(`hearth.start(${JSON.stringify(sharedTexts[language].scripts)});\n`)]).toEqual([name, true]);
  }
  expect([...scriptNames].sort()).toEqual(["diagram-frame.js", ...languages.map((language) => `main-${language}.js`)].sort());
  expect(await readScript("main.js")).toBeUndefined();
});
