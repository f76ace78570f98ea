import { forbidden } from "../core/errors.ts";
import type { Urls } from "../core/urls.ts";
import { type Presented, readCredentials } from "./credentials.ts";
import type { Method, Route } from "./route.ts";
import { hasFormToken, isFromHere, readSessionCookie } from "./session-cookie.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const isSafe = (method: Method): boolean => method === "GET" || method === "HEAD";

/**
 * The credentials that a request is judged by. A browser sends its session's cookie whoever made it ask, so a cookie alone changes nothing:
 * the request has to come from a page of this server, and to carry the session's form token.
 * The API takes both from headers and does not look at a cookie without them; a page's form brings the token in its body ({@link requireFormToken}).
 * @throws ForgeError `forbidden` for a form that another site has sent
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
  if (!isOwn) throw forbidden("This request comes from another site. Open the page here and send its form from there.");
  return { kind: "session", secret };
}

/**
 * A page's form needs the token of the session that it was made for.
 * @param given the form's field, where the body is a form
 * @throws ForgeError `forbidden`
 */
export function requireFormToken(route: Pick<Route, "method" | "mount">, presented: Presented, headers: Headers, given: unknown): void {
  if (presented.kind !== "session" || route.mount === "api" || isSafe(route.method)) return;
  if (!hasFormToken(presented.secret, headers, given)) {
    throw forbidden("This form is no longer valid: you have signed in anew since it was made. Go back, load the page again and repeat what you entered.");
  }
}
