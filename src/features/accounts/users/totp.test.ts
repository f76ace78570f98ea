import { describe, expect, test } from "vitest";
import { base32, fromBase32, matchingSteps, newTotpSecret, stepAt, totpCode, totpUri } from "./totp.ts";

/** RFC 6238, appendix B, SHA-1: the last six of its eight digits. */
const secret = base32(Buffer.from("12345678901234567890"));

describe("TOTP codes", () => {
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("match the RFC at %d s", (seconds, code) => {
    expect(totpCode(secret, stepAt(seconds * 1_000))).toBe(code);
  });

  test("are accepted one step early or late and no more", () => {
    const now = 1_111_111_111_000;
    const step = stepAt(now);
    for (const [at, fits] of [
      [-2, false],
      [-1, true],
      [0, true],
      [1, true],
      [2, false],
    ] as const) {
      expect(matchingSteps(secret, totpCode(secret, step + at), now)).toEqual(fits ? [step + at] : []);
    }
  });

  test.each(["", "12345", "1234567", "00000a", "١٢٣٤٥٦", "none.."])("reject %j", (code) => {
    expect(matchingSteps(secret, code, 1_111_111_111_000)).toEqual([]);
  });
});

test("secrets are 160 bits and round-trip through base32", () => {
  const made = newTotpSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(fromBase32(made)).toHaveLength(20);
  expect(base32(fromBase32(made) as Buffer)).toBe(made);
  expect(newTotpSecret()).not.toBe(made);
  // RFC 4648, section 10.
  for (const [text, encoded] of [
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foobar", "MZXW6YTBOI"],
  ] as const) {
    expect(base32(Buffer.from(text))).toBe(encoded);
    expect(fromBase32(encoded)?.toString()).toBe(text);
  }
  expect(fromBase32("M1")).toBeUndefined();
});

test("the link for an app contains the server and the account", () => {
  expect(totpUri("ABC", "git.example.org", "alice")).toBe(
    "otpauth://totp/git.example.org:alice?secret=ABC&issuer=git.example.org&algorithm=SHA1&digits=6&period=30",
  );
});
