import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, createBrowser } from "../../../../test/kit/browser.ts";
import { createTestClock, type TestClock } from "../../../../test/kit/clock.ts";
import { eachDialect, sqlite } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { pruneSessions } from "./service/sessions.ts";
import { signIn } from "./service/sign-in.ts";

const dayMs = 86_400_000;

eachDialect((dialect) => {
  let forge: TestForge;
  let clock: TestClock;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    clock = createTestClock(1_700_000_000_000);
    forge = await startForge({ dialect, clock, environment: { HEARTH_SESSIONS_IDLE_DAYS: "7", HEARTH_SESSIONS_MAX_DAYS: "30" } });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const open = (): Browser => createBrowser(forge.url);
  async function signedIn(user: TestUser): Promise<Browser> {
    const browser = open();
    expect((await browser.signIn(user)).status).toBe(303);
    return browser;
  }
  const whoami = async (browser: Browser): Promise<number> => (await browser.get("/api/v1/user")).status;

  test("signs in with a name or address and a password, and limits the cookie to this server", async () => {
    for (const login of ["alice", "ALICE", "alice@example.com"]) {
      const browser = open();
      const answer = await browser.signIn({ name: login, password: alice.password }, "/user/settings?tab=1");
      expect([answer.status, answer.location]).toEqual([303, "/user/settings?tab=1"]);
      expect(answer.headers.get("set-cookie")).toMatch(/^hearth_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect((await browser.get("/")).text).toContain("alice");
      expect(await whoami(browser)).toBe(200);
    }
  });

  test("accepts clients that send only name and password", async () => {
    const answer = await fetch(`${forge.url}/user/login`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ user_name: "alice", password: alice.password }),
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
    expect(answer.headers.getSetCookie()).toHaveLength(1);
  });

  test("answers wrong credentials and unknown names alike, without a cookie", async () => {
    const answers = await Promise.all(
      [
        ["alice", "wrong pass phrase"],
        ["nobody", "wrong pass phrase"],
      ].map(([name = "", password = ""]) => open().signIn({ name, password })),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get("set-cookie")).toBeNull();
      expect(answer.text).toContain('role="alert"');
    }
    expect(answers[0]?.text.replaceAll("alice", "nobody")).toBe(answers[1]?.text);
    expect((await open().signIn({ name: "", password: "" })).status).toBe(422);
  });

  test("escapes entered text on the page", async () => {
    const answer = await open().signIn({ name: `"><script>alert(1)</script>`, password: "x" }, `/"><script>`);
    expect(answer.text).not.toContain("<script>");
  });

  test("sends a policy that allows only this server's scripts and forms, and no frames", async () => {
    const page = await open().get("/user/login");
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    const sheet = /href="(\/assets\/[^"]+\.css)"/.exec(page.text)?.[1] ?? "";
    const style = await open().get(sheet);
    expect([style.status, style.headers.get("content-type")]).toEqual([200, "text/css; charset=utf-8"]);
    expect((await open().get("/assets/other.css")).status).toBe(404);
  });

  test("redirects only within this server after sign-in", async () => {
    for (const target of [
      "//evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "/\t/evil.example",
      "/%09/evil.example/../..//x\n",
      "https:evil.example",
      "http:///evil.example",
      "https://evil.example/",
      "javascript:alert(1)",
      "evil",
      "",
    ]) {
      expect((await open().signIn(alice, target)).location, JSON.stringify(target)).toBe("/");
      expect((await (await signedIn(alice)).get(`/user/login?redirect_to=${encodeURIComponent(target)}`)).location, target).toBe("/");
    }
  });

  test("rejects a sign-in form sent by another site", async () => {
    const fields = { user_name: "alice", password: alice.password };
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }] as const) {
      expect((await open().post("/user/login", fields, headers)).status).toBe(403);
    }
    for (const origin of ["null", "https://evil.example", `${forge.url}.evil.example`]) {
      const answer = await fetch(`${forge.url}/user/login`, { method: "POST", redirect: "manual", headers: { origin }, body: new URLSearchParams(fields) });
      expect([answer.status, answer.headers.get("set-cookie")], origin).toEqual([403, null]);
    }
  });

  test("creates a new session for each sign-in, ends the previous one and ignores planted cookies", async () => {
    const browser = open();
    browser.cookie = `hearth_session=${"A".repeat(43)}`;
    expect(await whoami(browser)).toBe(401);
    await browser.signIn(alice);
    const first = browser.cookie;
    expect(first).not.toContain("AAAA");
    await browser.post("/user/login", { user_name: "alice", password: alice.password });
    expect(browser.cookie).not.toBe(first);
    const thief = open();
    thief.cookie = first;
    expect(await whoami(thief)).toBe(401);
    expect(await whoami(browser)).toBe(200);
  });

  test("ignores cookies that do not match a session", async () => {
    const browser = open();
    for (const value of ["../../../tmp/x", "..%2f..%2fx", "", "x".repeat(5_000), "1 or 1=1"]) {
      browser.cookie = `hearth_session=${value}`;
      expect(await whoami(browser), value).toBe(401);
      expect((await browser.get("/api/v1/version")).status).toBe(200);
    }
  });

  test("ends the session on the server when the user signs out", async () => {
    const browser = await signedIn(alice);
    const stolen = browser.cookie;
    const answer = await browser.submit(await browser.get("/"), "/user/logout");
    expect([answer.status, answer.location, browser.cookie]).toEqual([303, "/", ""]);
    browser.cookie = stolen;
    expect(await whoami(browser)).toBe(401);
  });

  test("accepts a form only with its session's token", async () => {
    const browser = await signedIn(alice);
    const other = await signedIn(bob);
    const foreign = (await other.get("/")).form("/user/logout");
    expect((await browser.post("/user/logout", {})).status).toBe(403);
    expect((await browser.post("/user/logout", foreign)).status).toBe(403);
    const own = (await browser.get("/")).form("/user/logout");
    expect((await browser.post("/user/logout", own, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await browser.post("/user/logout", own, { "sec-fetch-site": "same-site" })).status).toBe(403);
    expect(await whoami(browser)).toBe(200);
  });

  test("accepts a cookie for API reads, and for writes only with a form token", async () => {
    const browser = await signedIn(alice);
    const token = (await browser.get("/")).form("/user/logout")._csrf ?? "";
    const change = (headers: Readonly<Record<string, string>>) =>
      fetch(`${forge.url}/api/v1/user/settings`, {
        method: "PATCH",
        headers: { cookie: browser.cookie, "content-type": "application/json", ...headers },
        body: JSON.stringify({ full_name: "Changed" }),
      }).then(({ status }) => status);
    expect(await change({})).toBe(401);
    expect(await change({ origin: forge.url })).toBe(401);
    expect(await change({ "x-csrf-token": token })).toBe(401);
    expect(await change({ "x-csrf-token": token, "sec-fetch-site": "cross-site" })).toBe(401);
    expect(await change({ "x-csrf-token": token, origin: "https://evil.example" })).toBe(401);
    expect(await change({ "x-csrf-token": token, origin: "null" })).toBe(401);
    expect(await change({ "x-csrf-token": `${token}x`, origin: forge.url })).toBe(401);
    expect(await change({ "x-csrf-token": token, origin: forge.url })).toBe(200);
    // A session is not a password: it cannot create tokens or use sudo.
    const made = await fetch(`${forge.url}/api/v1/users/alice/tokens`, {
      method: "POST",
      headers: { cookie: browser.cookie, origin: forge.url, "x-csrf-token": token, "content-type": "application/json" },
      body: JSON.stringify({ name: "x", scopes: ["all"] }),
    });
    expect(made.status).toBe(401);
    const chief = await signedIn(forge.admin);
    expect((await chief.get("/api/v1/user?sudo=alice")).status).toBe(403);
  });

  test("requires changing a password that was set by an administrator before anything else", async () => {
    const carol = await forge.createUser("carol");
    await forge.admin.patch("/admin/users/carol", { login_name: "carol", source_id: 0, must_change_password: true }).expect(200);
    const browser = open();
    const step = await browser.signIn(carol, "/wanted");
    expect(step.location).toBe("/user/change_password?redirect_to=%2Fwanted");
    expect(await whoami(browser)).toBe(401);
    const page = await browser.get(step.location ?? "");
    expect((await browser.submit(page, "/user/change_password", { password: "short", retype: "short" })).status).toBe(422);
    expect((await browser.submit(page, "/user/change_password", { password: "a new pass phrase", retype: "another" })).status).toBe(422);
    expect((await browser.post("/user/change_password", { password: "a new pass phrase", retype: "a new pass phrase" })).status).toBe(403);
    const before = browser.cookie;
    const done = await browser.submit(page, "/user/change_password", { password: "a new pass phrase", retype: "a new pass phrase" });
    expect([done.status, done.location]).toEqual([303, "/wanted"]);
    expect(browser.cookie).not.toBe(before);
    expect(await whoami(browser)).toBe(200);
    expect((await open().signIn(carol)).status).toBe(401);
    // The page exists only during this step.
    expect((await browser.get("/user/change_password")).location).toBe("/user/login");
  });

  test("ends all sessions permanently after a password change or a prohibition", async () => {
    const dave = await forge.createUser("dave");
    const first = await signedIn(dave);
    await forge.admin.patch("/admin/users/dave", { login_name: "dave", source_id: 0, password: "another pass phrase" }).expect(200);
    expect(await whoami(first)).toBe(401);
    const second = await signedIn({ ...dave, password: "another pass phrase" });
    await forge.admin.patch("/admin/users/dave", { login_name: "dave", source_id: 0, prohibit_login: true }).expect(200);
    expect(await whoami(second)).toBe(401);
    expect((await open().signIn({ name: "dave", password: "another pass phrase" })).status).toBe(401);
    await forge.admin.patch("/admin/users/dave", { login_name: "dave", source_id: 0, prohibit_login: false }).expect(200);
    expect(await whoami(second)).toBe(401);
  });

  test("rejects a sign-in if the password changes while it is being checked", async () => {
    const ivy = await forge.createUser("ivy");
    const { context } = forge.forge;
    const { credential_version: credentialVersion } = await context.db.sql
      .selectFrom("accounts")
      .select("credential_version")
      .where("id", "=", ivy.id)
      .executeTakeFirstOrThrow();
    // The result of a password check that has just completed with the previous password.
    const passwords = {
      async checkPassword() {
        await forge.admin.patch("/admin/users/ivy", { login_name: "ivy", source_id: 0, password: "another pass phrase" }).expect(200);
        return { id: ivy.id, mustChangePassword: false, hasSecondFactor: false, credentialVersion };
      },
      checkCode: async () => false,
    };
    const attempt = signIn({ ...context, passwords }, { login: "ivy", password: ivy.password }, { address: "", userAgent: "" }, undefined);
    await expect(attempt).rejects.toMatchObject({ code: "unauthenticated" });
    expect((await ivy.get("/user/sessions").expect(200)).length).toBe(0);
  });

  test("lets users list and end their sessions", async () => {
    const erin = await forge.createUser("erin");
    const [desk, phone, lost] = [createBrowser(forge.url, "Desk/1"), createBrowser(forge.url, "Phone/2"), createBrowser(forge.url, "Lost/3")];
    for (const browser of [desk, phone, lost]) await browser.signIn(erin);
    const sessions = JSON.parse((await desk.get("/api/v1/user/sessions")).text);
    expect(sessions.map((session: { user_agent: string; current: boolean }) => [session.user_agent, session.current])).toEqual([
      ["Lost/3", false],
      ["Phone/2", false],
      ["Desk/1", true],
    ]);
    expect(sessions[0]).toMatchObject({ address: "127.0.0.1", created_at: expect.any(String), expires_at: expect.any(String) });
    await bob.delete(`/user/sessions/${sessions[0].id}`).expect(404);
    await erin.delete(`/user/sessions/${sessions[0].id}`).expect(204);
    await erin.delete(`/user/sessions/${sessions[0].id}`).expect(404);
    await erin.delete("/user/sessions/x").expect(404);
    expect(await Promise.all([desk, phone, lost].map(whoami))).toEqual([200, 200, 401]);
    const token = (await desk.get("/")).form("/user/logout")._csrf ?? "";
    await fetch(`${forge.url}/api/v1/user/sessions`, { method: "DELETE", headers: { cookie: desk.cookie, origin: forge.url, "x-csrf-token": token } });
    expect(await Promise.all([desk, phone].map(whoami))).toEqual([200, 401]);
    await erin.delete("/user/sessions").expect(204);
    expect(await whoami(desk)).toBe(401);
    const listed = await forge.cost(() => erin.get("/user/sessions?limit=1").expect(200));
    expect(listed.statements.length).toBeLessThanOrEqual(3);
  });

  test("lists and ends sessions on a page", async () => {
    const heidi = await forge.createUser("heidi");
    const [desk, phone, lost] = [createBrowser(forge.url, "Desk/1"), createBrowser(forge.url, "<b>Phone</b>/2"), createBrowser(forge.url, "Lost/3")];
    for (const browser of [desk, phone, lost]) await browser.signIn(heidi);
    const page = await desk.get("/user/sessions");
    expect(page.text).toContain("This browser");
    expect(page.text).not.toContain("<b>Phone");
    const [, lostId = ""] = /action="\/user\/sessions\/(\d+)\/end"/.exec(page.text) ?? [];
    const end = `/user/sessions/${lostId}/end`;
    expect((await desk.post(end, {})).status).toBe(403);
    const bobs = await signedIn(bob);
    expect((await bobs.post(end, (await bobs.get("/user/sessions")).form("/user/logout"))).status).toBe(404);
    expect((await desk.submit(page, end)).location).toBe("/user/sessions?saved=ended");
    expect(await Promise.all([desk, phone, lost].map(whoami))).toEqual([200, 200, 401]);
    await desk.submit(await desk.get("/user/sessions"), "/user/sessions/end");
    expect(await Promise.all([desk, phone].map(whoami))).toEqual([200, 401]);
    expect((await open().get("/user/sessions")).location).toBe("/user/login?redirect_to=%2Fuser%2Fsessions");
    expect((await heidi.get("//user/sessions")).status).toBe(303);
  });

  test("reads a session in one statement and records its use only once in a while", async () => {
    const browser = await signedIn(alice);
    await whoami(browser);
    const { statements } = await forge.cost(() => browser.get("/api/v1/user"));
    expect(statements).toHaveLength(2);
    clock.advance(6 * 60_000);
    await whoami(browser);
    await forge.settled();
    const [session] = JSON.parse((await browser.get("/api/v1/user/sessions?limit=1")).text);
    expect(Date.parse(session.last_seen_at)).toBe(clock.now());
  });

  test("records sign-ins and sign-outs, and shows an account's last sign-in", async () => {
    const frank = await forge.createUser("frank");
    const browser = await signedIn(frank);
    expect(Date.parse((await frank.get("/user").expect(200)).last_login)).toBe(clock.now());
    await browser.submit(await browser.get("/"), "/user/logout");
    const { entries } = await forge.admin.get("/admin/audit?account=frank&action=session").expect(200);
    expect(
      entries.map((entry: { action: string; carrier: string; address: string; actor: { name: string } }) => [
        entry.action,
        entry.carrier,
        entry.address,
        entry.actor.name,
      ]),
    ).toEqual([
      ["session.ended", "session", "127.0.0.1", "frank"],
      ["session.started", "session", "127.0.0.1", "frank"],
    ]);
  });

  test("ends the oldest session beyond the maximum", async () => {
    const grace = await forge.createUser("grace");
    const first = await signedIn(grace);
    for (let count = 1; count < 100; count += 1) await signedIn(grace);
    expect(await whoami(first)).toBe(200);
    const last = await signedIn(grace);
    expect([await whoami(first), await whoami(last)]).toEqual([401, 200]);
    expect((await grace.get("/user/sessions?limit=1")).headers.get("x-total-count")).toBe("100");
  });

  // Last, because it advances the clock for all sessions above.
  test("ends unused and old sessions, which stay ended when the clock is set back", async () => {
    const [idle, used] = [await signedIn(alice), await signedIn(alice)];
    for (let day = 0; day < 6; day += 1) {
      clock.advance(dayMs);
      expect(await whoami(used)).toBe(200);
      await forge.settled();
    }
    clock.advance(1.5 * dayMs);
    expect([await whoami(idle), await whoami(used)]).toEqual([401, 200]);
    clock.advance(-7 * dayMs);
    expect(await whoami(idle)).toBe(401);
    clock.advance(7 * dayMs);
    for (let day = 0; day < 5; day += 1) {
      clock.advance(5 * dayMs);
      await whoami(used);
      await forge.settled();
    }
    expect(await whoami(used)).toBe(401);
    const fresh = await signedIn(alice);
    await pruneSessions(forge.context);
    expect(await forge.context.db.sql.selectFrom("sessions").select("account_id").execute()).toEqual([{ account_id: alice.id }]);
    expect(await whoami(fresh)).toBe(200);
  });
});

test("works over TLS behind a proxy on an instance that requires sign-in", async () => {
  const origin = "https://forge.example";
  await using forge = await startForge({ dialect: sqlite, environment: { HEARTH_ROOT_URL: origin, HEARTH_SERVER_SIGN_IN_REQUIRED: "true" } });
  const port = forge.forge.http.port();
  const open = () => createBrowser(`http://127.0.0.1:${port}`);
  const browser = open();
  // Headers that the proxy forwards from a browser that knows only the public address.
  const own = { origin, "sec-fetch-site": "same-origin" };
  expect((await browser.get("/")).location).toBe("/user/login?redirect_to=%2F");
  const page = await browser.get("/user/login");
  expect(page.status).toBe(200);
  expect((await browser.get(/href="(\/assets\/[^"]+)"/.exec(page.text)?.[1] ?? "")).status).toBe(200);
  const fields = { ...page.form("/user/login"), user_name: "chief", password: forge.admin.password };
  const answer = await browser.post("/user/login", fields, own);
  expect(answer.headers.get("set-cookie")).toMatch(/^__Host-hearth_session=.+; HttpOnly; SameSite=Lax; Secure$/);
  expect((await browser.get("/")).text).toContain("chief");
  expect((await browser.get("/api/v1/user")).status).toBe(200);
  expect((await browser.get("/login/oauth/authorize?client_id=x")).status).toBe(400);
  expect((await open().get("/login/oauth/authorize?client_id=x")).location).toMatch(/^\/user\/login\?redirect_to=/);
  expect((await open().get("/.well-known/openid-configuration")).status).toBe(200);
  // A cookie captured without TLS, under the unprefixed name, is worthless.
  const stolen = open();
  stolen.cookie = browser.cookie.replace("__Host-", "");
  expect((await stolen.get("/api/v1/user")).status).toBe(403);
});
