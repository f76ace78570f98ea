import { expect, test } from "vitest";
import { createProxyUserReader } from "./proxy-user.ts";

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
