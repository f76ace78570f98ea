import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createRemoteAddress } from "./remote-address.ts";

const requested = (peer: string | undefined, forwarded?: string) =>
  ({ socket: { remoteAddress: peer }, headers: { ...(forwarded !== undefined && { "x-forwarded-for": forwarded }) } }) as unknown as IncomingMessage;

test("ignores forwarded addresses without trusted proxies", () => {
  const read = createRemoteAddress([]);
  expect(read(requested("192.0.2.1", "203.0.113.9"))).toBe("192.0.2.1");
  expect(read(requested(undefined))).toBe("");
});

test.each([
  ["192.0.2.1", "203.0.113.9", "192.0.2.1", "a stranger may say what he likes"],
  ["10.0.0.1", undefined, "10.0.0.1", "a proxy that speaks for itself"],
  ["10.0.0.1", "203.0.113.9", "203.0.113.9", "a proxy that speaks for somebody"],
  ["10.0.0.1", "203.0.113.9, 10.0.0.2", "203.0.113.9", "two proxies"],
  ["10.0.0.1", "198.51.100.1, 203.0.113.9 ,10.0.0.2", "203.0.113.9", "what he says who is not trusted counts for nothing"],
  ["10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3", "all of them trusted: the first"],
  ["::ffff:10.0.0.1", "2001:db8::1", "2001:db8::1", "an address of the old kind in the new way of writing"],
  ["10.0.0.1", "", "10.0.0.1", "nobody is named"],
  ["10.0.0.1", "198.51.100.1,", "10.0.0.1", "somebody is missing from the list: nobody before him is believed"],
])("%s, forwarded %s: %s, %s", (peer, forwarded, address, _why) => {
  expect(createRemoteAddress(["10.0.0.0/8"])(requested(peer, forwarded))).toBe(address);
});

test("what is no network is refused when the server is made", () => {
  expect(() => createRemoteAddress(["everywhere"])).toThrow("everywhere is not an address or a network");
});
