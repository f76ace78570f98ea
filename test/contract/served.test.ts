import { readFileSync } from "node:fs";
import SwaggerParser from "@apidevtools/swagger-parser";
import { expect, test } from "vitest";
import { readNotServed, readOperations, readTypes } from "../../tools/contract.ts";
import { coveragePage, coveragePath, notServed, servedIds } from "../../tools/coverage.ts";
import { readServedDescription } from "../../tools/served-description.ts";
import { compareOperation, compareType, type Difference, describedOperations, resolve } from "./compare.ts";
import { explainedCodes } from "./deviations.ts";

const document = await readServedDescription();
const operations = readOperations();
const types = readTypes();
const described = describedOperations(document);

function allDifferences(): Difference[] {
  const facts = new Map(operations.map((operation) => [operation.operationId, operation]));
  const ofOperations = [...described].flatMap(([id, one]): Difference[] => {
    const contract = facts.get(id);
    return contract === undefined ? [{ code: id, detail: "not in the contract" }] : compareOperation(contract, one, document);
  });
  const ofTypes = Object.entries(document.definitions).flatMap(([name, definition]): Difference[] => {
    const contract = types[name];
    return contract === undefined ? [{ code: name, detail: "not in the contract" }] : compareType(name, contract, definition);
  });
  return [...ofOperations, ...ofTypes];
}

const differences = allDifferences();
const explained = new Set(explainedCodes());
const unexplained = differences.filter(({ code }) => !explained.has(code));

test("the served description is valid Swagger 2.0", async () => {
  await expect(SwaggerParser.validate(structuredClone(document) as never)).resolves.toHaveProperty("swagger", "2.0");
});

test("every definition and response is used", () => {
  const text = JSON.stringify(document);
  const unused = [
    ...Object.keys(document.definitions).map((name) => `#/definitions/${name}`),
    ...Object.keys(document.responses).map((name) => `#/responses/${name}`),
  ];
  expect(unused.filter((reference) => !text.includes(`"${reference}"`))).toEqual([]);
});

test("every error in the description has a body", () => {
  const bodiless = [...described].flatMap(([id, { operation }]) =>
    Object.entries(operation.responses)
      // A range that cannot be satisfied is answered by a header.
      .filter(([status, response]) => Number(status) >= 400 && status !== "416" && resolve(response, document)?.schema === undefined)
      .map(([status]) => `${id} ${status}`),
  );
  expect(bodiless).toEqual([]);
});

test("every paged list has its total in the description", () => {
  const withoutTotal = [...described].filter(
    ([, { operation }]) =>
      operation.parameters.some(({ name }) => name === "page") && resolve(operation.responses[200], document)?.headers?.["X-Total-Count"] === undefined,
  );
  expect(withoutTotal.map(([id]) => id)).toEqual([]);
});

test("each difference from the contract is explained in contract/deviations.md", () => {
  console.info(
    [
      `operations of the contract  ${operations.length}`,
      `served                      ${operations.length - notServed(operations, servedIds(document)).length}`,
      `not yet                     ${notServed(operations, servedIds(document)).length}`,
      `beyond the contract         ${[...described.keys()].filter((id) => !operations.some(({ operationId }) => operationId === id)).length}`,
      `explained differences       ${differences.length - unexplained.length}`,
    ].join("\n"),
  );
  expect(unexplained.map(({ code, detail }) => `${code}: ${detail}`)).toEqual([]);
});

test("every explanation belongs to an existing difference", () => {
  const codes = new Set(differences.map(({ code }) => code));
  // Only for served operations; the differences of others may be explained in advance.
  const isServed = (code: string): boolean => described.has(code.split(" ", 1)[0] ?? "") || document.definitions[code.split(".", 1)[0] ?? ""] !== undefined;
  expect([...explained].filter((code) => isServed(code) && !codes.has(code))).toEqual([]);
});

test("contract/not-served.json lists exactly the operations that are not served", () => {
  // The list may only shrink. `node tools/coverage.ts` removes newly served operations.
  expect(readNotServed()).toEqual(notServed(operations, servedIds(document)));
});

test("docs/api-coverage.md is up to date", () => {
  expect(readFileSync(coveragePath, "utf8"), "run npm run generate").toBe(coveragePage(operations, servedIds(document)));
});
