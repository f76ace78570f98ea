import { expect, test } from "vitest";
import { createPeerCheck } from "./peer-check.ts";

test("addresses are matched against exactly the given networks", () => {
  const isTrusted = createPeerCheck(["10.1.0.0/16", "192.0.2.7", "2001:db8::/32", "loopback"]);
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "192.0.2.7", "2001:db8:1::1", "127.0.0.1", "127.9.9.9", "::1"])
    expect(isTrusted(address), address).toBe(true);
  for (const address of ["10.2.0.1", "192.0.2.8", "2001:db9::1", "::2", "", "unknown", undefined]) expect(isTrusted(address), address).toBe(false);
  expect(createPeerCheck([])("127.0.0.1")).toBe(false);
  for (const wrong of ["everywhere", "10.0.0.0/x", "10.0.0.0/99", "300.1.1.1"]) expect(() => createPeerCheck([wrong]), wrong).toThrow();
});
