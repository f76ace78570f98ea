import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Route } from "../../src/http/route.ts";
import type { SwaggerDocument } from "../../src/http/swagger.ts";
import { readServedDescription } from "../../tools/served-description.ts";
import { type ApiClient, createApiClient } from "../kit/api-client.ts";
import { sqlite } from "../kit/databases.ts";
import { describedAnswers, type SeenAnswer } from "../kit/described.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { inject } from "../kit/inject.ts";

describe("the checker of responses against the description", () => {
  const seen = { method: "GET", path: "/repos/a/b/topics", status: 200, contentType: "application/json;charset=utf-8", text: '{"topics":["go"]}' };
  test.each<[string, Partial<SeenAnswer>, readonly string[]]>([
    ["nothing in an answer as described", {}, []],
    ["a status that is not described", { status: 418, text: "" }, ["repoListTopics 418: not described: "]],
    ["a missing body", { text: "" }, ["repoListTopics 200: no body"]],
    ["another type", { contentType: "text/html" }, ["repoListTopics 200: the type text/html"]],
    ["null", { text: "null" }, ["repoListTopics 200: $: null"]],
    ["a further member", { text: '{"topics":[],"more":1}' }, ["repoListTopics 200: $.more: not in the description"]],
    ["a member of another type", { text: '{"topics":[1]}' }, ["repoListTopics 200: $.topics[0]: not a string"]],
    ["a refusal without its address", { status: 404, text: '{"errors":null,"message":"not found"}' }, ["repoListTopics 404: $.url: missing"]],
    ["a missing member", { path: "/version", text: "{}" }, ["getVersion 200: $.version: missing"]],
    [
      "an unreadable time",
      { path: "/repos/a/b/hooks/1/deliveries", text: '[{"created_at":"today"}]' },
      expect.arrayContaining(['repoListHookDeliveries 200: $[0].created_at: "today" is not a time']),
    ],
    [
      "a text that is no email address",
      { path: "/user/emails", text: '[{"email":""}]' },
      expect.arrayContaining(['userListEmails 200: $[0].email: "" is not an email address']),
    ],
    ["an error of another type than described", { path: "/signing-key.gpg", status: 404, contentType: "text/html" }, ["getSigningKey 404: the type text/html"]],
    ["nothing in the second type of an operation that has two", { path: "/repos/a/b/contents/docs", text: "[]" }, []],
    ["the differences from the first type, if neither fits", { path: "/repos/a/b/contents/docs", text: "7" }, ["repoGetContents 200: $: not an object"]],
    ["nothing for a path that the router rejects", { status: 404, contentType: "text/plain", text: "404 page not found\n" }, []],
    [
      "a body where none is described",
      { method: "DELETE", path: "/repos/a/b/topics/go", status: 204, text: "{}" },
      ["repoDeleteTopic 204: a body that is not described: {}"],
    ],
  ])("reports %s", async (_what, change, lines) => {
    expect(describedAnswers(await readServedDescription()).differences({ ...seen, ...change })).toEqual(lines);
  });
});

describe("the API client of the tests", () => {
  const answering = async (body: string, run: (client: ApiClient) => Promise<unknown>): Promise<unknown> => {
    const server = createServer((_request, response) => response.setHeader("content-type", "application/json").end(body));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      return await run(createApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    } finally {
      server.close();
    }
  };

  test("rejects an answer that differs from the description", async () => {
    const difference = "GET /api/v1/version is not answered as described:\ngetVersion 200: $.more: not in the description";
    await expect(answering('{"version":"1","more":1}', (client) => client.get("/version"))).rejects.toThrow(difference);
    await expect(answering('{"version":"1","more":1}', (client) => client.get("/version").expect(200))).rejects.toThrow(difference);
  });

  test("returns an answer as described, and any answer outside the API", async () => {
    expect(await answering('{"version":"1"}', (client) => client.get("/version").expect(200))).toEqual({ version: "1" });
    expect(await answering('{"more":1}', (client) => client.get("//elsewhere").expect(200))).toEqual({ more: 1 });
  });
});

describe("every route", () => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;

  beforeAll(async () => {
    forge = await startForge({ dialect: sqlite });
    [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    await alice.post("/orgs", { username: "acme" }).expect(201);
    await alice.post("/user/repos", { name: "demo", auto_init: true, default_branch: "main" }).expect(201);
    await alice.post("/repos/alice/demo/issues", { title: "one" }).expect(201);
    await alice.post("/repos/alice/demo/issues/1/comments", { body: "c" }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const subjects = { owner: "alice", repo: "demo", org: "acme" };
  const present: Readonly<Record<string, string>> = {
    ...subjects,
    username: "bob",
    user: "bob",
    id: "1",
    index: "1",
    branch: "main",
    ref: "main",
    sha: "main",
  };
  const missing: Readonly<Record<string, string>> = { ...subjects, id: "999999", index: "999999" };
  const addressOf = ({ path }: Route, values: Readonly<Record<string, string>>): string =>
    path.replace(/\{(\w+)[+*]?\}/g, (_whole, name: string) => values[name] ?? "zz-none");
  /** Their success would delete resources that other requests need. */
  const removesSubject = ({ method, path }: Route): boolean =>
    method === "DELETE" && /^\/(repos\/\{owner\}\/\{repo\}|orgs\/\{org\}|admin\/users\/\{username\})$/.test(path);
  const order = ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"];

  async function answersOf(route: Route, address: string): Promise<readonly SeenAnswer[]> {
    const names = Object.keys(route.query);
    const queries = ["", ...(names.length === 0 ? [] : [`?${names.map((name) => `${name}=%C2%A7-1`).join("&")}`])];
    const payloads = route.body === undefined ? [undefined] : ["{}", '{"x":', undefined];
    const tokens = [undefined, bob.token, alice.token, forge.admin.token];
    const seen: SeenAnswer[] = [];
    for (const query of queries) {
      for (const token of tokens) {
        for (const payload of payloads) {
          const answer = await inject(forge.forge.http, {
            method: route.method as "GET",
            url: `/api/v1${address}${query}`,
            headers: { ...(token !== undefined && { authorization: `token ${token}` }), ...(payload !== undefined && { "content-type": "application/json" }) },
            ...(payload !== undefined && { payload }),
          });
          const contentType = answer.headers["content-type"];
          seen.push({ method: route.method, path: address, status: answer.statusCode, contentType: contentType?.toString(), text: answer.body });
        }
      }
    }
    return seen;
  }

  test("answers unauthorized callers, missing resources and invalid input as described", { timeout: 180_000 }, async () => {
    const document: SwaggerDocument = (await inject(forge.forge.http, "/swagger.v1.json")).json();
    const described = describedAnswers(document);
    const routes = forge.forge.routes.filter(({ mount, isUnlisted, streamsBody }) => mount === "api" && !isUnlisted && !streamsBody);
    const differences = new Set<string>();
    const statuses = new Set<number>();
    for (const route of [...routes].sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method))) {
      for (const values of [missing, present]) {
        if (values === present && removesSubject(route)) continue;
        for (const answer of await answersOf(route, addressOf(route, values))) {
          statuses.add(answer.status);
          for (const line of described.differences(answer)) differences.add(`${answer.method} ${answer.path}: ${line}`);
        }
      }
    }
    expect([...differences]).toEqual([]);
    for (const status of [200, 204, 400, 401, 403, 404, 409, 422]) expect(statuses).toContain(status);
  });
});
