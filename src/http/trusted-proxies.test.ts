import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createProxyUserReader, createRemoteAddress } from "./trusted-proxies.ts";

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

const headers = { user: "X-WebAuth-User", email: "X-WebAuth-Email", fullName: "" };

test("reads the user from headers of trusted peers only, if enabled", () => {
  const read = createProxyUserReader(headers, ["10.0.0.0/8"]);
  const given = { "x-webauth-user": "alice", "x-webauth-email": "alice@example.org", "x-webauth-fullname": "not asked for" };
  expect(read(given, "10.0.0.1")).toEqual({ name: "alice", email: "alice@example.org", fullName: "" });
  expect(read(given, "192.0.2.1")).toBeUndefined();
  expect(read({ ...given, "x-forwarded-for": "10.0.0.1" }, "192.0.2.1")).toBeUndefined();
  expect(read(given, undefined)).toBeUndefined();
  expect(read({ "x-webauth-email": "alice@example.org" }, "10.0.0.1")).toBeUndefined();
  expect(read({ "x-webauth-user": " " }, "10.0.0.1")).toBeUndefined();
  expect(createProxyUserReader(undefined, ["10.0.0.0/8"])(given, "10.0.0.1")).toBeUndefined();
});

test("decodes header values as UTF-8", () => {
  const read = createProxyUserReader({ ...headers, fullName: "X-Name" }, ["::1"]);
  const name = Buffer.from("Jürgen", "utf8").toString("latin1");
  expect(read({ "x-webauth-user": "j", "x-name": name }, "::1")?.fullName).toBe("Jürgen");
});
