import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { meetsChallenge, readChallenge } from "./challenge.ts";

// RFC 7636, appendix B.
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

test("accepts the verifier of a challenge and no other", () => {
  expect(meetsChallenge(verifier, challenge, "S256")).toBe(true);
  expect(meetsChallenge(verifier, verifier, "plain")).toBe(true);
  for (const wrong of ["", challenge, `${verifier}x`, verifier.toUpperCase(), "x".repeat(43)])
    expect(meetsChallenge(wrong, challenge, "S256"), wrong).toBe(false);
  expect(meetsChallenge("", "", "plain")).toBe(false);
});

test("rejects a verifier that is too short", () => {
  const short = "a".repeat(42);
  expect(meetsChallenge(short, createHash("sha256").update(short).digest("base64url"), "S256")).toBe(false);
});

test("rejects a verifier for a code that was requested without a challenge", () => {
  expect(meetsChallenge("", "", "")).toBe(true);
  expect(meetsChallenge(verifier, "", "")).toBe(false);
});

test.each([
  ["", "", true, { method: "" }],
  ["", "", false, "PKCE is required for public clients"],
  [challenge, "S256", false, { method: "S256" }],
  [challenge, "plain", true, { method: "plain" }],
  [challenge, "", true, { method: "plain" }],
  [challenge, "plain", false, "public clients must use the code challenge method S256"],
  [challenge, "", false, "public clients must use the code challenge method S256"],
  [challenge, "S512", true, "unsupported code challenge method"],
  ["", "S256", true, "the code challenge must have 43 to 128 unreserved characters"],
  ["short", "S256", false, "the code challenge must have 43 to 128 unreserved characters"],
])("challenge %j, method %j, confidential %s", (given, method, isConfidential, expected) => {
  const read = readChallenge(given, method, isConfidential);
  expect("fault" in read ? read.fault.error_description : read).toEqual(expected);
});
