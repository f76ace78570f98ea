import { createHash, randomBytes } from "node:crypto";
import type { Browser } from "./browser.ts";
import type { TestForge, TestUser } from "./forge.ts";

/** A registered application with its credentials. */
export interface TestApplication {
  readonly id: number;
  readonly clientId: string;
  readonly secret: string;
  readonly redirectUri: string;
}

export async function registerApplication(owner: TestUser, input: Readonly<Record<string, unknown>> = {}): Promise<TestApplication> {
  const body = { name: "app", redirect_uris: ["https://app.example.org/cb"], confidential_client: true, ...input };
  const made = await owner.post("/user/applications/oauth2", body).expect(201);
  return { id: made.id, clientId: made.client_id, secret: made.client_secret, redirectUri: made.redirect_uris[0] ?? "" };
}

/** Registers an application of an organization on its page, which shows the secret. */
export async function registerForOrganization(browser: Browser, org: string, name: string): Promise<TestApplication> {
  const path = `/org/${org}/settings/applications/oauth2`;
  const redirectUri = "https://app.example.org/cb";
  const made = await browser.submit(await browser.get(path), path, { name, redirect_uris: redirectUri, confidential_client: "true" });
  const [clientId = "", secret = ""] = [...made.text.matchAll(/<code class="secret">([^<]+)</g)].map(([, shown]) => shown);
  const [, id] = new RegExp(`${path}/(\\d+)"`).exec(made.text) ?? [];
  if (id === undefined) throw new Error(`${path}: ${made.status} ${made.text.slice(0, 500)}`);
  return { id: Number(id), clientId, secret, redirectUri };
}

/** A PKCE code verifier and its challenge (RFC 7636). */
export function makeProof(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export type AuthorizeParameters = Readonly<Record<string, string>>;

/** The authorization path that an application redirects a browser to. */
export const authorizePath = (application: TestApplication, parameters: AuthorizeParameters = {}): string =>
  `/login/oauth/authorize?${new URLSearchParams({ client_id: application.clientId, redirect_uri: application.redirectUri, response_type: "code", ...parameters })}`;

/** Accepts the consent page, if there is one. @returns the redirect target */
export async function agree(browser: Browser, path: string, granted: "true" | "false" = "true"): Promise<URL> {
  const page = await browser.get(path);
  const answer = page.status === 200 ? await browser.submit(page, "/login/oauth/grant", { granted }) : page;
  if (answer.status !== 303) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
  return new URL(answer.location ?? "");
}

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests hold the contract by their own expectations
  readonly json: any;
}

/** Calls the token endpoint as the application. */
export async function askForTokens(forge: TestForge, fields: Readonly<Record<string, string>>): Promise<TokenAnswer> {
  const response = await fetch(`${forge.url}/login/oauth/access_token`, { method: "POST", body: new URLSearchParams(fields) });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

export const codeFields = (application: TestApplication, code: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  grant_type: "authorization_code",
  client_id: application.clientId,
  client_secret: application.secret,
  redirect_uri: application.redirectUri,
  code,
  ...more,
});

export const refreshFields = (application: TestApplication, token: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  grant_type: "refresh_token",
  client_id: application.clientId,
  client_secret: application.secret,
  refresh_token: token,
  ...more,
});
