type Headers = Readonly<Record<string, string | string[] | undefined>>;

const isSecure = (origin: string): boolean => origin.startsWith("https:");
/** With the prefix, a browser accepts the cookie only from this exact host and only over TLS (RFC 6265bis, 4.1.3). */
const nameOf = (origin: string): string => (isSecure(origin) ? "__Host-hearth_attempt" : "hearth_attempt");

/** The value that the browser stored when it left for the provider. */
export function readAttemptCookie(headers: Headers, origin: string): string | undefined {
  const { cookie } = headers;
  if (typeof cookie !== "string") return undefined;
  const start = `${nameOf(origin)}=`;
  return cookie
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
}

/**
 * The `Set-Cookie` header that stores the attempt. `Lax` lets the browser send it with the provider's redirect.
 * @param maxAgeSeconds 0 deletes the cookie
 */
export const attemptCookie = (origin: string, kept: string, maxAgeSeconds: number): string =>
  `${nameOf(origin)}=${kept}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure(origin) ? "; Secure" : ""}`;
