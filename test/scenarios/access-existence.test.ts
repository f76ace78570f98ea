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

/** Hidden and missing values of each path parameter. All names have the same length, so that lengths reveal nothing. */
const pairs: readonly {
  readonly title: string;
  readonly parameters: readonly string[];
  readonly hidden: readonly string[];
  readonly absent: readonly string[];
}[] = [
  { title: "a private repository", parameters: ["owner", "repo"], hidden: ["alice", "veiled"], absent: ["alice", "absent"] },
  { title: "a public repository of a user who hides himself", parameters: ["owner", "repo"], hidden: ["veiled", "opened"], absent: ["absent", "opened"] },
  { title: "a public repository of a private organization", parameters: ["owner", "repo"], hidden: ["closed", "opened"], absent: ["absent", "opened"] },
  {
    title: "a repository of a user who hides himself that is not there either",
    parameters: ["owner", "repo"],
    hidden: ["veiled", "absent"],
    absent: ["absent", "absent"],
  },
  { title: "a user who hides himself", parameters: ["username"], hidden: ["veiled"], absent: ["absent"] },
  { title: "a private organization", parameters: ["org"], hidden: ["closed"], absent: ["absent"] },
  { title: "a private organization, asked as a user", parameters: ["username"], hidden: ["closed"], absent: ["absent"] },
];
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
    callers.set("a token that nobody has", `token ${randomToken()}`);
    callers.set("a suspended user", token(bob));
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

  describe.each(pairs)("$title", ({ parameters, hidden, absent }) => {
    const addressOf = (path: string, given: readonly string[]): string =>
      path.replace(/\{([\w-]+)[+*]?\}/g, (_whole, name: string) => given[parameters.indexOf(name)] ?? values[name] ?? "main");

    test("every operation answers for a hidden resource like for a missing one", { timeout: 300_000 }, async () => {
      const asked = operations.filter(({ path }) => parameters.every((name) => path.includes(`{${name}}`)));
      expect(asked.length).toBeGreaterThan(10);
      const differences: string[] = [];
      for (const [caller, authorization] of callers) {
        for (const { method, path } of asked) {
          const [one, other] = await Promise.all([hidden, absent].map((given) => ask(method, addressOf(path, given), authorization)));
          if (JSON.stringify(one) !== JSON.stringify(other))
            differences.push(`${caller}: ${method} ${path}\n  ${JSON.stringify(one)}\n  ${JSON.stringify(other)}`);
        }
      }
      expect(differences.join("\n")).toBe("");
    });
  });
});
