import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApiClient } from "../../../../test/kit/api-client.ts";
import { type Browser, type BrowserAnswer, createBrowser } from "../../../../test/kit/browser.ts";
import { createTestClock, type TestClock } from "../../../../test/kit/clock.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { type IdentityProvider, startIdentityProvider } from "../../../../test/kit/identity-provider.ts";
import { stepAt, totpCode } from "../users/totp.ts";

const secret = "the client's secret, which is long enough";

eachDialect((dialect) => {
  let forge: TestForge;
  let provider: IdentityProvider;
  let clock: TestClock;
  let sourceId: number;
  let alice: TestUser;
  beforeAll(async () => {
    clock = createTestClock(Date.now());
    forge = await startForge({ dialect, clock });
    provider = await startIdentityProvider();
    const redirectUri = `${forge.url}/user/oauth2/house/callback`;
    provider.register({ id: "hearth", secret, redirectUri });
    const source = await forge.admin
      .post("/admin/sources", { kind: "oidc", name: "house", auto_register: true, secret, oidc: { issuer: provider.url, client_id: "hearth" } })
      .expect(201);
    expect(source.oidc.redirect_uri).toBe(redirectUri);
    sourceId = source.id;
    alice = await forge.createUser("alice");
  });
  beforeEach(() => {
    provider.tamper = undefined;
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  const known = (subject: string, claims: Readonly<Record<string, unknown>> = {}): void => {
    provider.people.set(subject, {
      preferred_username: subject,
      name: `The ${subject}`,
      email: `${subject}@house.example.org`,
      email_verified: true,
      ...claims,
    });
    provider.signsInAs(subject);
  };
  /** Follows the redirects through the provider. @returns the callback as a path of this server */
  async function answerOf(location: string | undefined): Promise<string> {
    const there = createBrowser(provider.url);
    let next = location ?? "";
    for (let hops = 0; hops < 8 && !next.startsWith(forge.url); hops += 1) next = (await there.get(next)).location ?? "nowhere";
    expect(next).toContain(`${forge.url}/user/oauth2/`);
    return next.slice(forge.url.length);
  }
  async function signIn(browser: Browser, source = "house", redirectTo = "/"): Promise<BrowserAnswer> {
    const begun = await browser.get(`/user/oauth2/${source}?redirect_to=${encodeURIComponent(redirectTo)}`);
    expect(begun.status).toBe(303);
    return browser.get(await answerOf(begun.location));
  }
  const open = (): Browser => createBrowser(forge.url);
  const whoami = async (browser: Browser): Promise<string | undefined> => JSON.parse((await browser.get("/api/v1/user")).text).login;
  const edit = (changes: object) => forge.admin.patch(`/admin/sources/${sourceId}`, changes).expect(200);

  describe("signing in", () => {
    test("creates an account at the first sign-in and finds it later even if it was renamed", async () => {
      known("carol");
      const browser = open();
      const answer = await signIn(browser, "house", "/user/identities");
      expect([answer.status, answer.location]).toEqual([303, "/user/identities"]);
      expect(await whoami(browser)).toBe("carol");
      expect(await forge.admin.get("/users/carol").expect(200)).toMatchObject({
        full_name: "The carol",
        email: "carol@house.example.org",
        source_id: sourceId,
        login_name: "carol",
        is_admin: false,
      });
      await forge.admin.post("/admin/users/carol/rename", { new_username: "caroline" }).expect(204);
      known("carol", { preferred_username: "somebody-else", email: "new@house.example.org" });
      const again = open();
      expect((await signIn(again)).status).toBe(303);
      expect(await whoami(again)).toBe("caroline");
    });

    test("is offered on the sign-in page and redirects only within this server", async () => {
      expect((await open().get("/user/login?redirect_to=/explore")).text).toContain('href="/user/oauth2/house?redirect_to=%2Fexplore"');
      known("carol");
      for (const target of ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"]) {
        expect((await signIn(open(), "house", target)).location).toBe("/");
      }
    });

    test("sends state, nonce and PKCE to the provider and keeps their secrets in a sealed cookie", async () => {
      const begun = await open().get("/user/oauth2/house");
      const requested = new URL(begun.location ?? "");
      expect(requested.origin).toBe(provider.url);
      expect(Object.fromEntries(requested.searchParams)).toMatchObject({
        client_id: "hearth",
        response_type: "code",
        code_challenge_method: "S256",
        scope: "openid profile email",
      });
      const cookie = begun.headers.get("set-cookie") ?? "";
      expect(cookie).toMatch(/^hearth_attempt=s1\.[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
      for (const name of ["state", "nonce"]) expect(cookie).not.toContain(requested.searchParams.get(name));
      expect(begun.headers.get("cache-control")).toBe("no-store");
    });

    test("creates one account for two concurrent first sign-ins", async () => {
      known("crowd");
      const browsers = [open(), open(), open()];
      const answers = await Promise.all(browsers.map((browser) => signIn(browser)));
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
      expect(await Promise.all(browsers.map(whoami))).toEqual(["crowd", "crowd", "crowd"]);
    });

    test("never takes over an existing name or address", async () => {
      known("robber", { preferred_username: "alice" });
      const name = await signIn(open());
      expect([name.status, name.text]).toEqual([403, expect.stringContaining("the username alice is already taken")]);
      known("robber", { email: "alice@example.com" });
      expect((await signIn(open())).text).toContain("the email address alice@example.com is already in use");
      known("robber", { email: "robber@house.example.org", email_verified: false });
      expect((await signIn(open())).text).toContain("no verified email address");
      await forge.admin.get("/users/robber").expect(404);
    });

    test("rejects a user who is prohibited from signing in despite the provider's approval", async () => {
      known("mallory");
      await signIn(open());
      await forge.admin.patch("/admin/users/mallory", { source_id: sourceId, login_name: "mallory", prohibit_login: true }).expect(200);
      const browser = open();
      const answer = await signIn(browser);
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("not allowed to sign in")]);
      expect(await whoami(browser)).toBeUndefined();
      expect(await forge.admin.get("/users/mallory").expect(200)).toMatchObject({ prohibit_login: true });
    });
  });

  test("asks for a second factor if the account has one", async () => {
    const frank = await forge.createUser("frank");
    known("frank-at-house");
    const browser = open();
    await browser.signIn(frank);
    await browser.get(await answerOf((await browser.submit(await browser.get("/user/identities"), "/user/oauth2/house/link")).location));
    const basic = createApiClient(forge.url, `Basic ${Buffer.from(`frank:${frank.password}`).toString("base64")}`);
    const enrolled = await basic.post("/user/two_factor").expect(201);
    await basic.post("/user/two_factor/confirm", { code: totpCode(enrolled.secret, stepAt(clock.now())) }).expect(201);

    const elsewhere = open();
    const answer = await signIn(elsewhere, "house", "/user/identities");
    expect([answer.status, answer.location]).toEqual([303, "/user/two_factor?redirect_to=%2Fuser%2Fidentities"]);
    expect(await whoami(elsewhere)).toBeUndefined();
    clock.advance(30_000);
    const page = await elsewhere.get(answer.location ?? "");
    const done = await elsewhere.submit(page, "/user/two_factor", { passcode: totpCode(enrolled.secret, stepAt(clock.now())) });
    expect([done.status, done.location]).toEqual([303, "/user/identities"]);
    expect(await whoami(elsewhere)).toBe("frank");
  });

  describe("an answer that does not belong to this browser's attempt", () => {
    test("is rejected without its cookie, with another's cookie, a second time and after it expires", async () => {
      known("carol");
      const browser = open();
      const path = await answerOf((await browser.get("/user/oauth2/house")).location);
      const stranger = open();
      expect((await stranger.get(path)).status).toBe(400);
      await stranger.get("/user/oauth2/house");
      expect((await stranger.get(path)).status).toBe(400);
      const thief = open();
      const { cookie } = browser;
      expect((await browser.get(path)).status).toBe(303);
      thief.cookie = cookie;
      expect((await thief.get(path)).status).toBe(400);
      expect(await whoami(thief)).toBeUndefined();

      const late = open();
      const latePath = await answerOf((await late.get("/user/oauth2/house")).location);
      clock.advance(601_000);
      expect((await late.get(latePath)).status).toBe(400);
    });

    test("is rejected with another state, issuer or code", async () => {
      known("carol");
      for (const [name, value] of [
        ["state", "guessed"],
        ["iss", "https://evil.example"],
        ["code", "guessed"],
      ] as const) {
        const browser = open();
        const path = new URL(await answerOf((await browser.get("/user/oauth2/house")).location), forge.url);
        path.searchParams.set(name, value);
        expect((await browser.get(path.pathname + path.search)).status, name).toBe(400);
        expect(await whoami(browser)).toBeUndefined();
      }
    });

    test("is rejected before a code of another provider, or of an unnamed one, is sent to a hostile provider", async () => {
      await using hostile = await startIdentityProvider();
      hostile.register({ id: "hearth", secret, redirectUri: `${forge.url}/user/oauth2/hostile/callback` });
      await forge.admin
        .post("/admin/sources", { kind: "oidc", name: "hostile", auto_register: true, secret, oidc: { issuer: hostile.url, client_id: "hearth" } })
        .expect(201);
      known("carol");
      for (const iss of [provider.url, undefined]) {
        const browser = open();
        // The hostile provider sends the browser on to the honest one, whose code returns with the state of the hostile attempt.
        const state = new URL((await browser.get("/user/oauth2/hostile")).location ?? "").searchParams.get("state") ?? "";
        const honest = new URL(await answerOf((await open().get("/user/oauth2/house")).location), forge.url).searchParams;
        expect(honest.get("iss")).toBe(provider.url);
        for (const response of [{ code: honest.get("code") ?? "" }, { error: "access_denied", error_description: "said by another provider" }]) {
          const parameters = new URLSearchParams({ ...response, state, ...(iss !== undefined && { iss }) } as Record<string, string>);
          const answer = await browser.get(`/user/oauth2/hostile/callback?${parameters}`);
          expect([iss, answer.status, answer.text.includes("said by another provider"), await whoami(browser)]).toEqual([iss, 400, false, undefined]);
        }
      }
      expect(hostile.exchanges).toBe(0);
    });

    test("is rejected if the ID token is altered, unsigned or of another client", async () => {
      known("carol");
      const change = (claims: object, header?: object) => (token: string) => {
        const [head = "", body = "", signature] = token.split(".");
        const altered = { ...JSON.parse(Buffer.from(body, "base64url").toString()), ...claims };
        const parts = [
          header === undefined ? head : Buffer.from(JSON.stringify(header)).toString("base64url"),
          Buffer.from(JSON.stringify(altered)).toString("base64url"),
        ];
        return [...parts, header === undefined ? signature : ""].join(".");
      };
      for (const tamper of [change({ sub: "chief" }), change({}, { alg: "none" }), change({ aud: "another" }), change({ nonce: "guessed" }), () => "x.y.z"]) {
        provider.tamper = tamper;
        const browser = open();
        expect((await signIn(browser)).status).toBe(400);
        expect(await whoami(browser)).toBeUndefined();
      }
    });

    test("shows the provider's error as text", async () => {
      provider.refuses();
      const answer = await signIn(open());
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("The provider refused the sign-in (not you).")]);
      const browser = open();
      const state = new URL((await browser.get("/user/oauth2/house")).location ?? "").searchParams.get("state");
      const page = await browser.get(`/user/oauth2/house/callback?state=${state}&iss=${provider.url}&error=x&error_description=%3Cscript%3E`);
      expect(page.text).not.toContain("<script>");
    });
  });

  describe("linking", () => {
    const link = async (browser: Browser): Promise<BrowserAnswer> => {
      const page = await browser.get("/user/identities");
      return browser.submit(page, "/user/oauth2/house/link");
    };

    test("lets the signed-in owner of an account link and unlink an identity", async () => {
      known("alice-at-house");
      const browser = open();
      await browser.signIn(alice);
      const done = await browser.get(await answerOf((await link(browser)).location));
      expect([done.status, done.location]).toEqual([303, "/user/identities"]);
      const elsewhere = open();
      await signIn(elsewhere);
      expect(await whoami(elsewhere)).toBe("alice");
      const [identity] = await alice.get("/user/identities").expect(200);
      expect(identity).toMatchObject({ source: "house", subject: "alice-at-house", label: "alice-at-house", source_id: sourceId });
      await forge.admin.delete(`/admin/sources/${sourceId}`).expect(409);

      const bob = await forge.createUser("bob");
      await bob.delete(`/user/identities/${identity.id}`).expect(404);
      const page = await browser.get("/user/identities");
      expect((await browser.submit(page, `/user/identities/${identity.id}/unlink`)).status).toBe(303);
      expect(await alice.get("/user/identities").expect(200)).toEqual([]);
    });

    test("deactivating a source ends the sessions of all linked accounts; other changes do not", async () => {
      const linda = await forge.createUser("linda");
      known("linda-at-house");
      const browser = open();
      await browser.signIn(linda);
      await browser.get(await answerOf((await link(browser)).location));
      await edit({ auto_register: true });
      expect(await whoami(browser)).toBe("linda");
      await edit({ is_active: false });
      expect(await whoami(browser)).toBeUndefined();
      await edit({ is_active: true });
      expect(await whoami(browser)).toBeUndefined();
    });

    test("starts only from a form of this server", async () => {
      const browser = open();
      await browser.signIn(alice);
      for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example", "sec-fetch-site": "cross-site" }]) {
        expect((await browser.post("/user/oauth2/house/link", {}, headers)).status).toBe(403);
      }
      expect((await browser.post("/user/oauth2/house/link", {})).status).toBe(403);
      expect((await browser.get("/user/oauth2/house/link")).status).toBe(404);
      const stranger = await open().post("/user/oauth2/house/link", {});
      expect([stranger.status, stranger.location]).toEqual([303, expect.stringMatching(/^\/user\/login/)]);
    });

    test("is refused to tokens and passwords, because an identity grants more than they do", async () => {
      for (const authorization of [`token ${alice.token}`, `Basic ${Buffer.from(`alice:${alice.password}`).toString("base64")}`]) {
        const headers = { authorization };
        expect((await open().post("/user/oauth2/house/link", {}, headers)).status).toBe(403);
        expect((await open().post("/user/identities/1/unlink", {}, headers)).status).toBe(403);
        expect((await open().get("/user/identities", headers)).status).toBe(403);
      }
      known("alice-by-token");
      const browser = open();
      await browser.signIn(alice);
      const path = await answerOf((await link(browser)).location);
      expect((await browser.get(path, { authorization: `token ${alice.token}` })).status).toBe(403);
      expect(await alice.get("/user/identities").expect(200)).toEqual([]);
    });

    test("fails if another user has signed in in the meantime or the identity is linked to another account", async () => {
      known("alice-too");
      const browser = open();
      await browser.signIn(alice);
      const path = await answerOf((await link(browser)).location);
      const dave = await forge.createUser("dave");
      await browser.submit(await browser.get("/user/login?again=true"), "/user/login", { user_name: "dave", password: dave.password });
      expect(await whoami(browser)).toBe("dave");
      expect((await browser.get(path)).status).toBe(403);

      known("carol");
      const other = open();
      await other.signIn(dave);
      const taken = await other.get(await answerOf((await link(other)).location));
      expect([taken.status, taken.text]).toEqual([409, expect.stringContaining("This identity is already linked to an account.")]);
      expect(await dave.get("/user/identities").expect(200)).toEqual([]);
    });

    test("keeps the last way to sign in", async () => {
      known("only");
      const browser = open();
      await signIn(browser);
      const [identity] = JSON.parse((await browser.get("/api/v1/user/identities")).text);
      const refused = await browser.submit(await browser.get("/user/identities"), `/user/identities/${identity.id}/unlink`);
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("your only way to sign in")]);
      await forge.admin
        .patch("/admin/users/only", { source_id: sourceId, login_name: "only", password: "only's pass phrase", must_change_password: false })
        .expect(200);
      const later = open();
      await later.signIn({ name: "only", password: "only's pass phrase" });
      expect((await later.submit(await later.get("/user/identities"), `/user/identities/${identity.id}/unlink`)).status).toBe(303);
      expect(await forge.admin.get("/users/only").expect(200)).toMatchObject({ source_id: 0, login_name: "" });
    });

    test("links by address only if the operator allows it and both sides have verified the address", async () => {
      const erin = await forge.createUser("erin");
      known("erin-at-house", { email: erin.email });
      expect((await signIn(open())).status).toBe(403);
      await edit({ oidc: { link_by_email: true } });
      known("erin-at-house", { email: erin.email, email_verified: false });
      expect((await signIn(open())).status).toBe(403);
      known("erin-at-house", { email: erin.email });
      const browser = open();
      await signIn(browser);
      expect(await whoami(browser)).toBe("erin");
      // Another identity at the provider now has the same address; it must not be linked too.
      known("second-erin", { email: erin.email });
      expect((await signIn(open())).text).toContain("is linked to another identity at house");
      await edit({ oidc: { link_by_email: false } });
    });
  });

  test("maps groups to admission, administrator rights and restriction", async () => {
    await edit({
      oidc: { scopes: ["profile", "email", "groups"], groups_claim: "groups", required_group: "staff", admin_group: "ops", restricted_group: "guests" },
    });
    known("gina", { groups: ["others"] });
    expect((await signIn(open())).text).toContain("not in a group that may sign in here");
    known("gina", { groups: ["staff", "ops"] });
    await signIn(open());
    expect(await forge.admin.get("/users/gina").expect(200)).toMatchObject({ is_admin: true, restricted: false });
    known("gina", { groups: ["staff", "guests"] });
    await signIn(open());
    expect(await forge.admin.get("/users/gina").expect(200)).toMatchObject({ is_admin: false, restricted: true });
    await edit({ oidc: { groups_claim: "", required_group: "", admin_group: "", restricted_group: "" } });
  });

  test("does not read responses of a provider that are too large", async () => {
    await edit({ oidc: { scopes: ["profile", "email", "groups"], groups_claim: "groups" } });
    const groups = (count: number) => Array.from({ length: count }, (_, at) => `group ${at}`);
    known("harry", { groups: groups(1_000) });
    expect((await signIn(open())).status).toBe(303);
    known("harry", { groups: groups(60_000) });
    expect((await signIn(open())).status).toBe(503);
    await edit({ oidc: { groups_claim: "" } });
  });

  test("explains how to get an account when registration is off", async () => {
    await edit({ auto_register: false });
    known("stranger");
    const answer = await signIn(open());
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("Sign in with your password and link it")]);
    await edit({ auto_register: true });
  });

  test("a source that is inactive, unknown or out of reach", async () => {
    await edit({ is_active: false });
    expect((await open().get("/user/oauth2/house")).status).toBe(404);
    expect((await open().get("/user/login")).text).not.toContain("/user/oauth2/house");
    await edit({ is_active: true });
    expect((await open().get("/user/oauth2/nowhere")).status).toBe(404);
    await forge.admin.post(`/admin/sources/${sourceId}/check`).expect(204);
    await edit({ oidc: { issuer: "http://127.0.0.1:9" } });
    expect((await open().get("/user/oauth2/house")).status).toBe(503);
    await forge.admin.post(`/admin/sources/${sourceId}/check`).expect(503);
    await edit({ oidc: { issuer: provider.url } });
  });
});
