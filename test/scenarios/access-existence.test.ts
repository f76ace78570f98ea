import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomToken } from "../../src/core/secrets.ts";
import type { SwaggerDocument } from "../../src/http/swagger.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { inject } from "../kit/inject.ts";
import { timeless } from "../kit/page.ts";

/**
 * Responses do not reveal the existence of hidden resources. Calls every operation of the API description for a hidden and a missing
 * resource, as callers of every kind, and compares the responses byte by byte.
 */

/** Missing and hidden values of path parameters. All names have the same length, so that lengths reveal nothing. */
const comparisons: readonly {
  readonly parameters: readonly string[];
  readonly absent: readonly string[];
  /** By a description of the hidden resource. */
  readonly hidden: Readonly<Record<string, readonly string[]>>;
}[] = [
  { parameters: ["owner", "repo"], absent: ["alice", "absent"], hidden: { "a private repository": ["alice", "veiled"] } },
  {
    parameters: ["owner", "repo"],
    absent: ["absent", "opened"],
    hidden: { "a public repository of a hidden user": ["veiled", "opened"], "a public repository of a private organization": ["closed", "opened"] },
  },
  { parameters: ["owner", "repo"], absent: ["absent", "absent"], hidden: { "a missing repository of a hidden user": ["veiled", "absent"] } },
  { parameters: ["username"], absent: ["absent"], hidden: { "a hidden user": ["veiled"], "a private organization, addressed as a user": ["closed"] } },
  { parameters: ["org"], absent: ["absent"], hidden: { "a private organization": ["closed"] } },
];
/** Operations called at a time, so that the database is not waited for. */
const atOnce = 8;
const names = /veiled|closed|absent/g;

/** Values of other path parameters. */
const values: Readonly<Record<string, string>> = {
  id: "1",
  index: "1",
  archive: "main.zip",
  basehead: "main...main",
  diffType: "diff",
  tag_name: "v1",
  username: "alice",
  org: "open-org",
  owner: "alice",
  repo: "opened",
  collaborator: "bob",
  target: "alice",
  size: "64",
};

/** Names of the same parameters outside the API. */
const elsewhere = [
  "/{owner}/{repo}.git/info/refs?service=git-upload-pack",
  "/{owner}/{repo}.git/info/refs?service=git-receive-pack",
  "/{owner}/{repo}.git/HEAD",
  "/{owner}/{repo}.git/objects/info/packs",
  "/{owner}/{repo}?go-get=1",
].map((path) => ({ method: "GET", path }));

eachDialect((dialect) => {
  let forge: TestForge;
  const callers = new Map<string, string | undefined>();
  let operations: readonly { readonly method: string; readonly path: string }[];

  beforeAll(async () => {
    forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    const hider = await forge.createUser("veiled", { visibility: "private" });
    const token = ({ token }: TestUser): string => `token ${token}`;
    await alice.post("/user/repos", { name: "veiled", private: true, auto_init: true }).expect(201);
    await hider.post("/user/repos", { name: "opened", auto_init: true }).expect(201);
    await alice.post("/orgs", { username: "closed", visibility: "private" }).expect(201);
    await alice.post("/orgs/closed/repos", { name: "opened", auto_init: true }).expect(201);
    await alice.post("/orgs", { username: "open-org" }).expect(201);
    callers.set("nobody", undefined);
    callers.set("an outsider", token(await forge.createUser("mallory")));
    callers.set("a restricted user", token(await forge.createUser("rita", { restricted: true })));
    const bob = await forge.createUser("bob");
    // Refused before a statement decides what they see.
    if (dialect.name === "sqlite") {
      callers.set("a token that nobody has", `token ${randomToken()}`);
      callers.set("a suspended user", token(bob));
    }
    await forge.admin.patch("/admin/users/bob", { login_name: "bob", source_id: 0, prohibit_login: true }).expect(200);
    const document = await forge.anonymous.get<SwaggerDocument>("//swagger.v1.json").expect(200);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: `${document.basePath}${path}` })),
    );
    // Pages, files, feeds, git and LFS are not part of the description.
    const others = forge.forge.routes.filter(({ mount }) => mount === "root").map(({ method, path }) => ({ method, path }));
    operations = [...described, ...others, ...elsewhere];
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  /** The distinguishable parts of a response. */
  async function ask(method: string, url: string, authorization: string | undefined): Promise<unknown> {
    const hasBody = method !== "GET" && method !== "HEAD";
    const answer = await inject(forge.forge.http, {
      method: method as "GET",
      url,
      headers: { ...(authorization !== undefined && { authorization }), ...(hasBody && { "content-type": "application/json" }) },
      ...(hasBody && { payload: "{}" }),
    });
    const headers = Object.entries(answer.headers).filter(([name]) => !["date", "x-request-id", "keep-alive"].includes(name));
    return { status: answer.statusCode, headers: JSON.stringify(headers).replace(names, "NAME"), body: timeless(answer.body).replace(names, "NAME") };
  }

  describe.each(comparisons.map((one) => ({ ...one, title: Object.keys(one.hidden).join(", ") })))("$title", ({ parameters, absent, hidden }) => {
    const addressOf = (path: string, given: readonly string[]): string =>
      path.replace(/\{([\w-]+)[+*]?\}/g, (_whole, name: string) => given[parameters.indexOf(name)] ?? values[name] ?? "main");

    test("every operation answers for a hidden resource like for a missing one", { timeout: 300_000 }, async () => {
      const requested = operations.filter(({ path }) => parameters.every((name) => path.includes(`{${name}}`)));
      expect(requested.length).toBeGreaterThan(10);
      const differences: string[] = [];
      const waiting = [...callers].flatMap(([caller, authorization]) => requested.map((operation) => ({ ...operation, caller, authorization })));
      const compare = async (): Promise<void> => {
        for (let call = waiting.pop(); call !== undefined; call = waiting.pop()) {
          const { method, path, caller, authorization } = call;
          const answerFor = async (given: readonly string[]): Promise<string> => JSON.stringify(await ask(method, addressOf(path, given), authorization));
          const [missing = "", ...others] = await Promise.all([absent, ...Object.values(hidden)].map(answerFor));
          for (const other of others) if (other !== missing) differences.push(`${caller}: ${method} ${path}\n  ${other}\n  ${missing}`);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, compare));
      expect(differences.join("\n")).toBe("");
    });
  });
});
