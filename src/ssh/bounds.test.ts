import { describe, expect, test } from "vitest";
import { createConnectionSlots, networkOf } from "./bounds.ts";

const bounds = { total: 4, perNetwork: 3, unknownTotal: 3, unknownPerNetwork: 2 };

describe("connection slots", () => {
  test("are fewer for unauthenticated clients, per network and in total", () => {
    const places = createConnectionSlots(bounds);
    const [first, second] = [places.take("10.0.0.1"), places.take("10.0.0.1")];
    expect(places.take("10.0.0.1")).toBeUndefined();
    expect(places.take("10.0.0.2")).toBeDefined();
    expect(places.take("10.0.0.3")).toBeUndefined();
    first?.known();
    expect(places.take("10.0.0.1")).toBeDefined();
    second?.known();
    expect(places.take("10.0.0.1"), "three of one network").toBeUndefined();
    expect(places.taken).toBe(4);
  });

  test("are released exactly once, whatever happened to their connection", () => {
    const places = createConnectionSlots(bounds);
    for (let round = 0; round < 10; round += 1) {
      const place = places.take("::1");
      if (round % 2 === 0) place?.known();
      place?.known();
      place?.leave();
      place?.leave();
      place?.known();
    }
    expect(places.taken).toBe(0);
    expect([places.take("::1"), places.take("::1"), places.take("::1")].map((place) => place !== undefined)).toEqual([true, true, false]);
  });
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::1", "0:0:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:db8::6", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["", ""],
])("maps the address %j to the network %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
