import { createHmac, timingSafeEqual } from "node:crypto";
import { unauthenticated } from "../core/errors.ts";
import type { Urls } from "../core/urls.ts";
import type { RawReply } from "./answers.ts";

/** The form field, and the header of scripts, that carry a session's form token. */
export const formTokenField = "_csrf";
const formTokenHeader = "x-csrf-token";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const isSecure = (urls: Pick<Urls, "origin">): boolean => urls.origin.startsWith("https:");
/** With the prefix a browser takes the cookie from this very host over TLS alone (RFC 6265bis, 4.1.3). */
const nameOf = (urls: Pick<Urls, "origin">): string => (isSecure(urls) ? "__Host-hearth_session" : "hearth_session");

const secretForm = /^[\w-]{43}$/;

/** What the cookie of a session holds; undefined for no cookie and for what no session's cookie holds. */
export function readSessionCookie(headers: Headers, urls: Pick<Urls, "origin">): string | undefined {
  const { cookie } = headers;
  if (typeof cookie !== "string") return undefined;
  const name = nameOf(urls);
  for (const pair of cookie.split(";")) {
    const at = pair.indexOf("=");
    const value = pair.slice(at + 1).trim();
    if (pair.slice(0, at).trim() === name && secretForm.test(value)) return value;
  }
  return undefined;
}

const attributes = (urls: Pick<Urls, "origin">, maxAgeSeconds: number): string =>
  `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure(urls) ? "; Secure" : ""}`;

/** The same answer, which hands a session to its browser. */
export const withSession = (
  reply: RawReply,
  urls: Pick<Urls, "origin">,
  { secret, maxAgeSeconds }: { readonly secret: string; readonly maxAgeSeconds: number },
): RawReply => ({ ...reply, headers: { ...reply.headers, "set-cookie": `${nameOf(urls)}=${secret}; ${attributes(urls, maxAgeSeconds)}` } });

/** The same answer, which takes it away. */
export const withoutSession = (reply: RawReply, urls: Pick<Urls, "origin">): RawReply => withSession(reply, urls, { secret: "", maxAgeSeconds: 0 });

/** What forms of a session carry: it follows from the cookie, which other sites cannot read. */
export const formTokenOf = (sessionSecret: string): string => createHmac("sha256", sessionSecret).update("form token").digest("base64url");

/**
 * The secret that the forms of a page are made for.
 * @throws ForgeError `unauthenticated` for callers without a browser's session, who are led to where they get one
 */
export function requireSession(secret: string | undefined): string {
  if (secret === undefined) throw unauthenticated("This page is for browsers: sign in to see it.");
  return secret;
}

/** @param given the field of a form; left out, the header counts */
export function hasFormToken(sessionSecret: string, headers: Headers, given?: unknown): boolean {
  const text = given ?? headers[formTokenHeader];
  if (typeof text !== "string") return false;
  const [expected, shown] = [Buffer.from(formTokenOf(sessionSecret)), Buffer.from(text)];
  return expected.length === shown.length && timingSafeEqual(expected, shown);
}

/**
 * Whether a request was made by a page of this server, as far as its browser tells: by `Sec-Fetch-Site`, else by `Origin`, which every browser
 * sends with a POST. `Host` counts beside the root address: people reach a server under more than one name, and no page of another site can choose it.
 * @returns undefined when neither is there: the request comes from no browser
 */
export function isFromHere(headers: Headers, urls: Pick<Urls, "origin">): boolean | undefined {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  const { origin, host } = headers;
  if (typeof origin !== "string") return undefined;
  return origin === urls.origin || (URL.canParse(origin) && new URL(origin).host === host);
}
