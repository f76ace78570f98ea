import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient } from "../../../../test/kit/api-client.ts";
import { type Browser, createBrowser } from "../../../../test/kit/browser.ts";
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

/** Attacks on OAuth 2.0 of RFC 9700 and RFC 6819 that the tests of single functions do not cover. */

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let browser: Browser;
  let application: TestApplication;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    browser = createBrowser(forge.url);
    await browser.signIn(alice);
    application = await registerApplication(alice);
    await agree(browser, authorizePath(application));
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const codeFor = async (by: Browser, parameters: Readonly<Record<string, string>> = {}): Promise<string> =>
    (await agree(by, authorizePath(application, parameters))).searchParams.get("code") ?? "";
  const tokensFor = async (by: Browser) => (await askForTokens(forge, codeFields(application, await codeFor(by)))).json;

  test.each([
    ["a fragment", "https://app.example.org/cb#token"],
    ["a user name", "https://app.example.org@evil.example/cb"],
    ["credentials of the registered host", "https://x:y@app.example.org/cb"],
    ["a backslash", "https://evil.example\\@app.example.org/cb"],
    ["an encoded slash", "https://app.example.org%2f@evil.example/cb"],
    ["a parent folder", "https://app.example.org/cb/../evil"],
    ["a line break", "https://app.example.org/cb\r\nLocation: https://evil.example"],
    ["a subdomain", "https://evil.app.example.org/cb"],
    ["another scheme", "javascript://app.example.org/cb%0aalert(1)"],
    ["no host", "//evil.example/cb"],
  ])("does not send a code to a redirect address with %s", async (_kind, redirect_uri) => {
    const answer = await browser.get(authorizePath(application, { redirect_uri }));
    expect([answer.status, answer.location]).toEqual([400, undefined]);
  });

  test.each(["token", "id_token", "code token", "code id_token token", "none", ""])(
    "does not answer the response type `%s` with a token or a code",
    async (response_type) => {
      const { location = "" } = await browser.get(authorizePath(application, { response_type, response_mode: "fragment", nonce: "n", scope: "openid" }));
      const back = new URL(location);
      expect([back.origin, back.hash, back.searchParams.get("error")]).toEqual(["https://app.example.org", "", "unsupported_response_type"]);
      expect([...back.searchParams.keys()].filter((name) => /token|^code$/.test(name))).toEqual([]);
    },
  );

  test("a code requested with a PKCE challenge needs its verifier, also from a confidential application", async () => {
    const { verifier, challenge } = makeProof();
    const fields = codeFields(application, await codeFor(browser, { code_challenge: challenge, code_challenge_method: "S256" }));
    for (const downgrade of [{}, { code_verifier: "" }, { code_verifier: challenge }, { code_verifier: challenge, code_challenge_method: "plain" }]) {
      expect((await askForTokens(forge, { ...fields, ...downgrade })).status).toBe(400);
    }
    expect((await askForTokens(forge, { ...fields, code_verifier: verifier })).status).toBe(200);
  });

  test("a request without consent gets no code silently, also for further scopes", async () => {
    const other = await registerApplication(alice, { redirect_uris: ["https://other.example.org/cb"] });
    const silent = async (parameters: Readonly<Record<string, string>>) =>
      new URL((await browser.get(authorizePath(other, { prompt: "none", ...parameters }))).location ?? "").searchParams;
    expect([...(await silent({ scope: "read:user" })).keys()]).not.toContain("code");
    await agree(browser, authorizePath(other, { scope: "read:user" }));
    expect([...(await silent({ scope: "read:user" })).keys()]).toContain("code");
    expect([...(await silent({ scope: "read:user write:repository" })).keys()]).not.toContain("code");
  });

  test("a code is given only for a POST of the consent form", async () => {
    const requested = await browser.get(
      `/login/oauth/grant?${new URLSearchParams({ client_id: application.clientId, redirect_uri: application.redirectUri, granted: "true" })}`,
    );
    expect([requested.status >= 400, requested.location]).toEqual([true, undefined]);
  });

  test("a wrong secret in the body is not replaced by the right one in a header, and the other way round", async () => {
    const code = await codeFor(browser);
    const send = async (headerSecret: string, bodySecret: string) => {
      const authorization = `Basic ${Buffer.from(`${application.clientId}:${headerSecret}`).toString("base64")}`;
      const body = new URLSearchParams({ ...codeFields(application, code), client_secret: bodySecret });
      return (await fetch(`${forge.url}/login/oauth/access_token`, { method: "POST", headers: { authorization }, body })).status;
    };
    expect(await send(application.secret, "wrong")).toBe(400);
    expect(await send("wrong", application.secret)).toBe(400);
  });

  test("tokens are accepted only for their own purpose", async () => {
    const { access_token, refresh_token, id_token } = (await askForTokens(forge, codeFields(application, await codeFor(browser, { scope: "openid" })))).json;
    for (const token of [refresh_token, id_token]) {
      await createApiClient(forge.url, `Bearer ${token}`).get("/user").expect(401);
      expect((await fetch(`${forge.url}/login/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
    }
    for (const token of [access_token, id_token]) expect((await askForTokens(forge, refreshFields(application, token))).status).toBe(400);
    expect((await askForTokens(forge, codeFields(application, access_token))).status).toBe(400);
  });

  test("a token in the query of an address is written to no log", async () => {
    const { access_token } = await tokensFor(browser);
    for (const name of ["access_token", "token"]) {
      await fetch(`${forge.url}/api/v1/user?${name}=${access_token}`);
      await fetch(`${forge.url}/alice?${name}=${access_token}`);
    }
    expect(JSON.stringify(forge.log)).not.toContain(access_token);
  });

  test.each([
    ["deactivated", (name: string) => forge.admin.patch(`/admin/users/${name}`, { login_name: name, source_id: 0, active: false }).expect(200)],
    ["deleted", (name: string) => forge.admin.delete(`/admin/users/${name}?purge=true`).expect(204)],
  ])("tokens and codes of a user who is %s are useless", async (state, act) => {
    const name = `user-${state}`;
    const own = createBrowser(forge.url);
    await own.signIn(await forge.createUser(name));
    const [tokens, code] = [await tokensFor(own), await codeFor(own)];
    await act(name);
    expect([401, 403]).toContain((await createApiClient(forge.url, `Bearer ${tokens.access_token}`).get("/user")).status);
    expect((await askForTokens(forge, refreshFields(application, tokens.refresh_token))).status).toBe(400);
    expect((await askForTokens(forge, codeFields(application, code))).status).toBe(400);
  });

  test("tokens and codes of an application end with it, and a code ends with its redirect address", async () => {
    const other = await registerApplication(alice, { redirect_uris: ["https://other.example.org/cb"] });
    const code = async () => (await agree(browser, authorizePath(other))).searchParams.get("code") ?? "";
    const stale = await code();
    await alice
      .patch(`/user/applications/oauth2/${other.id}`, { name: "other", redirect_uris: ["https://new.example.org/cb"], confidential_client: true })
      .expect(200);
    expect((await askForTokens(forge, codeFields(other, stale))).status).toBe(400);
    const second = await registerApplication(alice);
    const given = (await agree(browser, authorizePath(second))).searchParams.get("code") ?? "";
    const { json } = await askForTokens(forge, codeFields(second, given));
    await alice.delete(`/user/applications/oauth2/${second.id}`).expect(204);
    await createApiClient(forge.url, `Bearer ${json.access_token}`).get("/user").expect(401);
    expect((await askForTokens(forge, refreshFields(second, json.refresh_token))).status).toBe(400);
  });
});
