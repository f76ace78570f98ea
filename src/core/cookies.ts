import type { Urls } from "./urls.ts";

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

const isSecure = (urls: Pick<Urls, "origin">): boolean => urls.origin.startsWith("https:");

/** Browsers accept a cookie with this prefix only over TLS and for this exact host (RFC 6265bis, 4.1.3). */
export const hostCookie = (urls: Pick<Urls, "origin">, name: string): string => (isSecure(urls) ? `__Host-${name}` : name);

/** The values that a browser sent for a cookie, which can be several. */
export function readCookies({ cookie }: Headers, name: string): readonly string[] {
  if (typeof cookie !== "string") return [];
  return cookie.split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
}

/**
 * The value of a `Set-Cookie` header for all pages of this server. `Lax` lets browsers send it when a link or redirect of another site leads here.
 * @param maxAgeSeconds 0 deletes the cookie
 */
export const cookieOf = (urls: Pick<Urls, "origin">, name: string, value: string, maxAgeSeconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure(urls) ? "; Secure" : ""}`;
