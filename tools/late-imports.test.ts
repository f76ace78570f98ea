import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { repositoryRoot } from "./repository.ts";

/** Whether the entry file of an imported package is an ES module. */
function isEsModule(name: string): boolean {
  const path = fileURLToPath(import.meta.resolve(name));
  if (extname(path) !== ".js") return extname(path) === ".mjs";
  let folder = dirname(path);
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).type === "module";
}

test("lazily loaded CommonJS packages are imported by their default export, the only one they have in the bundle", () => {
  const late = globSync("src/**/*.{ts,tsx}", { cwd: repositoryRoot }).flatMap((file) => {
    const text = readFileSync(join(repositoryRoot, file), "utf8");
    return [...text.matchAll(/await import\("([a-z@][^"]*)"\)(\)\.default)?/g)].map(([, name = "", byDefault]) => ({
      file,
      name,
      byDefault: byDefault !== undefined,
    }));
  });
  expect(late.length).toBeGreaterThan(5);
  expect(late.filter(({ name, byDefault }) => !byDefault && !isEsModule(name))).toEqual([]);
});
