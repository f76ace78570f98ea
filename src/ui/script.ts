import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { sharedTexts } from "./texts/shared.ts";
import { languages } from "./texts/texts.ts";

/** The scripts of all pages: plain modules of `scripts/`, and their words in each language as modules beside them. */
export const scripts: ReadonlyMap<string, string> = new Map([
  ...readdirSync(folder())
    .filter((name) => name.endsWith(".js"))
    .sort()
    .map((name) => [name, readFileSync(new URL(name, folder()), "utf8")] as const),
  ...languages.map((language) => [`texts-${language}.js`, `export const texts = ${JSON.stringify(sharedTexts[language].scripts)};\n`] as const),
]);

/** The folder's name holds the digest of all that is in it, so browsers may keep each module for good, and modules ask for each other by plain names. */
export const scriptFolder = `scripts-${createHash("sha256")
  .update(JSON.stringify([...scripts]))
  .digest("hex")
  .slice(0, 16)}`;
export const scriptPath = `/assets/${scriptFolder}/main.js`;

/** The build lays them beside the program. */
function folder(): URL {
  if (import.meta.url.endsWith(".ts")) return new URL("./scripts/", import.meta.url);
  return new URL(import.meta.url.includes("/chunks/") ? "../scripts/" : "./scripts/", import.meta.url);
}
