import { expect, test } from "vitest";
import { parseHostRules } from "./host-rules.ts";

const allows = (rules: readonly string[], address: string, hostname = "h.example.org") => parseHostRules(rules)?.allows(hostname, address);

/** Internal addresses that users must not make the server call. */
const internal = [
  ..."127.0.0.1 127.1.2.3 0.0.0.0 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 192.0.0.192 198.18.0.1 192.0.2.1 198.51.100.1".split(" "),
  ..."203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 ::1 :: ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001::1".split(" "),
  ..."fe80::1 fec0::1 fc00::1 fd00::1 ff02::1 100::1 2001:db8::1 ::7f00:1".split(" "),
];

test.each(internal)("%s is not external", (address) => expect(allows(["external"], address)).toBe(false));
test.each(["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8"])("%s is external", (address) => expect(allows(["external"], address)).toBe(true));

test("networks, keywords and names allow exactly the hosts that they match", () => {
  expect(allows(["external", "10.1.0.0/16"], "10.1.2.3")).toBe(true);
  expect(allows(["external", "10.1.0.0/16"], "10.2.2.3")).toBe(false);
  expect(allows(["10.1.0.0/16"], "8.8.8.8")).toBe(false);
  expect(allows(["10.1.2.3"], "::ffff:10.1.2.3")).toBe(true);
  expect(allows(["fd00::/8"], "fd00::1")).toBe(true);
  expect(allows(["private"], "192.168.1.1")).toBe(true);
  expect(allows(["private"], "127.0.0.1")).toBe(false);
  expect(allows(["loopback"], "::1")).toBe(true);
  expect(allows(["*"], "169.254.169.254")).toBe(true);
  expect(allows(["*.intern.example"], "10.0.0.1", "CI.intern.example.")).toBe(true);
  expect(allows(["*.intern.example"], "10.0.0.1", "intern.example.evil.org")).toBe(false);
  // A pattern for names does not match IP addresses.
  expect(allows(["10.*"], "10.0.0.1", "10.0.0.1")).toBe(false);
  expect(allows([], "8.8.8.8")).toBe(false);
});

test.each(["10.0.0.0/33", "http://x", "a b", "", "1.2.3.4/x"])("%j is not a valid rule", (text) => expect(parseHostRules([text])).toBeUndefined());
