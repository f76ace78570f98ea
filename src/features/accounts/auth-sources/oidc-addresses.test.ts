import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type BrowserAnswer, createBrowser } from "../../../../test/kit/browser.ts";
import { sqlite } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge } from "../../../../test/kit/forge.ts";

/** A provider whose metadata leads to other hosts. */

interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: string[];
  /** Responses by path: JSON, or a redirect to an address. */
  readonly answers: Map<string, object | { readonly location: string }>;
}

async function startServer(): Promise<ScriptedServer> {
  const requests: string[] = [];
  const answers: ScriptedServer["answers"] = new Map();
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const answer = answers.get(request.url ?? "");
    if (answer !== undefined && "location" in answer) return void response.writeHead(302, { location: String(answer.location) }).end();
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("the metadata of a provider", () => {
  let forge: TestForge;
  let provider: ScriptedServer;
  let internal: ScriptedServer;
  const discovery = "/.well-known/openid-configuration";
  let sources = 0;
  beforeAll(async () => {
    forge = await startForge({ dialect: sqlite });
    [provider, internal] = await Promise.all([startServer(), startServer()]);
  });
  afterEach(() => {
    internal.requests.length = 0;
    provider.requests.length = 0;
    provider.answers.clear();
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    await internal[Symbol.asyncDispose]();
  });

  /** Pages do not show the reason to visitors. */
  const logged = (): string => JSON.stringify(forge.log, (_key, value) => (value instanceof Error ? [value.message, value.cause] : value));

  const metadata = (changes: object = {}): object => ({
    issuer: provider.url,
    authorization_endpoint: `${provider.url}/authorize`,
    token_endpoint: `${provider.url}/token`,
    userinfo_endpoint: `${provider.url}/userinfo`,
    jwks_uri: `${provider.url}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    ...changes,
  });
  /** An ID token with a signature that no key confirms. */
  const idToken = (nonce: string): string => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const claims = { iss: provider.url, sub: "x", aud: "hearth", iat: nowSeconds, exp: nowSeconds + 600, nonce };
    return `${part({ alg: "RS256", kid: "k" })}.${part(claims)}.${Buffer.alloc(256).toString("base64url")}`;
  };
  /** A sign-in through a new source. */
  async function signIn(): Promise<BrowserAnswer> {
    sources += 1;
    const name = `source-${sources}`;
    await forge.admin.post("/admin/sources", { kind: "oidc", name, auto_register: true, oidc: { issuer: provider.url, client_id: "hearth" } }).expect(201);
    const browser = createBrowser(forge.url);
    const begun = await browser.get(`/user/oauth2/${name}`);
    if (begun.status !== 303) return begun;
    const query = new URL(begun.location ?? "").searchParams;
    provider.answers.set("/token", { access_token: "a", token_type: "bearer", id_token: idToken(query.get("nonce") ?? "") });
    return browser.get(`/user/oauth2/${name}/callback?code=c&state=${query.get("state")}`);
  }

  test.each([
    ["token_endpoint", "/token", "blocked address"],
    ["jwks_uri", "/keys", "blocked address"],
  ])("an internal host is not called as the %s of a provider", async (field, path, reason) => {
    provider.answers.set(discovery, metadata({ [field]: `${internal.url}${path}` }));
    const answer = await signIn();
    expect([answer.status, logged()]).toEqual([503, expect.stringContaining(reason)]);
    expect(internal.requests).toEqual([]);
  });

  test.each([
    ["discovery", discovery, 503],
    ["the token endpoint", "/token", 400],
    ["the key set", "/keys", 400],
  ])("an internal host is not called through a redirect of %s", async (_place, path, status) => {
    provider.answers.set(discovery, metadata(path === "/token" ? { token_endpoint: `${provider.url}/moved` } : {}));
    provider.answers.set(path === "/token" ? "/moved" : path, { location: `${internal.url}${path}` });
    const answer = await signIn();
    expect(answer.status).toBe(status);
    expect(provider.requests).toContain(`${path === "/token" ? "POST /moved" : `GET ${path}`}`);
    expect(internal.requests).toEqual([]);
  });

  test("a provider is called at its own host, although that is internal", async () => {
    provider.answers.set(discovery, metadata());
    expect((await signIn()).status).toBe(400);
    expect(provider.requests).toEqual([`GET ${discovery}`, "POST /token", "GET /keys"]);
  });

  test("a response of a provider that is too long is cut off", async () => {
    provider.answers.set(discovery, metadata({ padding: "x".repeat(1_100_000) }));
    const answer = await signIn();
    expect([answer.status, logged()]).toEqual([503, expect.stringContaining("longer than 524288 bytes")]);
  });
});
