import * as client from "openid-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient } from "../../../../test/kit/api-client.ts";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createGitUser } from "../../../../test/kit/git-user.ts";
import { agree, registerApplication } from "../../../../test/kit/oauth.ts";

/** Clients built with independent OAuth2 libraries. */

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, bob] = [await forge.createUser("alice", { full_name: "Alice Liddell" }), await forge.createUser("bob")];
    await alice.post("/orgs", { username: "acme" }).expect(201);
    const team = await alice.post("/orgs/acme/teams", { name: "Devs", units: ["repo.code"], permission: "read" }).expect(201);
    await alice.put(`/teams/${team.id}/members/bob`).expect(204);
    await alice.post("/user/repos", { name: "hidden", private: true, auto_init: true }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const discover = (clientId: string, secret: string | undefined, how?: client.ClientAuth) =>
    client.discovery(new URL(forge.url), clientId, secret, how, { execute: [client.allowInsecureRequests] });

  /** The complete sign-in of a user to an application. */
  async function signIn(config: client.Configuration, person: TestUser, parameters: Readonly<Record<string, string>>) {
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const isOpenId = parameters.scope?.split(" ").includes("openid") === true;
    const url = client.buildAuthorizationUrl(config, {
      ...parameters,
      state,
      ...(isOpenId && { nonce }),
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const path = url.pathname + url.search;
    const browser = createBrowser(forge.url);
    // Without a session the browser signs in first and then returns to the application's request.
    const first = await browser.get(path);
    expect(first.location).toBe(`/user/login?redirect_to=${encodeURIComponent(path)}`);
    expect((await browser.signIn(person, path)).location).toBe(path);
    const back = await agree(browser, path);
    expect(back.href.startsWith(parameters.redirect_uri ?? "")).toBe(true);
    const tokens = await client.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      ...(isOpenId && { expectedNonce: nonce, idTokenExpected: true }),
    });
    return { tokens, browser, path };
  }

  const as = (token: string) => createApiClient(forge.url, `Bearer ${token}`);

  test.each([
    ["in a header", client.ClientSecretBasic],
    ["in the body", client.ClientSecretPost],
  ] as const)("signs a user in to a confidential application with its secret %s", async (_, how) => {
    const application = await registerApplication(alice, { name: "Wiki" });
    const config = await discover(application.clientId, undefined, how(application.secret));
    const { tokens } = await signIn(config, bob, { redirect_uri: application.redirectUri, scope: "openid profile email groups" });
    expect(tokens.expires_in).toBe(3_600);
    const claims = tokens.claims();
    expect(claims).toMatchObject({
      iss: forge.url,
      sub: String(bob.id),
      aud: [application.clientId],
      name: "bob",
      preferred_username: "bob",
      profile: `${forge.url}/bob`,
      email: "bob@example.com",
      email_verified: true,
      groups: ["acme", "acme:devs"],
    });
    const info = await client.fetchUserInfo(config, tokens.access_token, String(bob.id));
    expect(info).toMatchObject({ sub: String(bob.id), name: "bob", preferred_username: "bob", email: "bob@example.com", groups: ["acme", "acme:devs"] });
    expect(info.picture).toMatch(/\/avatars\/[0-9a-f]+$/);
    expect(await as(tokens.access_token).get("/user").expect(200)).toMatchObject({ login: "bob" });
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({
      active: true,
      scope: "openid profile email groups",
      username: "bob",
      sub: String(bob.id),
      aud: [application.clientId],
      iss: forge.url,
    });
  });

  test("gives a public application on a user's machine exactly the requested rights", async () => {
    const application = await registerApplication(alice, { name: "Tool", confidential_client: false, redirect_uris: ["http://127.0.0.1/back"] });
    const config = await discover(application.clientId, undefined, client.None());
    const { tokens } = await signIn(config, alice, { redirect_uri: "http://127.0.0.1:49321/back", scope: "read:repository" });
    expect(tokens.id_token).toBeUndefined();
    const api = as(tokens.access_token);
    await api.get("/repos/alice/hidden").expect(200);
    await api.patch("/repos/alice/hidden", { description: "x" }).expect(403);
    await api.get("/user").expect(403);
    await expect(client.fetchUserInfo(config, tokens.access_token, String(alice.id))).rejects.toThrow();
  });

  test("limits a client with GitHub's scopes `user:email read:org` to the user, their addresses, organizations and teams", async () => {
    const application = await registerApplication(alice, { name: "Proxy" });
    const config = await discover(application.clientId, application.secret);
    const { tokens } = await signIn(config, bob, { redirect_uri: application.redirectUri, scope: "user:email read:org" });
    const api = as(tokens.access_token);
    expect(await api.get("/user").expect(200)).toMatchObject({ login: "bob", email: "bob@example.com" });
    expect(await api.get("/user/emails").expect(200)).toMatchObject([{ email: "bob@example.com", primary: true, verified: true }]);
    expect((await api.get("/user/orgs").expect(200)).map(({ name }: { name: string }) => name)).toEqual(["acme"]);
    expect((await api.get("/user/teams").expect(200)).map(({ name }: { name: string }) => name)).toEqual(["Devs"]);
    await api.patch("/user/settings", { description: "x" }).expect(403);
    await api.get("/user/repos").expect(403);
    await api.post("/orgs", { username: "other" }).expect(403);
  });

  test("knows git's built-in clients, and git works with their tokens", async () => {
    const config = await discover("a4792ccc-144e-407e-86c9-5e7d8d9c3269", undefined, client.None());
    const { tokens } = await signIn(config, alice, { redirect_uri: "http://127.0.0.1:50123", scope: "write:repository" });
    await using work = await createGitUser();
    const origin = forge.url.replace("http://", `http://oauth2:${tokens.access_token}@`);
    await work.git(".", "clone", "-q", `${origin}/alice/hidden`, "clone");
    await work.commit("clone", { "a.txt": "x\n" });
    await work.git("clone", "push", "-q", "origin", "HEAD");
    expect(await alice.get("/repos/alice/hidden/commits").expect(200)).toHaveLength(2);
  });

  test("rotates refresh tokens and revokes the family when an old one is used", async () => {
    const application = await registerApplication(alice, { name: "Mirror" });
    const config = await discover(application.clientId, application.secret);
    const { tokens } = await signIn(config, bob, { redirect_uri: application.redirectUri, scope: "openid read:user" });
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(next.claims()).toMatchObject({ sub: String(bob.id), aud: [application.clientId] });
    await as(next.access_token).get("/user").expect(200);
    await as(next.access_token).get("/user/orgs").expect(403);
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? "")).rejects.toMatchObject({ error: "unauthorized_client" });
    // Either use may be a thief's, so all tokens are revoked.
    await expect(client.refreshTokenGrant(config, next.refresh_token ?? "")).rejects.toMatchObject({ error: "invalid_grant" });
    await as(next.access_token).get("/user").expect(401);
  });

  test("does not ask again for a confidential application after consent, and allows a silent request", async () => {
    const application = await registerApplication(alice, { name: "Chat" });
    const config = await discover(application.clientId, application.secret);
    const { browser, path } = await signIn(config, bob, { redirect_uri: application.redirectUri, scope: "openid profile" });
    expect((await browser.get(path)).location).toMatch(/^https:\/\/app\.example\.org\/cb\?code=gta_[a-z2-7]{52}&state=/);
    expect((await browser.get(`${path}&prompt=none`)).location).toMatch(/\?code=gta_/);
    // Asks again for prompt=consent and for additional scopes.
    expect((await browser.get(`${path}&prompt=consent`)).status).toBe(200);
    const wider = path.replace("scope=openid+profile", "scope=openid+profile+email");
    expect(wider).not.toBe(path);
    expect((await browser.get(wider)).status).toBe(200);
    expect((await browser.get(`${wider}&prompt=none`)).location).toMatch(/\?error=consent_required&/);
  });
});
