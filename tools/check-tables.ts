import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Violation } from "./check-imports.ts";
import { findTableWrites } from "./parse-imports.ts";
import { repositoryRoot } from "./repository.ts";
import { dynamicWrites, tableExceptions, tableOwners } from "./table-owners.ts";

/** The declarations of `table-owners.ts`. */
export interface TableRules {
  readonly owners: Readonly<Record<string, readonly string[]>>;
  readonly exceptions: typeof tableExceptions;
  readonly dynamic: Readonly<Record<string, readonly string[]>>;
}

const declared: TableRules = { owners: tableOwners, exceptions: tableExceptions, dynamic: dynamicWrites };

/** Checks that each table is written by its owner only, and that the declarations are complete and necessary. Tests and migrations are not checked. */
export function checkTables(root: string, { owners, exceptions, dynamic }: TableRules = declared): Violation[] {
  const ownerOf = new Map(Object.entries(owners).flatMap(([owner, tables]) => tables.map((table) => [table, owner] as const)));
  const violations: Violation[] = [];
  const writers = new Set<string>();
  const dynamicFiles = new Set<string>();

  for (const file of listSources(root)) {
    const writer = writerOf(file);
    for (const { table, line } of findTableWrites(readFileSync(join(root, file), "utf8"))) {
      if (table === undefined) dynamicFiles.add(file);
      const tables = table === undefined ? dynamic[file] : [table];
      if (tables === undefined) violations.push({ file, line, message: "a write to a table without a literal name: list the file in dynamicWrites" });
      for (const name of tables ?? []) {
        writers.add(`${writer} ${name}`);
        const owner = ownerOf.get(name);
        if (owner === undefined) violations.push({ file, line, message: `${name} has no owner: declare it` });
        else if (owner !== writer && !exceptions.some((one) => one.feature === writer && one.tables.includes(name)))
          violations.push({ file, line, message: `${writer} writes ${name}, a table of ${owner}: call a service of ${owner}` });
      }
    }
  }
  const needless = [
    ...[...ownerOf]
      .filter(([table, owner]) => !writers.has(`${owner} ${table}`))
      .map(([table, owner]) => `${owner} does not write ${table}: correct its owner`),
    ...exceptions.flatMap(({ feature, tables }) =>
      tables.filter((table) => !writers.has(`${feature} ${table}`)).map((table) => `${feature} does not write ${table}: remove the exception`),
    ),
    ...Object.keys(dynamic)
      .filter((file) => !dynamicFiles.has(file))
      .map((file) => `${file} names its tables literally: remove it from dynamicWrites`),
  ];
  return [...violations, ...needless.map((message) => ({ file: "tools/table-owners.ts", line: 1, message }))];
}

function listSources(root: string): string[] {
  return readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !file.startsWith("src/db/migrations/"))
    .sort();
}

/** `collaboration/issues` for a file of that feature, `jobs` for a file of that layer. */
function writerOf(file: string): string {
  const [, layer = "", group, name] = file.split("/");
  return layer === "features" ? `${group}/${name}` : layer;
}

if (import.meta.main) {
  const violations = checkTables(repositoryRoot);
  for (const { file, line, message } of violations) console.log(`${file}:${line} ${message}`);
  console.log(violations.length === 0 ? "table rules hold" : `${violations.length} violations of the rules in tools/table-owners.ts`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
