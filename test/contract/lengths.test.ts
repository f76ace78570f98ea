import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { asSchema, isRecord, type Schema } from "../../src/wire/schema.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { inject } from "../kit/inject.ts";

/** Every string, list and map of a request has a declared limit, and a longer value is rejected before anything is stored. */

interface Limited {
  /** Names of the fields on the way, `[]` for an item, `*` for a member of a map. */
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** The parts of a schema that need a limit. */
function limitedParts(schema: Schema, path: readonly string[] = []): Limited[] {
  if (isRecord(schema)) return Object.entries(schema.properties).flatMap(([name, field]) => limitedParts(field, [...path, name]));
  const inner = schema.items ?? schema.additionalProperties;
  const below = inner === undefined ? [] : limitedParts(inner, [...path, schema.type === "array" ? "[]" : "*"]);
  // A plain text body is limited as a whole.
  if (schema.type === "integer" || schema.type === "boolean" || path.length === 0) return [];
  return [{ path, schema }, ...below];
}

const isLimited = ({ type, maxLength, maxItems }: Schema): boolean => (type === "array" || type === "object" ? maxItems : maxLength) !== undefined;

/** A body with a single value. */
const bodyWith = ([name, ...rest]: readonly string[], value: unknown): unknown =>
  name === undefined ? value : name === "[]" ? [bodyWith(rest, value)] : { [name === "*" ? "name" : name]: bodyWith(rest, value) };

/** Longer values would exceed the limit of the whole body. */
const largestSent = 2_000_000;

const parameters: Readonly<Record<string, string>> = {
  owner: "alice",
  repo: "demo",
  org: "acme",
  username: "alice",
  user: "alice",
  id: "1",
  index: "1",
  filepath: "file.txt",
  branch: "main",
  sha: "main",
  topic: "topic",
};

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let routes: readonly Route[];

  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "demo", auto_init: true }).expect(201);
    await alice.post("/repos/alice/demo/issues", { title: "first" }).expect(201);
    await alice.post("/orgs", { username: "acme" }).expect(201);
    routes = forge.forge.routes.filter(({ mount }) => mount === "api");
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
  });

  const bodies = () => routes.flatMap((route) => (route.body === undefined ? [] : [{ route, parts: limitedParts(asSchema(route.body)) }]));

  test("every string, list and map of a request declares its limit", () => {
    const unlimited = bodies().flatMap(({ route, parts }) =>
      parts.filter(({ schema }) => !isLimited(schema)).map(({ path }) => `${route.id} ${path.join(".")}`),
    );
    expect(unlimited).toEqual([]);
    expect(bodies().flatMap(({ parts }) => parts).length).toBeGreaterThan(300);
    const queries = routes.flatMap(({ id, query }) => Object.entries(query).map(([name, { maxLength }]) => [`${id} ${name}`, maxLength]));
    expect(queries.filter(([, maxLength]) => !(Number(maxLength) > 0))).toEqual([]);
  });

  test("every route rejects a string longer than its limit", async () => {
    const unexpected: string[] = [];
    let named = 0;
    for (const { route, parts } of bodies()) {
      const path = route.path.replace(/\{(\w+)[+*]?\}/g, (_, name: string) => parameters[name] ?? "x");
      for (const { path: field, schema } of parts) {
        const { maxLength = 0, maxItems = 0 } = schema;
        if (Math.max(maxLength, maxItems) > largestSent) continue;
        const value = maxItems === 0 ? "x".repeat(maxLength + 1) : schema.type === "array" ? Array(maxItems + 1).fill(1) : members(maxItems + 1);
        const headers = { "content-type": "application/json", authorization: `token ${path.startsWith("/admin") ? forge.admin.token : alice.token}` };
        const { statusCode, body } = await inject(forge.forge.http, {
          method: route.method,
          url: `/api/v1${path}`,
          headers,
          payload: JSON.stringify(bodyWith(field, value)),
        });
        if (/at most \d+ |MaxSize/.test(body)) named += 1;
        // If the URL does not match a resource, or another field is required, that error comes first.
        if (![400, 401, 403, 404, 413, 422].includes(statusCode)) unexpected.push(`${route.id} ${field.join(".")}: ${statusCode} ${body.slice(0, 200)}`);
      }
    }
    expect(unexpected).toEqual([]);
    expect(named).toBeGreaterThan(200);
  });

  test("the error names the field and its limit", async () => {
    const answer = await alice.post("/orgs/acme/rename", { new_name: "n".repeat(3_000_000) }).expect(422);
    expect(answer.message).toBe("[NewName]: at most 40 characters");
    await forge.admin.post("/admin/users/alice/rename", { new_username: "n".repeat(41) }).expect(422);
    const query = await alice.get(`/repos/search?q=${"q".repeat(4_097)}`).expect(422);
    expect(query.message).toContain("q: at most 4096 characters");
    expect((await alice.get(`/repos/alice/demo/contents/${"d/".repeat(2_100)}x`)).status).toBe(404);
  });

  describe("a string of maximum length fits into the indexes", () => {
    /** Incompressible characters of four bytes. */
    const longest = (length: number): string => Array.from({ length }, (_, index) => String.fromCodePoint(0x20000 + ((index * 7_919) % 40_000))).join("");

    test.each([
      ["/repos/alice/demo/labels", { name: longest(255), color: "#00ff00" }],
      ["/repos/alice/demo/milestones", { title: longest(255) }],
      ["/repos/alice/demo/branch_protections", { rule_name: longest(255) }],
      ["/repos/alice/demo/tag_protections", { name_pattern: longest(255), whitelist_usernames: ["alice"] }],
      ["/user/applications/oauth2", { name: longest(255), redirect_uris: ["http://127.0.0.1/"] }],
    ])("%s", async (path, body) => {
      await alice.post(path, body).expect(201);
    });
  });
});

const members = (count: number): Record<string, string> => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, "x"]));
