import { createPeerCheck } from "../core/peer-check.ts";

/** Names of the reverse proxy headers that identify the user. */
export interface ProxyHeaders {
  readonly user: string;
  readonly email: string;
  readonly fullName: string;
}

/** A user authenticated by a trusted reverse proxy. */
export interface ProxyUser {
  readonly name: string;
  readonly email: string;
  readonly fullName: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Longer than any user name or email address. */
const maxLength = 255;

/**
 * Creates a function that reads the authenticated user from the headers of a reverse proxy. The peer of the connection has to be trusted;
 * forwarded addresses do not count.
 * @returns a function of a request's headers and the peer address; undefined without a user from a trusted peer
 */
export function createProxyUserReader(
  headers: ProxyHeaders | undefined,
  trusted: readonly string[],
): (given: Headers, peer: string | undefined) => ProxyUser | undefined {
  if (headers === undefined) return () => undefined;
  const isTrusted = createPeerCheck(trusted);
  const [user, email, fullName] = [headers.user, headers.email, headers.fullName].map((name) => name.toLowerCase());
  return (given, peer) => {
    const value = (name = ""): string => {
      const text = name === "" ? undefined : given[name];
      // Node.js decodes headers as latin1; proxies send non-ASCII characters as UTF-8.
      return typeof text === "string" ? Buffer.from(text, "latin1").toString("utf8").trim().slice(0, maxLength) : "";
    };
    const name = value(user);
    return name === "" || !isTrusted(peer) ? undefined : { name, email: value(email), fullName: value(fullName) };
  };
}
