import { createHmac, createPublicKey } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient } from "../../../../test/kit/api-client.ts";
import { type Browser, createBrowser } from "../../../../test/kit/browser.ts";
import { createTestClock, type TestClock } from "../../../../test/kit/clock.ts";
import { answerDifferences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import {
  agree,
  askForTokens,
  authorizePath,
  codeFields,
  makeProof,
  refreshFields,
  registerApplication,
  type TestApplication,
} from "../../../../test/kit/oauth.ts";
import { pruneTokens } from "./service/tokens.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let clock: TestClock;
  let alice: TestUser;
  let bob: TestUser;
  /** Owns an application and tries to impersonate others. */
  let mallory: TestUser;
  let browser: Browser;
  let application: TestApplication;
  beforeAll(async () => {
    clock = createTestClock(Date.now());
    forge = await startForge({ dialect, clock });
    [alice, bob, mallory] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("mallory")];
    browser = createBrowser(forge.url);
    await browser.signIn(bob);
    application = await registerApplication(alice);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const bearer = (token: string) => createApiClient(forge.url, `Bearer ${token}`);
  const codeOf = (back: URL): string => back.searchParams.get("code") ?? "";
  /** A code granted by bob to an application. */
  const newCode = async (parameters: Readonly<Record<string, string>> = {}, of = application): Promise<string> =>
    codeOf(await agree(browser, authorizePath(of, parameters)));
  async function newTokens(parameters: Readonly<Record<string, string>> = {}, of = application) {
    const answer = await askForTokens(forge, codeFields(of, await newCode(parameters, of)));
    expect(answer.status).toBe(200);
    return answer.json as { access_token: string; refresh_token: string; id_token?: string };
  }

  test("only the owner of an application can edit, list and delete it", async () => {
    const input = { name: "ci", redirect_uris: ["https://ci.example.org/cb"], confidential_client: true };
    const made = await alice.post("/user/applications/oauth2", input).expect(201);
    expect(answerDifferences("POST", "/user/applications/oauth2", 201, made)).toEqual([]);
    expect(made.client_secret).toMatch(/^gto_[a-z2-7]{52}$/);
    const path = `/user/applications/oauth2/${made.id}`;
    expect(await alice.get(path).expect(200)).toEqual({ ...made, client_secret: "" });
    const changed = await alice.patch(path, { ...input, name: "ci2" }).expect(200);
    expect(changed).toMatchObject({ name: "ci2", client_id: made.client_id });
    const grantWith = (secret: string) =>
      askForTokens(forge, {
        grant_type: "authorization_code",
        client_id: made.client_id,
        client_secret: secret,
        code: "x",
        redirect_uri: input.redirect_uris[0] ?? "",
      });
    const refusal = async (secret: string): Promise<string> => (await grantWith(secret)).json.error_description;
    expect([changed.client_secret, await refusal(made.client_secret)]).toEqual(["", expect.not.stringContaining("secret")]);
    const renewed = await alice.post(`${path}/secret`).expect(201);
    expect(renewed).toEqual({ ...changed, client_secret: expect.stringMatching(/^gto_[a-z2-7]{52}$/) });
    expect([await refusal(made.client_secret), await refusal(renewed.client_secret)]).toEqual(["invalid client secret", expect.not.stringContaining("secret")]);
    for (const call of [
      mallory.post(`${path}/secret`),
      mallory.get(path),
      mallory.patch(path, input),
      mallory.delete(path),
      alice.get("/user/applications/oauth2/999999"),
      alice.get(`${path}x`),
    ]) {
      expect((await call).status).toBe(404);
    }
    await alice.get("/user/applications/oauth2/1").expect(404);
    const listed = await forge.cost(() => alice.get("/user/applications/oauth2?limit=1"));
    expect([listed.result.json, listed.result.headers.get("x-total-count"), listed.result.headers.get("link")]).toEqual([
      [{ ...changed, client_secret: "" }],
      "2",
      null,
    ]);
    expect(listed.statements.length).toBeLessThanOrEqual(3);
    await alice.delete(path).expect(204);
    await alice.delete(path).expect(404);
    await forge.anonymous.get("/user/applications/oauth2").expect(401);
  });

  test("repeating a creation request returns the same secret, which the database does not contain", async () => {
    const input = { name: "repeated", redirect_uris: ["https://ci.example.org/cb"], confidential_client: true };
    const [made, again] = [
      await alice.post("/user/applications/oauth2", input, { "idempotency-key": "made once" }),
      await alice.post("/user/applications/oauth2", input, { "idempotency-key": "made once" }),
    ];
    expect([made.status, again.status, again.text]).toEqual([201, 201, made.text]);
    const { db } = forge.context;
    const rows = await Promise.all([
      db.sql.selectFrom("idempotency_keys").selectAll().execute(),
      db.sql.selectFrom("oauth2_applications").selectAll().execute(),
      db.sql.selectFrom("events").selectAll().execute(),
    ]);
    expect(JSON.stringify(rows)).toContain("repeated");
    expect(JSON.stringify(rows)).not.toContain(made.json.client_secret);
  });

  test("rejects incomplete applications and unsafe redirect addresses", async () => {
    const create = (input: Readonly<Record<string, unknown>>) => alice.post("/user/applications/oauth2", input);
    expect((await create({ redirect_uris: ["https://x.example.org"] })).text).toContain("[Name]: Required");
    expect((await create({ name: "x" })).text).toContain("[RedirectURIs]: Required");
    await create({ name: "x", redirect_uris: [] }).expect(201);
    for (const uri of ["javascript:alert(1)", "/cb", "https://x.example.org/#y", "https://x.example.org/\r\nx"]) {
      expect((await create({ name: "x", redirect_uris: [uri] })).status, uri).toBe(400);
    }
    expect((await create({ name: "x".repeat(300), redirect_uris: [] })).status).toBe(400);
    expect((await create({ name: "x", redirect_uris: Array(51).fill("https://x.example.org") })).status).toBe(400);
  });

  test("publishes its endpoints and the keys that verify its signatures", async () => {
    const found = await forge.anonymous.get("//.well-known/openid-configuration");
    expect([found.headers.get("content-type"), found.json]).toMatchObject([
      "application/json",
      { issuer: forge.url, token_endpoint: `${forge.url}/login/oauth/access_token` },
    ]);
    expect(found.json).toMatchObject({ response_types_supported: ["code", "id_token"], code_challenge_methods_supported: ["plain", "S256"] });
    expect(found.json.authorization_response_iss_parameter_supported).toBe(true);
    const spoofed = await fetch(`${forge.url}/.well-known/openid-configuration`, {
      headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "javascript" },
    });
    expect(await spoofed.text()).toBe(found.text);
    const keys = await forge.anonymous.get("//login/oauth/keys").expect(200);
    expect(keys.keys).toEqual([{ kty: "RSA", alg: "RS256", use: "sig", kid: expect.any(String), n: expect.any(String), e: "AQAB" }]);
    expect((await forge.anonymous.get("//login/oauth/access_token")).status).toBe(405);
  });

  test("shows an error page for an unregistered redirect address and does not redirect there", async () => {
    for (const redirect_uri of ["", "https://evil.example/cb", "https://app.example.org/cb/", "https://app.example.org/cb?x=1", "https://APP.example.org/cb"]) {
      const page = await browser.get(authorizePath(application, { redirect_uri }));
      expect([page.status, page.location], redirect_uri).toEqual([400, undefined]);
      expect(page.text).toContain("an address that is not registered for it");
    }
    const unknown = await browser.get(authorizePath({ ...application, clientId: "nobody" }));
    expect([unknown.status, unknown.location]).toEqual([400, undefined]);
    expect(unknown.text).toContain("The application that sent you here is not registered on this server.");
    const twice = await browser.get(`${authorizePath(application)}&redirect_uri=https%3A%2F%2Fevil.example`);
    expect([twice.status, twice.location]).toEqual([400, undefined]);
    const names = await registerApplication(mallory, { name: "<img src=x onerror=alert(1)>" });
    const page = await browser.get(authorizePath(names, { scope: `"><script>x`, state: `"><script>y` }));
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/<img src=x|<script>/);
  });

  test("sends other errors to the application with its state", async () => {
    const open = await registerApplication(alice, { confidential_client: false });
    const errorOf = async (of: TestApplication, parameters: Readonly<Record<string, string>>) => {
      const { location = "" } = await browser.get(authorizePath(of, { state: "s t", ...parameters }));
      const { origin, pathname, searchParams } = new URL(location);
      expect([origin + pathname, searchParams.get("state"), searchParams.has("code")]).toEqual([of.redirectUri, "s t", false]);
      return [searchParams.get("error"), searchParams.get("error_description")];
    };
    expect(await errorOf(application, { response_type: "token" })).toEqual(["unsupported_response_type", "Only code response type is supported."]);
    expect(await errorOf(application, { code_challenge: "x".repeat(43), code_challenge_method: "md5" })).toEqual([
      "invalid_request",
      "unsupported code challenge method",
    ]);
    expect(await errorOf(open, {})).toEqual(["invalid_request", "PKCE is required for public clients"]);
    expect(await errorOf(open, { code_challenge: "x".repeat(43) })).toEqual(["invalid_request", "public clients must use the code challenge method S256"]);
    expect((await errorOf(application, { scope: "x".repeat(5_000) }))[0]).toBe("invalid_request");
    expect((await errorOf(application, { code_challenge: "x".repeat(5_000), code_challenge_method: "S256" }))[0]).toBe("invalid_request");
    expect(await errorOf(application, { nonce: "\u0007" })).toEqual(["invalid_request", "nonce contains characters other than printable ASCII"]);
    const denied = await agree(browser, authorizePath(application, { state: "s" }), "false");
    expect(denied.search).toBe(`?error=access_denied&error_description=the+user+has+denied+the+request&state=s&iss=${encodeURIComponent(forge.url)}`);
  });

  test("keeps the query of a registered redirect address, encoded or not", async () => {
    const queried = await registerApplication(alice, { redirect_uris: ["https://app.example.org/cb?tenant=1"] });
    const back = await agree(browser, authorizePath(queried, { state: "s" }));
    expect(back.href).toMatch(/^https:\/\/app\.example\.org\/cb\?tenant=1&code=gta_[a-z2-7]{52}&state=s&iss=/);
    expect(back.searchParams.get("iss")).toBe(forge.url);
    const plain = `/login/oauth/authorize?client_id=${queried.clientId}&response_type=code&redirect_uri=https://app.example.org/cb?tenant=1`;
    expect((await browser.get(plain)).location).toMatch(/\?tenant=1&code=/);
  });

  test("requires the user's own form for consent and forbids framing it", async () => {
    const page = await browser.get(authorizePath(application, { prompt: "consent" }));
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://app.example.org; frame-ancestors 'none'");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    const fields = { ...page.form("/login/oauth/grant"), granted: "true" };
    expect((await browser.post("/login/oauth/grant", { ...fields, _csrf: "" })).status).toBe(403);
    expect((await browser.post("/login/oauth/grant", fields, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    const other = createBrowser(forge.url);
    await other.signIn(mallory);
    expect((await other.post("/login/oauth/grant", fields)).status).toBe(403);
    expect((await createBrowser(forge.url).post("/login/oauth/grant", fields)).location).toBe("/user/login");
    // The form's values are validated again.
    expect((await browser.post("/login/oauth/grant", { ...fields, redirect_uri: "https://evil.example/" })).status).toBe(400);
    expect((await browser.post("/login/oauth/grant", fields)).location).toMatch(/^https:\/\/app\.example\.org\/cb\?code=/);
  });

  test("a token cannot authorize an application, because it may have fewer rights than it would grant", async () => {
    for (const user of [bob, forge.admin]) {
      const answer = await user.get(`/${authorizePath(application)}`);
      expect([answer.status, answer.headers.get("location")?.startsWith("/user/login?redirect_to=")]).toEqual([303, true]);
    }
  });

  test("public applications ask each time unless their owner has disabled it", async () => {
    const { challenge } = makeProof();
    const proof = { code_challenge: challenge, code_challenge_method: "S256" };
    for (const [skips, then] of [
      [false, 200],
      [true, 303],
    ] as const) {
      const open = await registerApplication(alice, { confidential_client: false, skip_secondary_authorization: skips });
      await agree(browser, authorizePath(open, proof));
      expect((await browser.get(authorizePath(open, proof))).status).toBe(then);
    }
  });

  test("signs the user in again when the client requests it or the session is older than max_age", async () => {
    const own = createBrowser(forge.url);
    await own.signIn(bob);
    const path = authorizePath(application, { max_age: "600", scope: "openid" });
    clock.advance(300_000);
    await agree(own, path);
    expect((await own.get(path)).location).toContain("?code=");
    const anew = (await own.get(authorizePath(application, { prompt: "login" }))).location ?? "";
    expect(anew).toMatch(/^\/user\/login\?again=true&redirect_to=%2Flogin%2Foauth%2Fauthorize/);
    expect((await own.get(anew)).status).toBe(200);
    clock.advance(301_000);
    expect((await own.get(path)).location).toMatch(/^\/user\/login\?again=true/);
    expect((await own.get(`${path}&prompt=none`)).location).toContain("?error=login_required");
    await own.signIn(bob);
    expect((await own.get(path)).location).toContain("?code=");
    expect((await createBrowser(forge.url).get(authorizePath(application, { prompt: "none" }))).location).toBe(
      `https://app.example.org/cb?error=login_required&error_description=no+user+is+signed+in&iss=${encodeURIComponent(forge.url)}`,
    );
  });

  test("the token endpoint returns the standard errors", async () => {
    const code = await newCode();
    const errorOf = async (fields: Readonly<Record<string, string>>) => {
      const { status, json } = await askForTokens(forge, fields);
      expect(status).toBe(400);
      return [json.error, json.error_description];
    };
    const fields = codeFields(application, code);
    expect(await errorOf({ ...fields, grant_type: "password" })).toEqual([
      "unsupported_grant_type",
      "Only refresh_token or authorization_code grant type is supported",
    ]);
    expect(await errorOf({ ...fields, client_id: "x" })).toEqual(["invalid_client", "cannot load client with client id: 'x'"]);
    expect(await errorOf({ ...fields, client_secret: "bad" })).toEqual(["unauthorized_client", "invalid client secret"]);
    expect(await errorOf({ ...fields, client_secret: "" })).toEqual(["unauthorized_client", "invalid empty client secret"]);
    expect(await errorOf({ ...fields, redirect_uri: "https://evil.example" })).toEqual(["unauthorized_client", "unexpected redirect URI"]);
    expect(await errorOf({ ...fields, redirect_uri: "" })).toEqual(["invalid_grant", "redirect_uri differs from the original authorization request"]);
    expect(await errorOf({ ...fields, code: "gta_nope" })).toEqual(["unauthorized_client", "client is not authorized"]);
    expect(await errorOf({ ...fields, code_verifier: makeProof().verifier })).toEqual(["unauthorized_client", "failed PKCE code challenge"]);
    expect(await errorOf(refreshFields(application, "x", { client_secret: "bad" }))).toEqual(["invalid_client", "invalid client secret"]);
    expect(await errorOf(refreshFields(application, "x"))).toEqual(["unauthorized_client", "unable to parse refresh token"]);
    for (const [body, type] of [
      ["{", "application/json"],
      ["[]", "application/json"],
      ["grant_type=authorization_code&grant_type=x", "application/x-www-form-urlencoded"],
    ] as const) {
      const answer = await fetch(`${forge.url}/login/oauth/access_token`, { method: "POST", body, headers: { "content-type": type } });
      expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([400, "invalid_request"]);
    }
    const long = "x".repeat(100_000);
    expect((await errorOf({ ...fields, code: long }))[0]).toBe("invalid_request");
    const introspection = await fetch(`${forge.url}/login/oauth/introspect`, { method: "POST", body: new URLSearchParams({ token: long }) });
    expect([introspection.status, ((await introspection.json()) as { error: string }).error]).toEqual([400, "invalid_request"]);
    // None of these requests has consumed the code.
    const done = await askForTokens(forge, fields);
    expect([done.status, done.headers.get("cache-control"), Object.keys(done.json)]).toEqual([
      200,
      "no-store",
      ["access_token", "token_type", "expires_in", "refresh_token"],
    ]);
  });

  test("accepts client credentials in JSON bodies and Basic headers, but only one client", async () => {
    const basic = `Basic ${Buffer.from(`${application.clientId}:${application.secret}`).toString("base64")}`;
    const send = async (fields: Readonly<Record<string, string>>) => {
      const headers = { authorization: basic, "content-type": "application/json" };
      return (await fetch(`${forge.url}/login/oauth/access_token`, { method: "POST", headers, body: JSON.stringify(fields) })).status;
    };
    const fields = { grant_type: "authorization_code", code: await newCode(), redirect_uri: application.redirectUri };
    expect(await send({ ...fields, client_id: "other" })).toBe(400);
    expect(await send(fields)).toBe(200);
  });

  test("a code can be used once, by its own application, for a few minutes", async () => {
    const theirs = await registerApplication(mallory);
    const stolen = await newCode();
    expect((await askForTokens(forge, codeFields(theirs, stolen))).json.error).toBe("unauthorized_client");
    const answers = await Promise.all(Array.from({ length: 20 }, () => askForTokens(forge, codeFields(application, stolen))));
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    // It was used twice, so its tokens are revoked.
    for (const { json } of good) {
      await bearer(json.access_token).get("/user").expect(401);
      expect((await askForTokens(forge, refreshFields(application, json.refresh_token))).json.error).toBe("invalid_grant");
    }
    const late = await newCode();
    clock.advance(5 * 60_000);
    expect((await askForTokens(forge, codeFields(application, late))).json.error).toBe("unauthorized_client");
  });

  test("a public application proves with PKCE that it requested the code", async () => {
    const open = await registerApplication(alice, { confidential_client: false });
    const { verifier, challenge } = makeProof();
    const proof = { code_challenge: challenge, code_challenge_method: "S256" };
    const fields = { ...codeFields(open, await newCode(proof, open)), client_secret: "" };
    for (const code_verifier of ["", challenge, makeProof().verifier]) {
      expect((await askForTokens(forge, { ...fields, code_verifier })).json.error_description).toBe("failed PKCE code challenge");
    }
    expect((await askForTokens(forge, { ...fields, code_verifier: verifier })).status).toBe(200);
    // A code requested without a challenge cannot be injected into a client that uses PKCE (RFC 9700, 2.1.1).
    const bare = codeFields(application, await newCode());
    expect((await askForTokens(forge, { ...bare, code_verifier: verifier })).status).toBe(400);
  });

  test("an access token has the same rights in every header, and cannot create tokens", async () => {
    const { access_token } = await newTokens({ scope: "read:user" });
    const basic = (user: string, password: string) => ({ authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` });
    const carriers = [
      { authorization: `Bearer ${access_token}` },
      { authorization: `token ${access_token}` },
      basic("oauth2", access_token),
      basic("alice", access_token),
      basic(access_token, ""),
      basic(access_token, "x-oauth-basic"),
    ];
    for (const headers of carriers) {
      const call = (path: string, init: RequestInit = {}) =>
        fetch(`${forge.url}/api/v1${path}`, { ...init, headers: { ...headers, "content-type": "application/json" } });
      const who = (await (await call("/user")).json()) as { login: string };
      expect(who.login).toBe("bob");
      expect((await call("/user/settings", { method: "PATCH", body: "{}" })).status).toBe(403);
      expect((await call("/repos/search")).status).toBe(403);
      const body = JSON.stringify({ name: `t${Math.random()}`, scopes: ["read:user"] });
      expect([401, 403]).toContain((await call("/users/bob/tokens", { method: "POST", body })).status);
    }
    const wide = createBrowser(forge.url);
    await wide.signIn(forge.admin);
    const code = codeOf(await agree(wide, authorizePath(application)));
    const { json } = await askForTokens(forge, codeFields(application, code));
    expect((await bearer(json.access_token).get("/user", { sudo: "bob" })).status).toBe(403);
    await bearer(json.access_token).get("/admin/users").expect(200);
    // Without an API scope: everything except tokens.
    expect(
      (await createApiClient(forge.url, basic("chief", json.access_token).authorization).post("/users/chief/tokens", { name: "x", scopes: ["all"] })).status,
    ).toBe(401);
  });

  test("accepts only unexpired access tokens signed by this server", async () => {
    const tokens = await newTokens({ scope: "openid" });
    const { access_token, refresh_token, id_token = "" } = tokens;
    const [head = "", payload = "", signature = ""] = access_token.split(".");
    for (const [tt, token] of [access_token, refresh_token].entries())
      expect(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())).toMatchObject({ tt, gnt: expect.any(Number) });
    const { keys } = await forge.anonymous.get("//login/oauth/keys").expect(200);
    const pem = createPublicKey({ key: keys[0], format: "jwk" }).export({ type: "spki", format: "pem" });
    const header = (alg: string) => Buffer.from(JSON.stringify({ alg, kid: keys[0].kid, typ: "JWT" })).toString("base64url");
    const hmac = createHmac("sha256", pem)
      .update(`${header("HS256")}.${payload}`)
      .digest("base64url");
    const forgeries = [
      refresh_token,
      id_token,
      `${header("none")}.${payload}.${signature}`,
      `${header("HS256")}.${payload}.${hmac.padEnd(342, "A")}`,
      `${head}.${Buffer.from('{"gnt":1,"tt":0,"exp":99999999999}').toString("base64url")}.${signature}`,
    ];
    for (const [index, text] of forgeries.entries()) expect((await bearer(text).get("/user")).status, String(index)).toBe(401);
    expect((await askForTokens(forge, refreshFields(application, access_token))).json.error_description).toBe("unable to parse refresh token");
    const spent = await forge.cost(() => bearer(access_token).get("/user").expect(200));
    expect(spent.statements).toHaveLength(2);
    clock.advance(3_600_000);
    expect((await bearer(access_token).get("/user")).status).toBe(401);
  });

  test("a refresh token works once, for its own application, and cannot widen its scopes", async () => {
    const theirs = await registerApplication(mallory);
    const first = await newTokens({ scope: "read:user" });
    expect((await askForTokens(forge, refreshFields(theirs, first.refresh_token))).json.error).toBe("invalid_grant");
    const second = await askForTokens(forge, refreshFields(application, first.refresh_token, { scope: "all" }));
    expect(second.status).toBe(200);
    await bearer(second.json.access_token).get("/user").expect(200);
    await bearer(second.json.access_token).get("/repos/search").expect(403);
    const replays = await Promise.all(Array.from({ length: 5 }, () => askForTokens(forge, refreshFields(application, second.json.refresh_token))));
    expect(replays.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    await bearer(second.json.access_token).get("/user").expect(401);
    const idle = await newTokens();
    clock.advance(730 * 3_600_000);
    expect((await askForTokens(forge, refreshFields(application, idle.refresh_token))).status).toBe(400);
    await browser.signIn(bob);
  });

  function introspect(of: TestApplication, token: string, secret = of.secret): Promise<Response> {
    const headers = { authorization: `Basic ${Buffer.from(`${of.clientId}:${secret}`).toString("base64")}` };
    return fetch(`${forge.url}/login/oauth/introspect`, { method: "POST", headers, body: new URLSearchParams({ token }) });
  }

  test("introspection answers only for the calling application's own tokens", async () => {
    const { access_token, refresh_token } = await newTokens({ scope: "openid profile" });
    const theirs = await registerApplication(mallory);
    expect(await (await introspect(application, access_token)).json()).toMatchObject({ active: true, scope: "openid profile", username: "bob" });
    for (const answer of [await introspect(theirs, access_token), await introspect(application, refresh_token), await introspect(application, "garbage")]) {
      expect(await answer.json()).toEqual({ active: false });
    }
    for (const answer of [
      await introspect(application, access_token, "wrong"),
      await introspect({ ...application, clientId: "a4792ccc-144e-407e-86c9-5e7d8d9c3269" }, access_token, ""),
      await fetch(`${forge.url}/login/oauth/introspect`, { method: "POST", body: new URLSearchParams({ token: access_token }) }),
    ]) {
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="Hearth OAuth2"']);
    }
  });

  test("userinfo follows the scopes of the token and ignores cookies", async () => {
    const claimsOf = async (token: string) => Object.keys(await bearer(token).get("//login/oauth/userinfo").expect(200)).sort();
    expect(await claimsOf((await newTokens({ scope: "openid read:repository" })).access_token)).toEqual(["sub"]);
    expect(await claimsOf((await newTokens({ scope: "openid email read:repository" })).access_token)).toEqual(["email", "email_verified", "sub"]);
    // The id_token contains the same claims.
    const signed = ({ id_token = "" }: { readonly id_token?: string }) =>
      Object.keys(JSON.parse(Buffer.from(id_token.split(".")[1] ?? "", "base64url").toString()))
        .filter((name) => !["iss", "aud", "exp", "iat", "auth_time"].includes(name))
        .sort();
    expect(signed(await newTokens({ scope: "openid read:user" }))).toEqual(["sub"]);
    expect(signed(await newTokens({ scope: "openid email" }))).toEqual(["email", "email_verified", "sub"]);
    expect(signed(await newTokens({ scope: "openid groups" }))).toEqual(["groups", "sub"]);
    expect(await claimsOf(bob.token)).toContain("preferred_username");
    expect((await bearer((await newTokens({ scope: "read:repository" })).access_token).get("//login/oauth/userinfo")).status).toBe(403);
    for (const answer of [await forge.anonymous.get("//login/oauth/userinfo"), await browser.get("/login/oauth/userinfo")]) {
      expect([answer.status, answer.headers.get("www-authenticate"), answer.text]).toEqual([401, 'Bearer realm="Hearth OAuth2"', "no valid authorization\n"]);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("users see their grants and can revoke them with immediate effect", async () => {
    const own = await registerApplication(alice, { name: "Revoked" });
    const tokens = await newTokens({ scope: "openid read:user" }, own);
    const listed = await forge.cost(() => bob.get("/user/applications/grants?limit=50").expect(200));
    expect(listed.statements.length).toBeLessThanOrEqual(3);
    const [grant] = listed.result;
    expect(grant).toMatchObject({ application: { name: "Revoked", client_id: own.clientId }, scopes: ["openid", "read:user"] });
    await mallory.delete(`/user/applications/grants/${grant.id}`).expect(404);
    await bob.delete(`/user/applications/grants/${grant.id}`).expect(204);
    const claimsOf = await forge.admin.get("/admin/audit?account=bob&action=oauth2_grant&limit=2").expect(200);
    expect(claimsOf.entries).toMatchObject([
      { action: "oauth2_grant.revoked", carrier: "token", target: { kind: "application", id: own.id, name: "Revoked" } },
      { action: "oauth2_grant.given", carrier: "session", details: { scopes: ["openid", "read:user"] } },
    ]);
    await bob.delete(`/user/applications/grants/${grant.id}`).expect(404);
    await bearer(tokens.access_token).get("/user").expect(401);
    expect((await askForTokens(forge, refreshFields(own, tokens.refresh_token))).json.error).toBe("invalid_grant");
    expect((await browser.get(authorizePath(own, { scope: "openid read:user" }))).status).toBe(200);
    // The same on the page.
    const onceMore = await newTokens({ scope: "read:user" }, own);
    const listedPage = await browser.get("/user/applications");
    expect(listedPage.text).toContain("Revoked");
    const [revoke = ""] = /\/user\/applications\/\d+\/revoke/.exec(listedPage.text) ?? [];
    expect((await browser.post(revoke, {})).status).toBe(403);
    expect((await browser.submit(listedPage, revoke)).location).toBe("/user/applications?saved=removed");
    await bearer(onceMore.access_token).get("/user").expect(401);
    // Deleting an application revokes its tokens.
    const again = await newTokens({}, own);
    await alice.delete(`/user/applications/oauth2/${own.id}`).expect(204);
    await bearer(again.access_token).get("/user").expect(401);
    expect((await askForTokens(forge, refreshFields(own, again.refresh_token))).json.error).toBe("invalid_client");
  });

  test("each step costs a fixed number of statements", async () => {
    const statementsOf = async (action: () => Promise<unknown>) => (await forge.cost(action)).statements.length;
    const { access_token, refresh_token } = await newTokens({ scope: "openid read:user" });
    // The session, the application, the grant.
    expect(await statementsOf(() => browser.get(authorizePath(application, { prompt: "consent" })))).toBeLessThanOrEqual(3);
    const code = await newCode({ scope: "openid" });
    expect(await statementsOf(() => askForTokens(forge, codeFields(application, code)))).toBeLessThanOrEqual(5);
    expect(await statementsOf(() => askForTokens(forge, refreshFields(application, refresh_token)))).toBeLessThanOrEqual(5);
    expect(await statementsOf(() => bearer(access_token).get("//login/oauth/userinfo").expect(200))).toBeLessThanOrEqual(3);
    expect(await statementsOf(() => forge.anonymous.get("//login/oauth/keys").expect(200))).toBe(0);
  });

  test("deletes expired codes and tokens", async () => {
    const { context } = forge.forge;
    const count = async () => (await context.db.sql.selectFrom("oauth2_families").select("id").execute()).length;
    await newCode();
    const tokens = await newTokens();
    const before = await count();
    clock.advance(6 * 60_000);
    expect(await pruneTokens(context)).toBeGreaterThanOrEqual(1);
    expect(await count()).toBeLessThan(before);
    await bearer(tokens.access_token).get("/user").expect(200);
    clock.advance(730 * 3_600_000);
    await pruneTokens(context);
    expect(await count()).toBe(0);
    await browser.signIn(bob);
  });

  // Last, because bob is prohibited from signing in afterwards.
  test("an account that may not sign in cannot use applications", async () => {
    const tokens = await newTokens();
    const code = await newCode();
    await forge.admin.patch("/admin/users/bob", { login_name: "bob", source_id: 0, prohibit_login: true }).expect(200);
    expect((await bearer(tokens.access_token).get("/user")).status).toBe(403);
    expect(await (await introspect(application, tokens.access_token)).json()).toEqual({ active: false });
    expect((await askForTokens(forge, refreshFields(application, tokens.refresh_token))).json.error).toBe("invalid_grant");
    expect((await askForTokens(forge, codeFields(application, code))).json.error).toBe("unauthorized_client");
    expect((await browser.get(authorizePath(application))).location).toMatch(/^\/user\/login/);
  });
});
