import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeCoverage } from "../coverage.ts";
import { repositoryRoot } from "../repository.ts";
import { makeEmoji } from "./emoji.ts";
import { makeEvents } from "./events.ts";
import { makeGitignores } from "./gitignores.ts";
import { makeHighlightLanguages } from "./highlight-languages.ts";
import { makeIconShapes } from "./icons.ts";
import { makeLicenses } from "./licenses.ts";
import { makeProgrammingLanguages } from "./programming-languages.ts";
import { makeScopes } from "./scopes.ts";
import { makeSqliteSchema } from "./sqlite-schema.ts";

/**
 * Generated files: extracts of development packages, so that the server does not depend on the whole packages, and tables derived from the
 * server's declarations.
 */
export const generated: Readonly<Record<string, () => string | Promise<string>>> = {
  "src/db/migrations/sqlite-schema.json": makeSqliteSchema,
  "src/features/site/license-templates/data/licenses.json": makeLicenses,
  "src/features/site/license-templates/data/gitignores.json": makeGitignores,
  "src/features/site/markup/data/emoji.json": makeEmoji,
  "src/features/site/markup/highlight-languages.ts": makeHighlightLanguages,
  "src/features/repositories/repos/data/languages.json": makeProgrammingLanguages,
  "src/ui/icon-shapes.json": makeIconShapes,
  "docs/events.md": makeEvents,
  "docs/scopes.md": makeScopes,
};

/** @returns the files that are out of date */
export async function outdated(): Promise<string[]> {
  const files = await Promise.all(Object.entries(generated).map(async ([file, make]) => ({ file, text: await make() })));
  return files.filter(({ file, text }) => current(file) !== text).map(({ file }) => file);
}

function current(file: string): string | undefined {
  try {
    return readFileSync(join(repositoryRoot, file), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

if (import.meta.main) {
  for (const file of await outdated()) {
    const make = generated[file] as () => string | Promise<string>;
    writeFileSync(join(repositoryRoot, file), await make());
    console.log(`wrote ${file}`);
  }
  await writeCoverage();
}
