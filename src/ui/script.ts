import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assetUrl, isSourceTree } from "./assets.ts";
import { sharedTexts } from "./texts/shared.ts";
import { type Language, languages } from "./texts/texts.ts";

const folder = assetUrl("scripts/");

const mainModule = "main.js";

/** The modules of `scripts/`. The build contains them as one minified file, which defines `hearth`, and the script of a frame. */
const modules = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .sort()
    .map((name) => [name, readFileSync(new URL(name, folder), "utf8")] as const),
);

/** Runs without the others, in the document in which diagrams are drawn. */
const frameScript = "diagram-frame.js";

/** Calls the function of the main module, with the texts of a language. */
const startIn = (language: Language): string => `hearth.start(${JSON.stringify(sharedTexts[language].scripts)});\n`;

/** The script of all pages in a language, by its file name. */
const starts = new Map(languages.map((language) => [`main-${language}.js`, startIn(language)]));

export const scriptNames: readonly string[] = [frameScript, ...starts.keys()];

/** The name contains the digest of all scripts, so browsers may cache them forever. */
export const scriptFolder = `scripts-${createHash("sha256")
  .update(JSON.stringify([...modules, ...starts]))
  .digest("hex")
  .slice(0, 16)}`;

/** Whether a name is that of the scripts of any version. */
export const isScriptFolder = (name: string): boolean => /^scripts-[0-9a-f]{16}$/.test(name);

const paths = new Map(languages.map((language) => [language, `/assets/${scriptFolder}/main-${language}.js`]));

export const scriptPathIn = (language: Language): string => paths.get(language) ?? "";

const scripts = new Map<string, Promise<string>>();

/** A script by its file name; undefined for an unknown name. */
export async function readScript(name: string): Promise<string | undefined> {
  const start = starts.get(name);
  if (start === undefined) return name === frameScript ? modules.get(name) : undefined;
  const script = scripts.get(name) ?? mainScript().then((text) => text + start);
  scripts.set(name, script);
  return script;
}

let main: Promise<string> | undefined;

/**
 * The build has bundled the modules; a server that runs from sources bundles them for the first page. A browser takes a third of the time of a
 * page to load 40 modules.
 */
function mainScript(): Promise<string> {
  main ??= isSourceTree ? bundleSources() : Promise.resolve(modules.get(mainModule) ?? "");
  return main;
}

async function bundleSources(): Promise<string> {
  const { build } = (await import("esbuild")).default;
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(mainModule, folder))],
    bundle: true,
    format: "iife",
    globalName: "hearth",
    target: "es2022",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}
