import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { cookieOf, type Headers, hostCookie, readCookies } from "../core/cookies.ts";
import { unauthenticated } from "../core/errors.ts";
import type { Urls } from "../core/urls.ts";
import type { RawReply } from "./answers.ts";

/** The form field, and the header of scripts, that carry a session's form token. */
export const formTokenField = "_csrf";
const formTokenHeader = "x-csrf-token";

const nameOf = (urls: Pick<Urls, "origin">): string => hostCookie(urls, "hearth_session");

const secretForm = /^[\w-]{43}$/;

/** The value of the session cookie; undefined without a cookie and for values that no session cookie has. */
export const readSessionCookie = (headers: Headers, urls: Pick<Urls, "origin">): string | undefined =>
  readCookies(headers, nameOf(urls)).find((value) => secretForm.test(value));

/** Adds the cookie of a new session to a response. */
export const withSession = (
  reply: RawReply,
  urls: Pick<Urls, "origin">,
  { secret, maxAgeSeconds }: { readonly secret: string; readonly maxAgeSeconds: number },
): RawReply => ({ ...reply, headers: { ...reply.headers, "set-cookie": cookieOf(urls, nameOf(urls), secret, maxAgeSeconds) } });

/** Removes the session cookie with a response. */
export const withoutSession = (reply: RawReply, urls: Pick<Urls, "origin">): RawReply => withSession(reply, urls, { secret: "", maxAgeSeconds: 0 });

/** The token is derived from the cookie, which other sites cannot read. */
const macOf = (sessionSecret: string): Buffer => createHmac("sha256", sessionSecret).update("form token").digest();

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, at) => byte ^ (other[at] ?? 0)));

const macBytes = 32;
/** A mask and a masked token. */
const formTokenForm = /^[\w-]{86}$/;

/**
 * A form token of a session: a random mask, and the token under this mask. Each call returns another one, so the length of a compressed page
 * reveals nothing about the token (BREACH).
 */
export function formTokenOf(sessionSecret: string): string {
  const mask = randomBytes(macBytes);
  return Buffer.concat([mask, xor(macOf(sessionSecret), mask)]).toString("base64url");
}

/**
 * The session secret that the form tokens of a page are derived from.
 * @throws ForgeError `unauthenticated` for callers without a browser session, who are redirected to the sign-in page
 */
export function requireSession(secret: string | undefined): string {
  if (secret === undefined) throw unauthenticated("This page is for browsers: sign in to see it.");
  return secret;
}

/** @param given a form field; if undefined, the header is checked */
export function hasFormToken(sessionSecret: string, headers: Headers, given?: unknown): boolean {
  const text = given ?? headers[formTokenHeader];
  if (typeof text !== "string" || !formTokenForm.test(text)) return false;
  const shown = Buffer.from(text, "base64url");
  return timingSafeEqual(macOf(sessionSecret), xor(shown.subarray(0, macBytes), shown.subarray(macBytes)));
}

/**
 * Whether a request was sent by a page of this server, according to `Sec-Fetch-Site` or else `Origin`, which every browser sends with a
 * POST. `Host` is accepted in addition to the root address: a server may be reached under several names, and a page of another site cannot
 * choose it.
 * @returns undefined when both headers are missing: the client is not a browser
 */
export function isFromHere(headers: Headers, urls: Pick<Urls, "origin">): boolean | undefined {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  const { origin, host } = headers;
  if (typeof origin !== "string") return undefined;
  return origin === urls.origin || (URL.canParse(origin) && new URL(origin).host === host);
}
