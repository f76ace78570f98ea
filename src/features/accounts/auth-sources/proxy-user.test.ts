import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, type BrowserAnswer, createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { proxyUserReaderOf } from "../../../app/proxy-user.ts";
import { loadConfig } from "../../../config/config.ts";

const environment = {
  HEARTH_PROXY_SIGN_IN_ENABLED: "true",
  HEARTH_PROXY_SIGN_IN_AUTO_REGISTER: "true",
  HEARTH_SERVER_TRUSTED_PROXIES: "127.0.0.0/8",
};

const named = (name: string, more: Readonly<Record<string, string>> = {}) => ({ "x-webauth-user": name, ...more });

eachDialect((dialect) => {
  describe("behind a trusted proxy", () => {
    let forge: TestForge;
    let alice: TestUser;
    let bob: TestUser;
    beforeAll(async () => {
      forge = await startForge({ dialect, environment });
      alice = await forge.createUser("alice");
      bob = await forge.createUser("bob");
    });
    afterAll(() => forge[Symbol.asyncDispose]());

    const open = (): Browser => createBrowser(forge.url);
    const enter = (browser: Browser, headers: Readonly<Record<string, string>>, path = "/user/login"): Promise<BrowserAnswer> => browser.get(path, headers);
    const whoami = async (browser: Browser, headers: Readonly<Record<string, string>> = {}): Promise<string | undefined> =>
      JSON.parse((await browser.get("/api/v1/user", headers)).text).login;

    test("signs in a user whom the proxy names", async () => {
      const browser = open();
      const answer = await enter(browser, named("ALICE"), "/user/login?redirect_to=/explore");
      expect([answer.status, answer.location]).toEqual([303, "/explore"]);
      expect(await whoami(browser, named("alice"))).toBe("alice");
    });

    test("ignores another user's session left in the browser", async () => {
      const browser = open();
      await enter(browser, named("alice"));
      expect((await browser.get("/api/v1/user", named("bob"))).status).toBe(401);
      expect((await enter(browser, named("bob"))).status).toBe(303);
      expect(await whoami(browser, named("bob"))).toBe("bob");
      expect((await browser.get("/api/v1/user", named("alice"))).status).toBe(401);
    });

    test("lets the header alone change nothing and open only pages", async () => {
      await forge.anonymous.get("/user", named("alice")).expect(401);
      await forge.anonymous.post("/user/repos", { name: "x" }, named("alice")).expect(401);
      // A client's own credentials take precedence over the user whom the proxy names.
      expect(await bob.get("/user", named("alice")).expect(200)).toMatchObject({ login: "bob" });
    });

    test("creates an account with exactly that name for an unknown user", async () => {
      const browser = open();
      await enter(browser, named("carol", { "x-webauth-email": "carol@proxy.example.org", "x-webauth-fullname": "Carol C." }));
      expect(await whoami(browser, named("carol"))).toBe("carol");
      expect(await forge.admin.get("/users/carol").expect(200)).toMatchObject({
        full_name: "Carol C.",
        email: "carol@proxy.example.org",
        source_id: 0,
        is_admin: false,
      });
      const crowd = await Promise.all([1, 2, 3].map(() => enter(open(), named("crowd", { "x-webauth-email": "crowd@proxy.example.org" }))));
      expect(crowd.map(({ status }) => status)).toEqual([303, 303, 303]);
    });

    test.each([
      ["no address", named("dave"), "no verified email address"],
      ["somebody's address", named("dave", { "x-webauth-email": "bob@example.com" }), "is already in use"],
      ["a name that no account has", named("d/a", { "x-webauth-email": "d@proxy.example.org" }), "not a valid username"],
      ["a reserved name", named("admin@x, alice", { "x-webauth-email": "d@proxy.example.org" }), "not a valid username"],
      ["an organization", named("acme", { "x-webauth-email": "d@proxy.example.org" }), "is already taken"],
    ])("rejects %s with the reason", async (_what, headers, reason) => {
      await forge.admin.post("/orgs", { username: "acme" });
      const browser = open();
      const answer = await enter(browser, headers);
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining(reason)]);
      expect(await whoami(browser)).toBeUndefined();
    });

    test("rejects a user who is prohibited from signing in", async () => {
      await forge.admin.patch("/admin/users/alice", { source_id: 0, login_name: "alice", prohibit_login: true }).expect(200);
      const answer = await enter(open(), named("alice"));
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("not allowed to sign in")]);
      expect(await forge.admin.get(`/users/${alice.name}`).expect(200)).toMatchObject({ prohibit_login: true });
    });
  });

  test("ignores the header from other addresses, also with further forged headers", async () => {
    await using forge = await startForge({ dialect, environment: { ...environment, HEARTH_SERVER_TRUSTED_PROXIES: "10.0.0.0/8,192.0.2.1" } });
    await forge.createUser("alice");
    for (const more of [{}, { "x-forwarded-for": "10.0.0.1" }, { "x-real-ip": "10.0.0.1" }, { forwarded: "for=10.0.0.1" }] as Record<string, string>[]) {
      const browser = createBrowser(forge.url);
      const answer = await browser.get("/user/login", named("chief", more));
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([200, null]);
      await forge.anonymous.get("/user", named("chief", more)).expect(401);
    }
    await forge.admin.get("/users/mallory").expect(404);
  });

  test("ignores the header even from a trusted proxy when switched off, which is the default", async () => {
    await using forge = await startForge({ dialect, environment: { HEARTH_SERVER_TRUSTED_PROXIES: "127.0.0.1" } });
    const answer = await createBrowser(forge.url).get("/user/login", named("chief"));
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([200, null]);
  });
});

test("refuses to start with proxy authentication open to every client", () => {
  const { HEARTH_SERVER_TRUSTED_PROXIES: _, ...open } = environment;
  expect(() => proxyUserReaderOf(loadConfig(open))).toThrow("needs server.trusted_proxies");
  expect(() => proxyUserReaderOf(loadConfig({ ...environment, HEARTH_SERVER_TRUSTED_PROXIES: "everywhere" }))).toThrow("must list addresses");
  expect(() => proxyUserReaderOf(loadConfig({ ...environment, HEARTH_PROXY_SIGN_IN_USER_HEADER: "a b" }))).toThrow("must be the name of a header");
});
