import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasSshKeygen } from "../../../../test/kit/signing.ts";
import { FormatProblem } from "./openpgp/bytes.ts";
import { isCertificate, readSshCertificate } from "./ssh-certificate.ts";

describe.skipIf(!hasSshKeygen)(`certificates of ssh-keygen${hasSshKeygen ? "" : " (skipped: it is not installed)"}`, () => {
  let folder: string;
  const keygen = (...words: readonly string[]) => execFileSync("ssh-keygen", ["-q", ...words], { cwd: folder });
  const blobOf = (file: string): Buffer => Buffer.from(readFileSync(join(folder, file), "utf8").split(" ")[1] ?? "", "base64");
  const make = (name: string, ...options: readonly string[]): void => void keygen(...options, "-N", "", "-f", name);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hearth-certificate-"));
    make("ca", "-t", "ed25519");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ["ed25519", ["-t", "ed25519"]],
    ["rsa", ["-t", "rsa", "-b", "2048"]],
    ["ecdsa256", ["-t", "ecdsa", "-b", "256"]],
    ["ecdsa521", ["-t", "ecdsa", "-b", "521"]],
  ])("have the key, principals, times and options that were signed (%s)", (name, options) => {
    make(name, ...options);
    keygen(
      "-s",
      "ca",
      "-I",
      "laptop of alice",
      "-n",
      "alice,alice@example.com",
      "-V",
      "0x65000000:0x66000000",
      "-O",
      "source-address=10.0.0.0/8",
      `${name}.pub`,
    );
    const blob = blobOf(`${name}-cert.pub`);
    expect([isCertificate(blob), isCertificate(blobOf(`${name}.pub`))]).toEqual([true, false]);
    expect(readSshCertificate(blob)).toEqual({
      key: blobOf(`${name}.pub`),
      authority: blobOf("ca.pub"),
      isForUser: true,
      id: "laptop of alice",
      principals: ["alice", "alice@example.com"],
      validFromMs: 0x65_000_000 * 1_000,
      validUntilMs: 0x66_000_000 * 1_000,
      criticalOptions: new Map([["source-address", "10.0.0.0/8"]]),
      isAuthentic: true,
    });
  });

  test("can be for hosts, without an end and without principals", () => {
    make("host", "-t", "ed25519");
    keygen("-s", "ca", "-I", "x", "-h", "host.pub");
    const { isForUser, principals, validFromMs, validUntilMs } = readSshCertificate(blobOf("host-cert.pub"));
    expect({ isForUser, principals, validFromMs, validUntilMs }).toEqual({
      isForUser: false,
      principals: [],
      validFromMs: 0,
      validUntilMs: Number.POSITIVE_INFINITY,
    });
  });

  test("are not authentic, or unreadable, with any bit changed or any byte removed", () => {
    make("changed", "-t", "ed25519");
    keygen("-s", "ca", "-I", "x", "-n", "alice", "changed.pub");
    const blob = blobOf("changed-cert.pub");
    const passes = (bytes: Buffer): boolean => {
      try {
        return readSshCertificate(bytes).isAuthentic;
      } catch (error) {
        if (error instanceof FormatProblem) return false;
        throw error;
      }
    };
    expect(passes(blob)).toBe(true);
    for (let at = 0; at < blob.length; at += 1) {
      const changed = Buffer.from(blob);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      expect(passes(changed), `byte ${at}`).toBe(false);
      expect(passes(Buffer.concat([blob.subarray(0, at), blob.subarray(at + 1)])), `without byte ${at}`).toBe(false);
    }
  });
});
