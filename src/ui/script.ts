import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { assetUrl, isSourceTree } from "./assets.ts";
import { sharedTexts } from "./texts/shared.ts";
import { type Language, languages } from "./texts/texts.ts";

const folder = assetUrl("scripts/");

/** The modules of `scripts/`. The build contains them as one minified file, which defines `hearth`. */
const modules = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .sort()
    .map((name) => [name, readFileSync(new URL(name, folder), "utf8")] as const),
);

const nameIn = (language: Language): string => `main-${language}.js`;

/** The script of all pages in a language. */
function scriptIn(language: Language): string {
  const texts = JSON.stringify(sharedTexts[language].scripts);
  return isSourceTree ? `import { start } from "./main.js";\nstart(${texts});\n` : `${modules.get("main.js")}hearth.start(${texts});\n`;
}

/** The served scripts by file name: the one of all pages for each language, further ones, and the modules of the sources. */
export const scripts: ReadonlyMap<string, string> = new Map([
  ...[...modules].filter(([name]) => isSourceTree || name !== "main.js"),
  ...languages.map((language) => [nameIn(language), scriptIn(language)] as const),
]);

/** The name contains the digest of all scripts, so browsers may cache them forever, and modules import each other by plain names. */
export const scriptFolder = `scripts-${createHash("sha256")
  .update(JSON.stringify([...scripts]))
  .digest("hex")
  .slice(0, 16)}`;

/** Whether a name is that of the scripts of any version. */
export const isScriptFolder = (name: string): boolean => /^scripts-[0-9a-f]{16}$/.test(name);

const paths = new Map(languages.map((language) => [language, `/assets/${scriptFolder}/${nameIn(language)}`]));

export const scriptPathIn = (language: Language): string => paths.get(language) ?? "";
