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
