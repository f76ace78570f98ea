import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { collectDefinitions } from "../../src/http/description-schema.ts";
import { isRecord, type RecordSchema, type Schema } from "../../src/wire/schema.ts";
import { readTypes } from "../../tools/contract.ts";
import { compareType } from "./compare.ts";
import { explainedCodes } from "./deviations.ts";

const types = readTypes();
const explained = new Set(explainedCodes());
const directory = new URL("../../src/wire/", import.meta.url);
const files = readdirSync(directory).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "schema.ts");
const modules: readonly Record<string, Schema>[] = await Promise.all(files.map((file) => import(new URL(file, directory).href)));

interface Named {
  readonly exportName: string;
  readonly schema: RecordSchema;
}
const named: readonly Named[] = modules
  .flatMap((exports) => Object.entries(exports))
  .flatMap(([exportName, schema]) => (isRecord(schema) && schema.title !== undefined && !schema.isNarrowed ? [{ exportName, schema }] : []));

test("every named record is exported once under its published name", () => {
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter(({ exportName, schema }) => exportName !== schema.title)).toEqual([]);
  expect(new Set(named.map(({ schema }) => schema.title)).size).toBe(named.length);
});

test.each(named.map(({ schema }) => [schema.title ?? "", schema] as const))("%s has the fields of the contract and explained additions", (name, schema) => {
  const definitions = collectDefinitions();
  definitions.use(schema);
  const declared = types[name];
  const definition = definitions.all()[name];
  const differences = declared && definition ? compareType(name, declared, definition) : [{ code: name, detail: "not in the contract" }];
  expect(differences.filter(({ code }) => !explained.has(code))).toEqual([]);
});

// Types outside the contract have rules of their own.
const options = named.filter(({ schema }) => schema.isOption && types[schema.title ?? ""] !== undefined);
test.each(options.map(({ schema }) => [schema.title ?? "", schema] as const))("%s checks its fields by the contract's rules", (name, schema) => {
  const stated = types[name]?.fields ?? {};
  const here = Object.entries(schema.properties).map(([field, { field: declared }]) => [field, declared?.go, declared?.rules]);
  // The contract names a field for messages only if the name differs, and not if no message can contain it.
  const contract = Object.entries(schema.properties).map(([field, { field: declared }]) => {
    const fact = stated[field];
    return [field, fact?.go ?? declared?.go, fact === undefined ? declared?.rules : (fact.rules ?? [])];
  });
  expect(here).toEqual(contract);
});
