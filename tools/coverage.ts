import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { SwaggerDocument } from "../src/http/swagger.ts";
import { type ContractOperation, readNotServed, readOperations } from "./contract.ts";
import { readServedDescription } from "./served-description.ts";

// Writes docs/api-coverage.md and docs/scopes.md, and shortens contract/not-served.json. Run it after adding a route.

export const coveragePath = fileURLToPath(new URL("../docs/api-coverage.md", import.meta.url));
const notServedPath = fileURLToPath(new URL("../contract/not-served.json", import.meta.url));

export function servedIds({ paths }: SwaggerDocument): ReadonlySet<string> {
  return new Set(Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId)));
}

/** The page that lists which operations of the contract this server implements. */
export function coveragePage(operations: readonly ContractOperation[], served: ReadonlySet<string>): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))].sort();
  const count = (some: readonly ContractOperation[]): string => `${some.filter(({ operationId }) => served.has(operationId)).length} of ${some.length}`;
  const sections = tags.map((tag) => {
    const own = operations.filter((operation) => operation.tag === tag);
    const rows = own.map(({ method, path, operationId }) => `| ${served.has(operationId) ? "yes" : "no"} | \`${method} ${path}\` | ${operationId} |`);
    return [`## ${tag}: ${count(own)}`, "", "| Served | Request | Operation |", "|---|---|---|", ...rows].join("\n");
  });
  const intro = [
    "# API coverage",
    "",
    `This page lists the API operations of Gitea 1.26 that Hearth serves, for authors of API clients: ${count(operations)}. Paths are relative to \`/api/v1\`. [Deviations](../contract/deviations.md) lists where responses differ from Gitea's, with reasons.`,
    "",
    "`npm run generate` generates this page, and a test checks that it is up to date.",
  ];
  return `${[intro.join("\n"), ...sections].join("\n\n")}\n`;
}

/** The operations of the contract that are not served, in the order of the contract. */
export const notServed = (operations: readonly ContractOperation[], served: ReadonlySet<string>): string[] =>
  operations.map(({ operationId }) => operationId).filter((id) => !served.has(id));

/** Writes docs/api-coverage.md and contract/not-served.json. @throws Error when an operation is not served any more */
export async function writeCoverage(): Promise<void> {
  const operations = readOperations();
  const served = servedIds(await readServedDescription());
  const missing = notServed(operations, served);
  const known = new Set(existsSync(notServedPath) ? readNotServed() : missing);
  const lost = missing.filter((id) => !known.has(id));
  if (lost.length > 0) throw new Error(`no longer served: ${lost.join(", ")}; the list of operations that are not served may only shrink`);
  writeFileSync(notServedPath, `${JSON.stringify(missing, undefined, 2)}\n`);
  const page = coveragePage(operations, served);
  const isCurrent = existsSync(coveragePath) && readFileSync(coveragePath, "utf8") === page;
  if (!isCurrent) writeFileSync(coveragePath, page);
  console.info(
    `${operations.length - missing.length} of ${operations.length} operations are served; docs/api-coverage.md ${isCurrent ? "is up to date" : "has been written"}`,
  );
}
