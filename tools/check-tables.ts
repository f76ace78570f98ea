import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Violation } from "./check-imports.ts";
import { features as declaredFeatures } from "./layers.ts";
import { findTableReads, findTableWrites } from "./parse-imports.ts";
import { repositoryRoot } from "./repository.ts";
import { dynamicWrites, readExceptions, type TableException, tableExceptions, tableOwners } from "./table-owners.ts";

/** The declarations of `table-owners.ts`. */
export interface TableRules {
  readonly owners: Readonly<Record<string, readonly string[]>>;
  readonly exceptions: readonly TableException[];
  readonly dynamic: Readonly<Record<string, readonly string[]>>;
  readonly reads: readonly TableException[];
  /** In their order. */
  readonly features: readonly string[];
}

const declared: TableRules = {
  owners: tableOwners,
  exceptions: tableExceptions,
  dynamic: dynamicWrites,
  reads: readExceptions,
  features: declaredFeatures,
};

/**
 * Checks that each table is written by its owner only and read by no earlier feature, and that the declarations are complete and necessary.
 * Tests and migrations are not checked.
 */
export function checkTables(root: string, rules: TableRules = declared): Violation[] {
  const ownerOf = new Map(Object.entries(rules.owners).flatMap(([owner, tables]) => tables.map((table) => [table, owner] as const)));
  return [...checkWrites(root, rules, ownerOf), ...checkReads(root, rules, ownerOf)];
}

const isDeclared = (exceptions: readonly TableException[], feature: string, table: string): boolean =>
  exceptions.some((one) => one.feature === feature && one.tables.includes(table));

const declarationFault = (message: string): Violation => ({ file: "tools/table-owners.ts", line: 1, message });

function checkReads(root: string, { exceptions, reads, features }: TableRules, ownerOf: ReadonlyMap<string, string>): Violation[] {
  const violations: Violation[] = [];
  const readers = new Set<string>();
  for (const file of listSources(root)) {
    const reader = ownerOfFile(file);
    for (const { table, line } of findTableReads(readFileSync(join(root, file), "utf8"))) {
      const owner = ownerOf.get(table);
      // Layers are before all features.
      if (owner === undefined || features.indexOf(owner) <= features.indexOf(reader)) continue;
      readers.add(`${reader} ${table}`);
      if (!isDeclared([...exceptions, ...reads], reader, table))
        violations.push({
          file,
          line,
          message: `${reader} reads ${table}, a table of the later ${owner}: let ${owner} provide it, or give the reason in readExceptions`,
        });
    }
  }
  const unused = reads.flatMap(({ feature, tables }) => tables.filter((table) => !readers.has(`${feature} ${table}`)).map((table) => ({ feature, table })));
  return [...violations, ...unused.map(({ feature, table }) => declarationFault(`${feature} does not read ${table}: remove the exception`))];
}

function checkWrites(root: string, { exceptions, dynamic }: TableRules, ownerOf: ReadonlyMap<string, string>): Violation[] {
  const violations: Violation[] = [];
  const writers = new Set<string>();
  const dynamicFiles = new Set<string>();

  for (const file of listSources(root)) {
    const writer = ownerOfFile(file);
    for (const { table, line } of findTableWrites(readFileSync(join(root, file), "utf8"))) {
      if (table === undefined) dynamicFiles.add(file);
      const tables = table === undefined ? dynamic[file] : [table];
      if (tables === undefined) violations.push({ file, line, message: "a write to a table without a literal name: list the file in dynamicWrites" });
      for (const name of tables ?? []) {
        writers.add(`${writer} ${name}`);
        const owner = ownerOf.get(name);
        if (owner === undefined) violations.push({ file, line, message: `${name} has no owner: declare it` });
        else if (owner !== writer && !isDeclared(exceptions, writer, name))
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
  return [...violations, ...needless.map(declarationFault)];
}

function listSources(root: string): string[] {
  return readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !file.startsWith("src/db/migrations/"))
    .sort();
}

/** `collaboration/issues` for a file of that feature, `jobs` for a file of that layer. */
function ownerOfFile(file: string): string {
  const [, layer = "", group, name] = file.split("/");
  return layer === "features" ? `${group}/${name}` : layer;
}

if (import.meta.main) {
  const violations = checkTables(repositoryRoot);
  for (const { file, line, message } of violations) console.log(`${file}:${line} ${message}`);
  console.log(violations.length === 0 ? "table rules hold" : `${violations.length} violations of the rules in tools/table-owners.ts`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
