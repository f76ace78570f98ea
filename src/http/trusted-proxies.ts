import type { IncomingMessage } from "node:http";
import { createPeerCheck } from "../core/peer-check.ts";

/**
 * Creates a function that determines the client address. Each proxy appends the address of its peer to X-Forwarded-For, so the list is
 * read from its end for as long as the entries come from trusted proxies.
 * @param trusted addresses and networks of proxies
 * @throws Error for an invalid address or network
 */
export function createRemoteAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return ({ socket }) => socket.remoteAddress ?? "";
  const isTrusted = createPeerCheck(trusted);
  return ({ socket, headers }) => {
    const named = String(headers["x-forwarded-for"] ?? "").split(",");
    let address = socket.remoteAddress ?? "";
    for (let next = named.pop()?.trim(); next !== undefined && next !== "" && isTrusted(address); next = named.pop()?.trim()) address = next;
    return address;
  };
}

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
