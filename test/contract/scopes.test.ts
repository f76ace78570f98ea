import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseScopes, scopeNames } from "../../src/access/scopes.ts";
import { randomToken } from "../../src/core/secrets.ts";
import { insertTokenFor } from "../../src/features/accounts/users/service/tokens.ts";
import { isGitRoute, readScopeRows, type ScopeRow, scopesPage } from "../../tools/generate/scopes.ts";
import { operationOf } from "../kit/contract.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { inject } from "../kit/inject.ts";

const page = readFileSync(new URL("../../docs/scopes.md", import.meta.url), "utf8");
const rows = readScopeRows(page);

/** The ways to send a token. */
const carriers: Readonly<Record<string, (token: string) => { readonly authorization?: string; readonly query?: string }>> = {
  token: (token) => ({ authorization: `token ${token}` }),
  Bearer: (token) => ({ authorization: `Bearer ${token}` }),
  "Basic token:": (token) => ({ authorization: basic(token, "") }),
  "Basic token:x-oauth-basic": (token) => ({ authorization: basic(token, "x-oauth-basic") }),
  "Basic user:token": (token) => ({ authorization: basic("alice", token) }),
  "Basic x-access-token:token": (token) => ({ authorization: basic("x-access-token", token) }),
  "?token=": (token) => ({ query: `token=${token}` }),
  "?access_token=": (token) => ({ query: `access_token=${token}` }),
};
const basic = (name: string, password: string): string => `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;

/** One of each place: a header, a password and the query. */
const completeCarriers: readonly string[] = ["token", "Basic user:token", "?token="];

const lacks = /token (?:does not have at least one of required scope\(s\),|lacks a required scope:) required=\[([^\]]*)\], token scope=([\w:,-]*)/;
const publicOnlyText = /this (?:endpoint|page) is not available for public-only (?:access )?tokens/i;
const limitedText = /this (?:endpoint|page) is not available for (?:access )?tokens that are limited to repositories/i;

let forge: TestForge;
let alice: TestUser;
const tokens = new Map<string, string>();

/** A token of alice with these scopes, created on first use. */
async function tokenWith(scopes: readonly string[], repositoryIds: readonly number[] | null = null): Promise<string> {
  const key = JSON.stringify([scopes, repositoryIds]);
  const known = tokens.get(key);
  if (known !== undefined) return known;
  const parsed = parseScopes(scopes);
  if ("unknown" in parsed) throw new Error(`unknown scope ${parsed.unknown}`);
  const text = randomToken();
  const { db, clock } = forge.context;
  const token = { accountId: alice.id, name: key, text, scopes: parsed, now: clock.now(), repositoryIds };
  await db.tx((tx) => insertTokenFor(tx, null, token));
  tokens.set(key, text);
  return text;
}

/** Names of missing resources, so that an authorized request changes nothing. */
const addressOf = ({ path }: Pick<ScopeRow, "path">): string =>
  path.replace(/\{(\w+)[+*]?\}/g, (_whole, name: string) => (name === "diffType" ? "diff" : name === "id" ? "999999999" : "zz-none"));

interface Answer {
  readonly status: number;
  readonly body: string;
}

async function send(method: string, path: string, token: string, carrier: string): Promise<Answer> {
  const { authorization, query } = carriers[carrier]?.(token) ?? {};
  const url = query === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`;
  const answer = await inject(forge.forge.http, { method: method as "GET", url, ...(authorization !== undefined && { headers: { authorization } }) });
  return { status: answer.statusCode, body: answer.body };
}

/** The response of the scope check; `passed` for any later response. */
function verdictOf(method: string, { status, body }: Answer): string {
  if (status === 401 && /invalid username, password or token|Failed to authenticate user/.test(body)) return "credentials refused";
  if (status !== 403) return "passed";
  if (method === "HEAD") return "refused";
  const [, required] = lacks.exec(body) ?? [];
  if (required !== undefined) return `lacks ${required}`;
  if (publicOnlyText.test(body)) return "refused: public-only";
  if (limitedText.test(body)) return "refused: limited";
  return "passed";
}

const toWrite = (scope: string): string => scope.replace("read:", "write:");
const toRead = (scope: string): string => scope.replace("write:", "read:");

/**
 * The expected result for a token with none of the required scopes, or one of them: `user` and `repository` are checked separately, other
 * scopes together.
 */
function refusalOf(needs: readonly string[], held?: string): string {
  if (needs.length === 0) return "passed";
  const isNested = needs.some((need) => need.endsWith(":user")) && needs.some((need) => need.endsWith(":repository"));
  return `lacks ${isNested ? needs.find((need) => need !== held) : needs.join(" ")}`;
}

/** The kinds of tokens that distinguish the scopes of a row, and the result for each according to the page. */
function kindsFor(
  row: ScopeRow,
): readonly { readonly kind: string; readonly scopes: readonly string[]; readonly isLimited?: true; readonly verdict: string }[] {
  const { needs } = row;
  const without = refusalOf(needs);
  return [
    { kind: "another scope", scopes: ["write:misc"], verdict: without },
    { kind: "public-only alone", scopes: ["public-only"], verdict: without },
    ...(needs.length > 1 ? needs.map((need) => ({ kind: `${need} alone`, scopes: [toWrite(need)], verdict: refusalOf(needs, need) })) : []),
    ...(needs.length > 0
      ? [
          { kind: "read", scopes: needs.map(toRead), verdict: needs.every((need) => need.startsWith("read:")) ? "passed" : without },
          { kind: "write", scopes: needs.map(toWrite), verdict: "passed" },
          { kind: "public-only", scopes: ["public-only", ...needs.map(toWrite)], verdict: row.refusesPublicOnly ? "refused: public-only" : "passed" },
        ]
      : []),
    { kind: "all", scopes: ["all"], verdict: "passed" },
    { kind: "limited", scopes: ["all"], isLimited: true, verdict: row.refusesLimited ? "refused: limited" : "passed" },
  ];
}

beforeAll(async () => {
  forge = await startForge({ dialect: sqlite });
  alice = await forge.createUser("alice");
  await alice.post("/user/repos", { name: "secret", private: true, auto_init: true }).expect(201);
});
afterAll(() => forge[Symbol.asyncDispose]());

test("docs/scopes.md is up to date and lists every route", () => {
  expect(page, "run npm run generate").toBe(scopesPage(forge.forge.routes));
  expect(rows).toHaveLength(forge.forge.routes.filter((route) => !isGitRoute(route)).length);
});

async function checkRoutes(carrier: string, kindsOf: (row: ScopeRow) => ReturnType<typeof kindsFor>): Promise<void> {
  const failures: string[] = [];
  for (const row of rows) {
    const address = addressOf(row);
    for (const { kind, scopes, isLimited, verdict } of kindsOf(row)) {
      const token = await tokenWith(scopes, isLimited ? [] : null);
      const wanted = row.method === "HEAD" && verdict !== "passed" ? "refused" : verdict;
      const answer = await send(row.method, address, token, carrier);
      const got = verdictOf(row.method, answer);
      if (got !== wanted) failures.push(`${row.method} ${row.path}, ${kind}: ${got} instead of ${wanted}`);
      const shown = lacks.exec(answer.body)?.[2];
      if (shown !== undefined && shown !== scopeNames(parseScopes(scopes) as never).join(","))
        failures.push(`${row.method} ${row.path}: shows the scopes ${shown}`);
    }
  }
  expect(failures).toEqual([]);
}

const limits = { timeout: 180_000 } as const;
test.each(completeCarriers)("every route answers every kind of token sent as %s as documented", limits, (carrier) => checkRoutes(carrier, kindsFor));

const otherCarriers = Object.keys(carriers).filter((carrier) => !completeCarriers.includes(carrier));
test.each(otherCarriers)("every route answers a token with another scope and a limited token sent as %s as documented", limits, (carrier) =>
  checkRoutes(carrier, (row) => kindsFor(row).filter(({ kind }) => kind === "another scope" || kind === "limited")),
);

describe("git over HTTP", () => {
  const fetchRefs = "/alice/secret.git/info/refs?service=git-upload-pack";
  const pushRefs = "/alice/secret.git/info/refs?service=git-receive-pack";
  test.each([
    ["another scope", ["write:issue"], 403, 403],
    ["read", ["read:repository"], 200, 403],
    ["write", ["write:repository"], 200, 200],
    // Private repositories do not exist for it, and pushing does not create repositories.
    ["public-only", ["public-only", "write:repository"], 404, 403],
  ] as const)("a token with %s", async (_kind, scopes, fetches, pushes) => {
    const token = await tokenWith(scopes);
    for (const carrier of Object.keys(carriers)) {
      const statuses = [(await send("GET", fetchRefs, token, carrier)).status, (await send("GET", pushRefs, token, carrier)).status];
      expect({ carrier, statuses }).toEqual({ carrier, statuses: [fetches, pushes] });
    }
    for (const [service, status] of [
      ["git-upload-pack", fetches],
      ["git-receive-pack", pushes],
    ] as const) {
      // Without the content type of a git client, an authorized request gets 400.
      const answer = await send("POST", `/alice/secret.git/${service}`, token, "token");
      expect({ service, status: answer.status }).toEqual({ service, status: status === 200 ? 400 : status });
    }
  });
});

describe("large files", () => {
  const type = "application/vnd.git-lfs+json";
  const ask = async (operation: string, token: string, carrier: string): Promise<number> => {
    const { authorization, query } = carriers[carrier]?.(token) ?? {};
    const answer = await inject(forge.forge.http, {
      method: "POST",
      url: `/alice/secret.git/info/lfs/objects/batch${query === undefined ? "" : `?${query}`}`,
      headers: { "content-type": type, accept: type, ...(authorization !== undefined && { authorization }) },
      payload: JSON.stringify({ operation, objects: [{ oid: "0".repeat(64), size: 1 }] }),
    });
    return answer.statusCode;
  };
  test.each([
    ["another scope", ["write:issue"], 403, 403],
    ["read", ["read:repository"], 200, 403],
    ["write", ["write:repository"], 200, 200],
    ["public-only", ["public-only", "write:repository"], 404, 404],
  ] as const)("a token with %s", async (_kind, scopes, downloads, uploads) => {
    const token = await tokenWith(scopes);
    for (const carrier of Object.keys(carriers)) {
      const statuses = [await ask("download", token, carrier), await ask("upload", token, carrier)];
      expect({ carrier, statuses }).toEqual({ carrier, statuses: [downloads, uploads] });
    }
  });
  test("a token limited to other repositories", async () => {
    const token = await tokenWith(["all"], []);
    expect([await ask("download", token, "token"), await ask("upload", token, "Bearer")]).toEqual([404, 404]);
  });
});

/** The categories of the contract, written independently of the routes. The first line that matches a path counts. */
const categories: readonly (readonly [RegExp, string])[] = [
  [/^\/(version|settings\/|markup|markdown|gitignore|licenses|label\/templates|signing-key|nodeinfo)/, ""],
  [/^\/repos\/\{owner\}\/\{repo\}\/(markdown|markup)/, ""],
  // The address is signed.
  [/\/actions\/artifacts\/\{artifact_id\}\/zip\/raw$/, ""],
  [/^\/admin\//, "admin"],
  [/^\/packages\//, "package"],
  [/^\/(notifications|repos\/\{owner\}\/\{repo\}\/notifications)(\/|$)/, "notification"],
  [/^\/repos\/issues\/search$/, "issue"],
  [/^\/repos\/\{owner\}\/\{repo\}\/(issues|labels|milestones)(\/|$)/, "issue"],
  [/^\/(repos|repositories|topics)\//, "repository"],
  [/^\/user\/(repos|starred)(\/|$)/, "user repository"],
  [/^\/users\/\{username\}\/repos$/, "user repository"],
  [/^\/(user|users\/\{username\})\/orgs(\/|$)/, "user organization"],
  [/^\/users?(\/|$)/, "user"],
  [/^\/org\//, "organization repository"],
  [/^\/(orgs|teams)(\/|$)/, "organization"],
];
/** Requests about private data of the caller. */
const isPrivateMatter = (method: string, path: string): boolean =>
  /^\/(notifications|user\/(settings|emails|actions|keys|applications|gpg_keys?|gpg_key_token|gpg_key_verify|times|stopwatches|teams|hooks|avatar|blocks))(\/|$)/.test(
    path,
  ) || `${method} ${path}` === "POST /user/repos";

test("scopes match the contract", () => {
  const prefix = "/api/v1";
  // The page of the description is below the prefix but not an operation.
  const operations = rows.filter(({ path }) => path.startsWith(prefix) && path !== `${prefix}/swagger`);
  expect(operations.length).toBeGreaterThan(150);
  const asStated = operations.map(({ method, path, ...row }) => {
    const below = path.slice(prefix.length);
    const [, names = "unknown to the facts"] = categories.find(([pattern]) => pattern.test(below)) ?? [];
    const level = method === "GET" || method === "HEAD" ? "read" : "write";
    const needs = names === "" ? [] : names.split(" ").map((name) => `${level}:${name}`);
    // Operations outside the contract define for themselves which data is private.
    const refusesPublicOnly = operationOf(method, below) === undefined ? row.refusesPublicOnly : isPrivateMatter(method, below);
    return { request: `${method} ${path}`, needs, refusesPublicOnly };
  });
  const declared = operations.map(({ method, path, needs, refusesPublicOnly }) => ({ request: `${method} ${path}`, needs, refusesPublicOnly }));
  expect(declared).toEqual(asStated);
});
