import { createPeerCheck } from "../core/peer-check.ts";

/** Which headers of a reverse proxy tell who somebody is. */
export interface ProxyHeaders {
  readonly user: string;
  readonly email: string;
  readonly fullName: string;
}

/** Somebody whom a trusted reverse proxy has signed in. */
export interface ProxyUser {
  readonly name: string;
  readonly email: string;
  readonly fullName: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Longer than any name or address. */
const maxLength = 255;

/**
 * Reads who somebody is from what a proxy says. The connection's own other end has to be trusted: no header tells who that is.
 * @returns a function of a request's headers and the address at the other end; undefined where nobody was named by one who may
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
      // Node reads headers as latin1; what proxies send beyond ASCII is UTF-8.
      return typeof text === "string" ? Buffer.from(text, "latin1").toString("utf8").trim().slice(0, maxLength) : "";
    };
    const name = value(user);
    return name === "" || !isTrusted(peer) ? undefined : { name, email: value(email), fullName: value(fullName) };
  };
}
