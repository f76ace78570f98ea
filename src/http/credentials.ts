import { forbidden } from "../core/errors.ts";
import type { Urls } from "../core/urls.ts";
import type { Method, Route } from "./route.ts";
import { formTokenField, hasFormToken, isFromHere, readSessionCookie } from "./session-cookie.ts";

/** Credentials of a request, before any lookup. */
export type Presented =
  | { readonly kind: "none" }
  /** The value of a browser's session cookie. */
  | { readonly kind: "session"; readonly secret: string }
  /** `query` is a token in the URL, which gets a warning header in the response. */
  | { readonly kind: "token"; readonly token: string; readonly carrier: "header" | "basic" | "query" }
  | { readonly kind: "password"; readonly login: string; readonly password: string; readonly otp: string | undefined }
  /** Credentials that are invalid by their form, such as a Basic header that is not base64. */
  | { readonly kind: "broken" };

const tokenText = /^[0-9a-f]{40}$/;
/** Access tokens of OAuth2 applications: signed tokens with three parts (RFC 7519). */
const signedTokenText = /^eyJ[\w-]+\.[\w-]+\.[\w-]{300,}$/;

/** Whether a string has the form of an OAuth2 access token. */
export const looksLikeSignedToken = (text: string): boolean => signedTokenText.test(text);

const looksLikeToken = (text: string): boolean => tokenText.test(text) || looksLikeSignedToken(text);

/**
 * Reads the credentials of a request: `token T`, `Bearer T`, Basic with a password or a token in either field, `?token=` and
 * `?access_token=`.
 * Unknown schemes and empty values count as no credentials.
 */
export function readCredentials(headers: Readonly<Record<string, string | string[] | undefined>>, search: URLSearchParams): Presented {
  const authorization = headers.authorization;
  if (typeof authorization === "string" && authorization !== "") {
    const [, scheme = "", value = ""] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(authorization) ?? [];
    const lower = scheme.toLowerCase();
    if ((lower === "token" || lower === "bearer") && value !== "") return { kind: "token", token: value, carrier: "header" };
    if (lower === "basic" && value !== "") return readBasic(value, headers);
    return { kind: "none" };
  }
  const token = search.get("token") || search.get("access_token");
  return token ? { kind: "token", token, carrier: "query" } : { kind: "none" };
}

function readBasic(value: string, headers: Readonly<Record<string, string | string[] | undefined>>): Presented {
  const text = Buffer.from(value, "base64").toString("utf8");
  const colon = text.indexOf(":");
  // @compat Basic credentials without a colon are ignored, like an unknown scheme (http/credentials.test.ts).
  if (colon < 0) return { kind: "none" };
  const login = text.slice(0, colon);
  const password = text.slice(colon + 1);
  if ((password === "" || password === "x-oauth-basic") && looksLikeToken(login)) return { kind: "token", token: login, carrier: "basic" };
  if (looksLikeToken(password)) return { kind: "token", token: password, carrier: "basic" };
  if (login === "" || password === "") return { kind: "broken" };
  const otp = headers["x-gitea-otp"];
  return { kind: "password", login, password, otp: typeof otp === "string" ? otp : undefined };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const isSafe = (method: Method): boolean => method === "GET" || method === "HEAD";

/**
 * Decides which credentials of a request count. Browsers send a session cookie on cross-site requests too, so a state-changing request
 * also needs to come from a page of this server and to carry the session's form token.
 * The API reads both from headers and ignores a cookie without them. A page's form carries the token in its body ({@link
 * requireFormToken}).
 * @throws ForgeError `forbidden` for a form sent by another site
 */
export function acceptCredentials(
  route: Pick<Route, "method" | "mount" | "ignoresCredentials">,
  headers: Headers,
  search: URLSearchParams,
  urls: Urls,
): Presented {
  if (route.ignoresCredentials) return { kind: "none" };
  const presented = readCredentials(headers, search);
  if (presented.kind !== "none") return presented;
  const secret = readSessionCookie(headers, urls);
  if (secret === undefined) return presented;
  if (isSafe(route.method)) return { kind: "session", secret };
  const isOwn = isFromHere(headers, urls) === true;
  if (route.mount === "api") return isOwn && hasFormToken(secret, headers) ? { kind: "session", secret } : presented;
  if (!isOwn) throw forbidden("This request comes from another site. Open the page here and submit its form.", { reason: "cross_site_request" });
  return { kind: "session", secret };
}

/**
 * Checks that a form carries the token of the current session.
 * @param values the fields, when the body is a form
 * @throws ForgeError `forbidden` with the texts of the form
 */
export function requireFormToken(
  route: Pick<Route, "method" | "mount">,
  presented: Presented,
  headers: Headers,
  values: Readonly<Record<string, unknown>> = {},
): void {
  if (presented.kind !== "session" || route.mount === "api" || isSafe(route.method)) return;
  if (!hasFormToken(presented.secret, headers, values[formTokenField])) {
    throw forbidden("This form is no longer valid: you have signed in again since it was loaded. Go back, reload the page and repeat your changes.", {
      reason: "form_expired",
      typed: textsOf(values),
    });
  }
}

/** Shorter values are quickly entered again, or are names and ids. */
const leastTyped = 20;
const secretFields = /pass|secret|token|code|key/i;

/** The texts that a user has typed into a form, without secrets and internal fields. */
const textsOf = (values: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    typeof value === "string" && value.length >= leastTyped && !name.startsWith("_") && !secretFields.test(name) ? [value] : [],
  );
