import type { Configuration, CustomFetch } from "openid-client";
import { type ForgeError, forbidden, isForgeError, malformed, unavailable } from "../../../../core/errors.ts";
import type { ExternalPerson, OidcSettings } from "../model.ts";

/** Ties a provider's response to the browser that started the attempt. Only that browser can return it, sealed. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE verifier (RFC 7636). */
  readonly verifier: string;
}

export interface OidcPerson extends ExternalPerson {
  readonly subject: string;
  /** The display name of the identity. */
  readonly label: string;
  /** False for a user who is not in the required group. */
  readonly isAdmitted: boolean;
}

/** Longer than any name or address. */
const maxLength = 255;
/** Time limit for one response of the provider. */
const timeoutSeconds = 10;

/** Makes requests to a provider: rejects with a ForgeError `unavailable`. */
export type CreateFetch = (issuer: URL, timeoutMs: number) => CustomFetch;

/**
 * Loads the provider's metadata (OpenID Connect Discovery 1.0).
 * @throws ForgeError `unavailable` with the reason
 */
export async function discover(settings: OidcSettings, secret: string, createFetch: CreateFetch): Promise<Configuration> {
  const client = await import("openid-client");
  const issuer = new URL(settings.issuer);
  try {
    const provider = await client.discovery(issuer, settings.clientId, secret === "" ? undefined : secret, secret === "" ? client.None() : undefined, {
      timeout: timeoutSeconds,
      [client.customFetch]: createFetch(issuer, timeoutSeconds * 1_000),
      execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [],
    });
    // The signature of the ID token is verified even though it comes straight from the provider.
    client.enableNonRepudiationChecks(provider);
    return provider;
  } catch (error) {
    throw unavailable(`the provider ${settings.issuer} does not describe how to sign in: ${problemOf(error)}`, { cause: error, retryAfter: 30 });
  }
}

/** Returns the address for the browser and the state to keep until it comes back. */
export async function beginAuthorization(
  provider: Configuration,
  settings: OidcSettings,
  redirectUri: string,
): Promise<{ readonly address: string; readonly attempt: SignInAttempt }> {
  const client = await import("openid-client");
  const attempt = { state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
  const address = client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri,
    scope: [...new Set(["openid", ...settings.scopes])].join(" "),
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
  });
  return { address: address.href, attempt };
}

/**
 * Checks the provider's response against the attempt, exchanges the code and validates the ID token.
 * @param address the full address that the browser requested
 * @throws ForgeError `forbidden` if the provider refused; `malformed` for a response that does not match the attempt; `unavailable`
 */
export async function finishAuthorization(provider: Configuration, settings: OidcSettings, address: URL, attempt: SignInAttempt): Promise<OidcPerson> {
  const client = await import("openid-client");
  try {
    const tokens = await client.authorizationCodeGrant(provider, address, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    });
    const signed: Readonly<Record<string, unknown>> = tokens.claims() ?? {};
    const subject = String(signed.sub);
    const hasAll = ["email", settings.nameClaim, settings.groupsClaim].every((name) => name === "" || signed[name] !== undefined);
    const asks = !hasAll && provider.serverMetadata().userinfo_endpoint !== undefined;
    const userInfo = asks ? await client.fetchUserInfo(provider, tokens.access_token, subject) : {};
    return describe(settings, subject, { ...userInfo, ...signed });
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError) {
      {
        const detail = printable(error.error_description ?? error.error);
        throw forbidden(`the provider has refused: ${detail}`, { cause: error, reason: { code: "provider_refused", detail } });
      }
    }
    const failed = failedRequest(error);
    if (failed !== undefined) throw unavailable(`the provider ${settings.issuer} cannot be called: ${failed.message}`, { cause: error, retryAfter: 30 });
    if (isOutOfReach(error))
      throw unavailable(`the provider ${settings.issuer} cannot be reached at the moment; try again later`, { cause: error, retryAfter: 30 });
    throw malformed("the provider's response does not belong to a sign-in of this browser, or was used before: start again", { cause: error });
  }
}

function describe(settings: OidcSettings, subject: string, claims: Readonly<Record<string, unknown>>): OidcPerson {
  const text = (name: string): string => (typeof claims[name] === "string" ? (claims[name] as string).replaceAll("\0", "").slice(0, maxLength) : "");
  const groups = settings.groupsClaim === "" ? [] : [claims[settings.groupsClaim] ?? []].flat().map(String);
  const isIn = (group: string): boolean | undefined => (group === "" ? undefined : groups.includes(group));
  const isVerified = claims.email_verified === true || (settings.trustsEmail && claims.email_verified !== false);
  return {
    subject,
    label: text("preferred_username") || text("email") || text("name") || subject,
    name: text(settings.nameClaim),
    fullName: text("name"),
    email: isVerified ? text("email") : "",
    isAdmin: isIn(settings.adminGroup),
    isRestricted: isIn(settings.restrictedGroup),
    isAdmitted: isIn(settings.requiredGroup) ?? true,
  };
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, " ").slice(0, 200);

/** The error of a request to the provider that caused another error. */
/** The problem of a provider that cannot be used, for administrators. */
export const problemOf = (error: unknown): string => failedRequest(error)?.message ?? (error as Error).message;

function failedRequest(error: unknown): ForgeError | undefined {
  if (isForgeError(error)) return error;
  return error instanceof Error ? failedRequest(error.cause) : undefined;
}

/** Distinguishes a failing provider from a wrong response, which is an error of the client. */
function isOutOfReach(error: unknown): boolean {
  const { code, cause, name, message } = error as { code?: string; cause?: unknown; name?: string; message?: string };
  if (code === "OAUTH_TIMEOUT" || code === "OAUTH_ABORT" || name === "TimeoutError" || message === "fetch failed") return true;
  if (cause instanceof Response) return cause.status >= 500;
  return cause instanceof Error && cause !== error && isOutOfReach(cause);
}
