import { expect, test } from "vitest";
import { formTargetOf, isSameRedirect, isUsableRedirect, matchesRedirect, withParameters } from "./redirects.ts";

test.each([
  "https://app.example.org/cb",
  "http://app.example.org:8080/cb?x=1",
  "http://127.0.0.1",
  "http://[::1]/cb",
  "com.example.app:/oauth",
  "myapp://callback",
])("accepts %s", (uri) => expect(isUsableRedirect(uri)).toBe(true));

test.each([
  "",
  "/cb",
  "//app.example.org/cb",
  "https:app.example.org",
  "https:///app.example.org",
  "https://",
  "javascript:alert(1)",
  "data:text/html,x",
  "JavaScript:alert(1)",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://app.example.org/x",
  "view-source:https://app.example.org",
  "https://user@app.example.org/cb",
  "https://app.example.org/cb#part",
  "https://app.example.org\\cb",
  "https://app.example.org/c b",
  "https://app.example.org/\r\nSet-Cookie: a=b",
  "https://äpp.example.org/cb",
  `https://app.example.org/${"x".repeat(2_000)}`,
])("rejects %s", (uri) => expect(isUsableRedirect(uri)).toBe(false));

const registered = ["https://app.example.org/cb", "http://127.0.0.1/back", "http://[::1]"];
const confidential = { isConfidential: true, redirectUris: registered };
const open = { isConfidential: false, redirectUris: registered };

test("compares a redirect address as an exact string", () => {
  for (const application of [confidential, open]) {
    for (const uri of registered) expect(matchesRedirect(application, uri)).toBe(true);
    for (const uri of [
      "",
      "https://app.example.org/cb/",
      "https://app.example.org/cb/more",
      "https://app.example.org/c",
      "https://app.example.org/cb?x=1",
      "https://app.example.org/cb#x",
      "https://app.example.org/cb%2f..%2fx",
      "https://app.example.org/x/../cb",
      "https://app.example.org:443/cb",
      "https://app.example.org:8443/cb",
      "https://APP.example.org/cb",
      "https://app.example.org/CB",
      "http://app.example.org/cb",
      "https://user@app.example.org/cb",
      "https://app.example.org@evil.example/cb",
      "https://app.example.org.evil.example/cb",
      "https://аpp.example.org/cb",
      "https://evil.example/https://app.example.org/cb",
    ]) {
      expect(matchesRedirect(application, uri), uri).toBe(false);
    }
  }
});

test("allows any port in a public application's loopback address and no other difference", () => {
  for (const uri of ["http://127.0.0.1:49152/back", "http://127.0.0.1:1/back", "http://[::1]:49152", "http://[::1]:49152/"]) {
    expect(matchesRedirect(open, uri), uri).toBe(true);
    expect(matchesRedirect(confidential, uri), uri).toBe(false);
  }
  for (const uri of [
    "http://127.0.0.1:49152/other",
    "http://127.0.0.1:49152/back/",
    "http://127.0.0.1:49152/back?x=1",
    "http://127.0.0.1:49152/back#x",
    "http://127.0.0.1:99999/back",
    "http://127.0.0.1:80@evil.example/back",
    "http://127.0.0.1.evil.example/back",
    "http://127.0.0.2:49152/back",
    "http://127.1:49152/back",
    "http://localhost:49152/back",
    "https://127.0.0.1:49152/back",
    "http://[::1]:49152/back",
    "http://[::2]:49152",
  ]) {
    expect(matchesRedirect(open, uri), uri).toBe(false);
  }
});

test("treats the root with and without a slash as equal", () => {
  expect(isSameRedirect("http://127.0.0.1:8080", "http://127.0.0.1:8080/")).toBe(true);
  expect(isSameRedirect("https://a.example?x=1", "https://a.example/?x=1")).toBe(true);
  expect(isSameRedirect("https://a.example/cb", "https://a.example/cb/")).toBe(false);
  expect(isSameRedirect("https://a.example", "https://a.example.evil.example/")).toBe(false);
  expect(isSameRedirect("https://a.example", "https://a.example@evil.example/")).toBe(false);
});

test("appends response parameters to the query of the address", () => {
  expect(withParameters("https://a.example/cb", { code: "x y", state: "&=" })).toBe("https://a.example/cb?code=x+y&state=%26%3D");
  expect(withParameters("https://a.example/cb?a=1", { code: "x", state: "" })).toBe("https://a.example/cb?a=1&code=x");
  expect(withParameters("com.example.app:/cb", { code: "x" })).toBe("com.example.app:/cb?code=x");
});

test("allows the redirect target in the form's content security policy", () => {
  expect(formTargetOf("https://a.example/cb")).toBe("https://a.example");
  expect(formTargetOf("http://127.0.0.1:8080/cb")).toBe("http://127.0.0.1:8080");
  expect(formTargetOf("http://[::1]:8080/cb")).toBe("http:");
  expect(formTargetOf("com.example.app:/cb")).toBe("com.example.app:");
});
