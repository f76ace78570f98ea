import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { assetUrl } from "./assets.ts";
import { sharedTexts } from "./texts/shared.ts";
import { languages } from "./texts/texts.ts";

const folder = assetUrl("scripts/");

/** The scripts of all pages by file name: the modules of `scripts/`, and a module with their texts for each language. */
export const scripts: ReadonlyMap<string, string> = new Map([
  ...readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .sort()
    .map((name) => [name, readFileSync(new URL(name, folder), "utf8")] as const),
  ...languages.map((language) => [`texts-${language}.js`, `export const texts = ${JSON.stringify(sharedTexts[language].scripts)};\n`] as const),
]);

/** The name contains the digest of all modules, so browsers may cache them forever, and modules import each other by plain names. */
export const scriptFolder = `scripts-${createHash("sha256")
  .update(JSON.stringify([...scripts]))
  .digest("hex")
  .slice(0, 16)}`;
export const scriptPath = `/assets/${scriptFolder}/main.js`;
