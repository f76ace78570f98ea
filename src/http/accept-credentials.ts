import { forbidden } from "../core/errors.ts";
import type { Urls } from "../core/urls.ts";
import { type Presented, readCredentials } from "./credentials.ts";
import type { Method, Route } from "./route.ts";
import { formTokenField, hasFormToken, isFromHere, readSessionCookie } from "./session-cookie.ts";

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
