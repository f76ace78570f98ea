import type { IncomingMessage } from "node:http";
import { createPeerCheck } from "../core/peer-check.ts";

/**
 * Tells who asks. Each proxy adds whom it speaks for behind the others, so the list is read from its end, as far as those are trusted who wrote it.
 * @param trusted addresses and networks of proxies
 * @throws Error for what is no address and no network
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
