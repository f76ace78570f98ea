import { beforeAll, describe, expect, test } from "vitest";
import { stepAt, totpCode } from "../../src/features/accounts/users/totp.ts";
import { createApiClient } from "../kit/api-client.ts";
import { canary, underAttack } from "../kit/attack.ts";
import { createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import type { TestUser } from "../kit/forge.ts";
import { inject } from "../kit/inject.ts";

/** Attacks with a stolen token or password of alice, and with names similar to hers. */

const basic = (name: string, password: string): string => `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;

eachDialect((dialect) => {
  const attack = underAttack(dialect);

  /** Creates a token as its owner would. */
  async function tokenOf(user: TestUser, body: Readonly<Record<string, unknown>>): Promise<string> {
    const { forge } = attack();
    const client = createApiClient(forge.url, basic(user.name, user.password));
    const { sha1 } = await client.post(`/users/${user.name}/tokens`, { name: JSON.stringify(body), ...body }).expect(201);
    return sha1;
  }
  const headersOf = (token: string): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
    token: { authorization: `token ${token}` },
    Bearer: { authorization: `Bearer ${token}` },
    "Basic token:": { authorization: basic(token, "") },
    "Basic token:x-oauth-basic": { authorization: basic(token, "x-oauth-basic") },
    "Basic alice:token": { authorization: basic("alice", token) },
    "Basic x-access-token:token": { authorization: basic("x-access-token", token) },
  });
  /** Responses outside the API for every way to send the token; never the secret. */
  async function everywhere(path: string, token: string): Promise<readonly number[]> {
    const { raw } = attack();
    const separator = path.includes("?") ? "&" : "?";
    const answers = [
      ...(await Promise.all(Object.values(headersOf(token)).map((headers) => raw(path, headers)))),
      ...(await Promise.all(["token", "access_token"].map((name) => raw(`${path}${separator}${name}=${token}`)))),
    ];
    for (const { text } of answers) expect(text, path).not.toContain(canary);
    return [...new Set(answers.map(({ status }) => status))];
  }

  describe("a token without the required scope", () => {
    test("a token without the scope reads no file, archive, diff or clone, however it is sent", async () => {
      const { alice, secretTip, work } = attack();
      const token = await tokenOf(alice, { scopes: ["write:issue", "write:user", "write:notification"] });
      for (const path of [
        "/alice/secret/raw/branch/main/a.txt",
        "/alice/secret/media/branch/main/a.txt",
        "/alice/secret/archive/main.zip",
        `/alice/secret/archive/${secretTip}.tar.gz`,
        `/alice/secret/commit/${secretTip}.diff`,
        `/alice/secret/commit/${secretTip}.patch`,
        "/alice/secret.git/info/refs?service=git-upload-pack",
        "/alice/secret.git/info/refs?service=git-receive-pack",
        "/api/v1/repos/alice/secret",
        "/api/v1/repos/alice/secret/contents/a.txt",
      ]) {
        expect({ path, statuses: await everywhere(path, token) }).toEqual({ path, statuses: [403] });
      }
      const origin = attack().forge.url.replace("http://", `http://alice:${token}@`);
      const clone = await work.attempt(".", "clone", "-q", `${origin}/alice/secret`, "stolen");
      expect(clone.code).not.toBe(0);
    });

    test("a token cannot create a token with more scopes, however it is sent", async () => {
      const { alice, forge } = attack();
      const ends = new Date(Date.now() + 3_600_000).toISOString();
      const held = { scopes: ["write:user", "public-only"] };
      // Each request exceeds one limit only: by its scopes for a token without expiry, or by its expiry for a token with one.
      for (const [own, requests] of [
        [held, [{ scopes: ["all"] }, { scopes: ["all", "public-only"] }, { scopes: ["write:user", "read:issue", "public-only"] }, { scopes: ["write:user"] }]],
        [{ ...held, expires_at: ends }, [held, { ...held, expires_at: null }, { ...held, expires_at: "2999-01-01T00:00:00Z" }]],
      ] as const) {
        for (const [carrier, headers] of Object.entries(headersOf(await tokenOf(alice, own)))) {
          const client = createApiClient(forge.url, headers.authorization);
          for (const request of requests) {
            const { status } = await client.post("/users/alice/tokens", { name: "wider", ...request });
            expect({ carrier, request, status }).toEqual({ carrier, request, status: carrier.startsWith("Basic") ? 403 : 401 });
          }
        }
      }
      const own = await createApiClient(forge.url, basic("alice", alice.password)).get("/users/alice/tokens?limit=50").expect(200);
      expect(own.map(({ name }: { name: string }) => name)).not.toContain("wider");
    });

    test("a token cannot act as another user: neither mallory's nor alice's token is an administrator's", async () => {
      const { alice, mallory, raw } = attack();
      for (const user of [alice, mallory]) {
        for (const path of ["/api/v1/user", "/api/v1/version", "/api/v1/repos/alice/secret"]) {
          for (const [by, headers] of [
            ["header", { authorization: `token ${user.token}`, sudo: "chief" }],
            ["password", { authorization: basic(user.name, user.password), sudo: "chief" }],
          ] as const) {
            expect({ by, path, status: (await raw(path, headers)).status }).toEqual({ by, path, status: 403 });
          }
          expect((await raw(`${path}?sudo=chief`, { authorization: `token ${user.token}` })).status).toBe(403);
        }
      }
    });
  });

  describe("a token for one repository", () => {
    let limited: TestUser;
    beforeAll(async () => {
      const { alice } = attack();
      limited = { ...alice, token: await tokenOf(alice, { scopes: ["all"], repositories: ["alice/open"] }) };
    });

    test("a limited token reads no other repository by name, id, object, list, text or comparison", async () => {
      const { alice, probe, secretTip } = attack();
      const { id } = await alice.get("/repos/alice/secret").expect(200);
      for (const path of [
        "/repos/alice/secret",
        `/repositories/${id}`,
        "/repos/alice/secret/contents/a.txt",
        `/repos/alice/secret/git/commits/${secretTip}`,
        `/repos/alice/secret/commits/${secretTip}`,
        `/repos/alice/open/git/commits/${secretTip}`,
        `/repos/alice/open/compare/main...alice:${canary}`,
        "/repos/alice/secret/collaborators",
        "/repos/alice/secret/keys",
      ]) {
        expect({ path, status: (await probe(path, { as: limited })).status }).toEqual({ path, status: 404 });
      }
      for (const path of [
        "/user/repos",
        "/users/alice/repos",
        "/repos/search?private=true",
        "/repos/search?q=secret",
        "/user/starred",
        "/user/subscriptions",
        "/topics/search?q=e",
      ]) {
        const { text, status } = await probe(path, { as: limited });
        expect(status, path).toBe(200);
        expect(text, path).not.toContain("alice/secret");
      }
      await probe("/markdown", { as: limited, method: "POST", body: { text: `alice/secret@${secretTip}`, mode: "gfm" } }).then(({ text }) =>
        expect(text).not.toContain("href"),
      );
    });

    test("a limited token changes no other repository, and grants no user access to one", async () => {
      const { alice, probe } = attack();
      const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFGLDxSgzVeAzNKfV0FDkIzZiZkF1nvQpTfSbCmvGgcX mallory";
      for (const [method, path, body, wanted] of [
        ["PATCH", "/repos/alice/secret", { private: false }, 404],
        ["DELETE", "/repos/alice/secret", undefined, 404],
        ["PUT", "/repos/alice/secret/collaborators/mallory", { permission: "admin" }, 404],
        ["POST", "/repos/alice/secret/keys", { title: "x", key }, 404],
        ["POST", "/user/keys", { title: "x", key }, 403],
        ["POST", "/user/emails", { emails: ["mallory@example.com"] }, 403],
        ["PATCH", "/user/settings", { full_name: "mallory was here" }, 403],
        ["POST", "/users/alice/tokens", { name: "mine", scopes: ["all"] }, 403],
        ["POST", "/user/two_factor", undefined, 403],
        ["POST", "/user/repos", { name: "mine" }, 403],
        ["POST", "/orgs", { username: "mine" }, 403],
        ["PUT", "/user/following/mallory", undefined, 403],
      ] as const) {
        const { status } = await probe(path, { as: limited, method, body });
        expect({ method, path, status }).toEqual({ method, path, status: wanted });
      }
      expect((await alice.get("/repos/alice/secret").expect(200)).private).toBe(true);
    });

    test("is limited in the same way however it is sent and over every protocol", async () => {
      for (const path of [
        "/alice/secret/raw/branch/main/a.txt",
        "/alice/secret/archive/main.zip",
        "/alice/secret.git/info/refs?service=git-upload-pack",
        "/api/v1/repos/alice/secret",
      ]) {
        expect({ path, statuses: await everywhere(path, limited.token) }).toEqual({ path, statuses: [404] });
      }
      expect(await everywhere("/api/v1/repos/alice/open", limited.token)).toEqual([200]);
      expect(await everywhere("/alice/open.git/info/refs?service=git-upload-pack", limited.token)).toEqual([200]);
    });

    test("pushes to its repository only", async () => {
      const { forge, work } = attack();
      const origin = forge.url.replace("http://", `http://alice:${limited.token}@`);
      await work.init("limited");
      await work.commit("limited", { "b.txt": "two\n" });
      await work.git("limited", "push", "-q", `${origin}/alice/open`, "main:refs/heads/by-token");
      expect((await work.attempt("limited", "push", "-q", `${origin}/alice/secret`, "main:refs/heads/by-token")).code).not.toBe(0);
    });
  });

  describe("all readable URLs", () => {
    let addresses: readonly string[];
    beforeAll(async () => {
      const { alice, forge } = attack();
      const { id } = await alice.get("/repos/alice/secret").expect(200);
      const R = "/repos/alice/secret";
      const label = await alice.post(`${R}/labels`, { name: canary, color: "ff0000" }).expect(201);
      const milestone = await alice.post(`${R}/milestones`, { title: canary }).expect(201);
      const issue = { title: canary, body: canary, labels: [label.id], milestone: milestone.id, assignees: ["alice"] };
      await alice.post(`${R}/issues`, issue).expect(201);
      await alice.post(`${R}/issues/1/comments`, { body: canary }).expect(201);
      await alice.put("/user/starred/alice/secret").expect(204);
      await alice.put(`${R}/subscription`).expect(200);
      await forge.settled();
      const values: Readonly<Record<string, string>> = {
        username: "alice",
        owner: "alice",
        repo: "secret",
        org: "alice",
        target: "alice",
        user: "alice",
        filepath: "a.txt",
      };
      addresses = forge.forge.routes
        .filter(({ method, access }) => method === "GET" && access.kind !== "site-admin")
        .flatMap((route) => {
          const path = (route.mount === "api" ? "/api/v1" : "") + route.path;
          const filled = (rest: string) =>
            path.replace(/\{(\w+)[+*]?\}/g, (_whole, name: string) => (name === "id" && path.includes("/repositories/") ? String(id) : (values[name] ?? rest)));
          return [...new Set([filled("1"), filled("main")])];
        });
    });

    test("URLs show hidden data to its owner, and forbid caching on the way", async () => {
      const { alice, forge } = attack();
      const headers = { authorization: `token ${alice.token}` };
      const shown = new Map<string, unknown>();
      for (const url of addresses) {
        const answer = await inject(forge.forge.http, { url, headers });
        if (answer.body.includes(canary)) shown.set(url, answer.headers["cache-control"]);
      }
      expect(shown.size).toBeGreaterThan(30);
      expect([...shown].filter(([, cached]) => !/\b(?:private|no-store|no-cache)\b/.test(String(cached)))).toEqual([]);
    });

    test.each([
      ["a token for another repository", { scopes: ["all"], repositories: ["alice/open"] }],
      ["a token for public things", { scopes: ["all", "public-only"] }],
      ["a token for nothing that is asked", { scopes: ["write:misc"] }],
    ])("show nothing hidden to %s", async (_kind, body) => {
      const { alice, raw } = attack();
      const authorization = `token ${await tokenOf(alice, { ...body, name: `sweep ${JSON.stringify(body)}` })}`;
      for (const path of addresses) {
        const { status, text } = await raw(path, { authorization });
        expect(status, path).toBeLessThan(500);
        expect(text, path).not.toContain(canary);
      }
    });

    test("show nothing hidden to other users and anonymous callers", async () => {
      const { mallory, raw } = attack();
      for (const path of addresses) {
        for (const headers of [{}, { authorization: `token ${mallory.token}` }]) {
          const { status, text } = await raw(path, headers);
          expect(status, path).toBeLessThan(500);
          expect(text, path).not.toContain(canary);
        }
      }
    });
  });

  describe("an account that may not sign in any more", () => {
    test("a blocked account cannot use earlier credentials: tokens, limited tokens, passwords, codes, sessions, git", async () => {
      const { forge } = attack();
      const dora = await forge.createUser("dora");
      await dora.post("/user/repos", { name: "own", private: true }).expect(201);
      const limited = await tokenOf(dora, { scopes: ["all"], repositories: ["dora/own"] });
      const browser = createBrowser(forge.url);
      expect((await browser.signIn(dora)).status).toBe(303);
      const refs = (authorization: string) => fetch(`${forge.url}/dora/own.git/info/refs?service=git-upload-pack`, { headers: { authorization } });
      expect((await refs(basic("dora", dora.token))).status).toBe(200);
      await forge.admin.patch("/admin/users/dora", { login_name: "dora", source_id: 0, prohibit_login: true }).expect(200);
      for (const headers of [...Object.values(headersOf(dora.token)), ...Object.values(headersOf(limited))]) {
        expect((await createApiClient(forge.url, headers.authorization).get("/version")).status).toBe(403);
      }
      expect((await refs(basic("dora", dora.token))).status).toBe(403);
      expect((await refs(basic("dora", dora.password))).status).toBe(401);
      await createApiClient(forge.url, basic("dora", dora.password)).get("/user").expect(401);
      expect((await browser.get("/api/v1/user")).status).toBe(401);
      expect((await createBrowser(forge.url).signIn(dora)).status).toBe(401);
    });
  });

  describe("a user with limited permissions", () => {
    test("a user cannot gain further permissions or delete what others own", async () => {
      const { forge, alice, probe } = attack();
      const [rob, walt, ada] = [await forge.createUser("rob"), await forge.createUser("walt"), await forge.createUser("ada")];
      await alice.post("/user/repos", { name: "stage", private: true, auto_init: true, default_branch: "main" }).expect(201);
      for (const [user, permission] of [
        [rob, "read"],
        [walt, "write"],
        [ada, "admin"],
      ] as const) {
        await alice.put(`/repos/alice/stage/collaborators/${user.name}`, { permission }).expect(204);
      }
      const R = "/repos/alice/stage";
      const administrative = [
        ["PATCH", R, { has_issues: false }],
        ["PATCH", R, { private: false }],
        ["PUT", `${R}/collaborators/mallory`, { permission: "read" }],
        ["DELETE", `${R}/collaborators/ada`, undefined],
        ["POST", `${R}/keys`, { title: "x", key: "ssh-ed25519 AAAA" }],
        ["POST", `${R}/hooks`, { type: "gitea", config: { url: "https://evil.example/", content_type: "json" } }],
        ["POST", `${R}/branch_protections`, { rule_name: "main" }],
        ["POST", `${R}/tag_protections`, { name_pattern: "v*" }],
        ["POST", `${R}/push_mirrors`, { remote_address: "https://evil.example/x.git", interval: "8h0m0s" }],
      ] as const;
      const owners = [
        ["DELETE", R, undefined],
        ["POST", `${R}/transfer`, { new_owner: "mallory" }],
        ["PUT", `${R}/collaborators/ada`, { permission: "owner" }],
      ] as const;
      const writing = [
        ["POST", `${R}/contents/x.txt`, { content: Buffer.from("x").toString("base64"), branch: "main" }],
        ["PUT", `${R}/contents/README.md`, { content: "", sha: "0".repeat(40), branch: "main" }],
        ["POST", `${R}/branches`, { new_branch_name: "x" }],
        ["POST", `${R}/tags`, { tag_name: "x" }],
        ["POST", `${R}/releases`, { tag_name: "x" }],
        ["POST", `${R}/labels`, { name: "x", color: "ff0000" }],
        ["POST", `${R}/milestones`, { title: "x" }],
      ] as const;
      const before = await alice.get(R).expect(200);
      for (const [user, refused] of [
        [rob, [...writing, ...administrative, ...owners]],
        [walt, [...administrative, ...owners]],
        [ada, owners],
      ] as const) {
        for (const [method, path, body] of refused) {
          const { status } = await probe(path, { as: user, method, body });
          // 422 means that the body was checked after authorization: only the permission that cannot be granted is rejected this way.
          const refusals = body !== undefined && "permission" in body && body.permission === "owner" ? [403, 422] : [403, 404];
          expect([user.name, method, path, refusals.includes(status)], String(status)).toEqual([user.name, method, path, true]);
        }
      }
      expect(await alice.get(R).expect(200)).toEqual(before);
      expect((await alice.get(`${R}/collaborators`).expect(200)).map(({ login }: { login: string }) => login).sort()).toEqual(["ada", "rob", "walt"]);
      expect((await alice.get(`${R}/collaborators/ada/permission`).expect(200)).permission).toBe("admin");
    });
  });

  test("a copy of the database contains no usable cookie, token or password", async () => {
    const { forge, alice, raw } = attack();
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const { sql } = forge.context.db;
    const tables = ["sessions", "access_tokens", "accounts"] as const;
    const rows = (await Promise.all(tables.map((table) => sql.selectFrom(table).selectAll().execute()))).flat();
    const texts = new Set(rows.flatMap((row) => Object.values(row)).filter((value): value is string => typeof value === "string" && value.length >= 16));
    expect(texts.size).toBeGreaterThan(5);
    const [name = "", own = ""] = browser.cookie.split("=");
    expect((await raw("/api/v1/user", { cookie: `${name}=${own}` })).status).toBe(200);
    for (const text of texts) {
      for (const form of [text, Buffer.from(text, "hex").toString("base64url"), Buffer.from(text, "base64").toString("hex")]) {
        const value = encodeURIComponent(form);
        expect((await raw("/api/v1/user", { cookie: `${name}=${value}` })).status).toBe(401);
        expect((await raw("/api/v1/user", { authorization: `token ${value}` })).status).toBe(401);
        expect((await raw("/api/v1/user", { authorization: `Bearer ${value}` })).status).toBe(401);
      }
    }
    expect([...texts].some((text) => text === own || text === alice.token || text === alice.password)).toBe(false);
  });

  describe("invalid bodies", () => {
    test.each([
      { name: ["x"], scopes: ["all"] },
      { name: { $gt: "" }, scopes: ["all"] },
      { name: 1, scopes: ["all"] },
      { name: "x", scopes: "all" },
      { name: "x", scopes: { 0: "all" } },
      { name: "x", scopes: [["all"]] },
      { name: "x", scopes: ["all"], expires_at: 5 },
      { name: "x", scopes: ["all"], expires_at: ["2999-01-01T00:00:00Z"] },
      { name: "x", scopes: ["all"], expires_at: "2999-13-01T00:00:00Z" },
      { name: "x", scopes: ["all"], expires_at: "0000-00-00T00:00:00Z" },
      { name: "x", scopes: ["all"], repositories: "alice/open" },
      { name: "x", scopes: ["all"], repositories: [["alice/open"]] },
      { name: "x", scopes: ["all"], repositories: [1.5] },
      { name: "x", scopes: ["all"], repositories: [-1] },
      { name: "x", scopes: ["all"], repositories: ["alice/open/../secret"] },
      { name: "x", scopes: ["all"], repositories: ["'; drop table accounts; --"] },
    ])("the invalid body %j creates no token", async (body) => {
      const { alice, forge } = attack();
      const client = createApiClient(forge.url, basic("alice", alice.password));
      const answer = await client.post("/users/alice/tokens", body);
      expect(answer.status, answer.text).toBe(422);
      const own = await client.get("/users/alice/tokens?limit=50").expect(200);
      expect(own.map(({ name }: { name: string }) => name)).not.toContain("x");
    });

    test("codes are strings of six digits, and all other values are rejected", async () => {
      const { forge } = attack();
      const erik = await forge.createUser("erik");
      const client = createApiClient(forge.url, basic("erik", erik.password));
      const { secret } = await client.post("/user/two_factor").expect(201);
      const code = totpCode(secret, stepAt(Date.now()));
      for (const given of [
        Number(code),
        [code],
        { code },
        true,
        null,
        "",
        `${code}\u0000`,
        ` ${code}`,
        `${code}\n`,
        code.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
      ]) {
        expect({ given, status: (await client.post("/user/two_factor/confirm", { code: given })).status }).toEqual({ given, status: 422 });
      }
      expect((await client.get("/user/two_factor").expect(200)).enabled).toBe(false);
    });
  });

  describe("names similar to another user's", () => {
    // Letters that fold to those of alice in some alphabets or normal forms, but not in Hearth.
    const twins = [
      "ALİCE",
      "alıce",
      "ａｌｉｃｅ",
      "alice\u200b",
      "al\u0131ce",
      "alic\u0435",
      "alice\u0000",
      " alice",
      "alice ",
      "alice@EXAMPLE.com\u200b",
      "alice@exampl\u0435.com",
      "alice@example.com ",
    ];
    test.each(twins.map((name) => [JSON.stringify(name), name]))("%s does not sign in with alice's password", async (_shown, name) => {
      const { alice, raw } = attack();
      const answer = await raw("/api/v1/user", { authorization: basic(name, alice.password) });
      expect(answer.status).toBe(401);
    });

    test("a character whose lower case is a letter of a name neither signs in nor finds the user", async () => {
      const { forge, raw, probe, alice } = attack();
      const mike = await forge.createUser("mike");
      await mike.post("/user/repos", { name: "keys" }).expect(201);
      const kelvin = (text: string): string => text.replaceAll("k", "\u212a");
      expect(kelvin(mike.name).toLowerCase()).toBe("mike");
      for (const login of [kelvin(mike.name), kelvin(mike.email)]) {
        expect((await raw("/api/v1/user", { authorization: basic(login, mike.password) })).status).toBe(401);
        expect((await createBrowser(forge.url).signIn({ name: login, password: mike.password })).status).toBe(401);
      }
      const [owner, repo] = [encodeURIComponent(kelvin("mike")), encodeURIComponent(kelvin("keys"))];
      for (const path of [
        `/users/${owner}`,
        `/repos/${owner}/keys`,
        `/repos/mike/${repo}`,
        `//${owner}/keys.git/info/refs?service=git-upload-pack`,
        `//${owner}.keys`,
      ]) {
        expect([path, (await probe(path)).status]).toEqual([path, 404]);
      }
      // Invitations and review requests only match the exact user.
      expect((await probe(`/repos/alice/open/collaborators/${owner}`, { as: alice, method: "PUT", body: { permission: "admin" } })).status).toBe(422);
      expect(
        (await forge.admin.post("/admin/users", { username: "miker", email: kelvin("mike@example.com"), password: "a pass phrase of a twin" })).status,
      ).toBe(422);
    });

    test.each(["Ａlice", "alice\u200b", "alıce", "ALICE", "Alice"])("%s cannot be registered", async (username) => {
      const { forge } = attack();
      const made = await forge.admin.post("/admin/users", { username, email: "twin@example.com", password: "a pass phrase of a twin" });
      expect(made.status).toBe(422);
    });
  });
});
