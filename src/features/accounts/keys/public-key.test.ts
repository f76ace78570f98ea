import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KeyProblem, parsePublicKey, withoutComment } from "./public-key.ts";

const run = promisify(execFile);
const hasKeygen = await run("ssh-keygen", ["-?"]).then(
  () => true,
  (error: { code?: unknown }) => error.code !== "ENOENT",
);

const field = (content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const keyOf = (algorithm: string, ...fields: (Buffer | string)[]): string =>
  `${algorithm} ${Buffer.concat([algorithm, ...fields].map(field)).toString("base64")}`;
const ed25519 = keyOf("ssh-ed25519", Buffer.alloc(32, 7));
const encoded = (key: string): string => key.split(" ")[1] ?? "";

const number = (text: string | undefined): Buffer => {
  const bytes = Buffer.from(text ?? "", "base64url");
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
};
const rsa = (bits: number) => {
  const { n, e } = generateKeyPairSync("rsa", { modulusLength: bits }).publicKey.export({ format: "jwk" });
  return { n: number(n), e: number(e) };
};
const point = (namedCurve: string): Buffer => {
  const { x, y } = generateKeyPairSync("ec", { namedCurve }).publicKey.export({ format: "jwk" });
  return Buffer.concat([Buffer.from([4]), Buffer.from(x ?? "", "base64url"), Buffer.from(y ?? "", "base64url")]);
};
const problem = (text: string): string => {
  try {
    parsePublicKey(text);
  } catch (error) {
    if (error instanceof KeyProblem) return error.message;
    throw error;
  }
  return "";
};

describe.skipIf(!hasKeygen)("keys of ssh-keygen (skipped where it is not installed)", () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "hearth-keys-"));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test.each([
    ["ed25519", "256"],
    ["ecdsa", "256"],
    ["ecdsa", "384"],
    ["ecdsa", "521"],
    ["rsa", "2048"],
    ["rsa", "3072"],
  ])("accepts %s with %s bits and computes ssh-keygen's fingerprint", async (type, bits) => {
    const file = join(directory, `${type}-${bits}`);
    await run("ssh-keygen", ["-q", "-t", type, "-b", bits, "-N", "", "-C", "alice at her desk", "-f", file]);
    const text = await readFile(`${file}.pub`, "utf8");
    const shown = (await run("ssh-keygen", ["-l", "-f", `${file}.pub`])).stdout.split(" ");
    const key = parsePublicKey(text);
    expect(key).toEqual({ content: text.trim(), fingerprint: shown[1] });
    expect(withoutComment(key.content)).toBe(text.split(" ", 2).join(" "));
  });

  test("rejects a DSA-like name, a certificate and a private key", async () => {
    const file = join(directory, "private");
    await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
    expect(problem(await readFile(file, "utf8"))).toContain("one line");
    await run("ssh-keygen", ["-q", "-s", file, "-I", "id", "-n", "root", `${file}.pub`]);
    expect(problem(await readFile(`${file}-cert.pub`, "utf8"))).toContain("a supported algorithm");
  });
});

describe("keys of other programs", () => {
  const p256 = point("P-256");
  test.each([
    ["a security key with Ed25519", keyOf("sk-ssh-ed25519@openssh.com", Buffer.alloc(32, 1), "ssh:")],
    ["a security key with a curve", keyOf("sk-ecdsa-sha2-nistp256@openssh.com", "nistp256", p256, "ssh:desk")],
  ])("accepts %s", (_name, text) => expect(parsePublicKey(` ${text}\n`).content).toBe(text));

  test.each<[string, string, string]>([
    ["nothing", "", "algorithm"],
    ["one word", "ssh-ed25519", "algorithm"],
    ["an algorithm out of use", keyOf("ssh-dss", "x"), "algorithm"],
    ["a name that every object has", `constructor ${encoded(ed25519)}`, "algorithm"],
    ["options in front", `command="x" ${ed25519}`, "algorithm"],
    ["two lines", `${ed25519}\n${ed25519}`, "one line"],
    ["a comment that moves the cursor", `${ed25519} \x1b[2J`, "one line"],
    ["too much", `${ed25519} ${"x".repeat(9000)}`, "too long"],
    ["no base64", "ssh-rsa notakey", "base64"],
    ["base64 of another alphabet", `${ed25519.replace(/.$/, "_")}`, "base64"],
    ["another algorithm inside", `ssh-rsa ${encoded(ed25519)}`, "another algorithm"],
    ["a short key", keyOf("ssh-ed25519", Buffer.alloc(31)), "32 bytes"],
    ["bytes behind it", keyOf("ssh-ed25519", Buffer.alloc(32), "more"), "extra data"],
    ["an end inside a length", keyOf("ssh-ed25519"), "too early"],
    ["a length beyond the end", `ssh-ed25519 ${Buffer.from([0xff, 0xff, 0xff, 0xff, 1]).toString("base64")}`, "too early"],
    ["a point off the curve", keyOf("ecdsa-sha2-nistp256", "nistp256", Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 3)])), "not on the curve"],
    ["a compressed point", keyOf("ecdsa-sha2-nistp256", "nistp256", Buffer.concat([Buffer.from([2]), p256.subarray(1, 33)])), "point"],
    ["another curve inside", keyOf("ecdsa-sha2-nistp384", "nistp256", p256), "another curve"],
    ["a security key for the web", keyOf("sk-ssh-ed25519@openssh.com", Buffer.alloc(32, 1), "webauthn"), "not made for SSH"],
    ["a weak RSA key", keyOf("ssh-rsa", rsa(1024).e, rsa(1024).n), "at least 2048 bits, and this one has 1024"],
    ["a huge RSA key", keyOf("ssh-rsa", Buffer.from([3]), Buffer.concat([Buffer.from([1]), Buffer.alloc(2048, 1)])), "at most 16384"],
    ["a negative number", keyOf("ssh-rsa", Buffer.from([3]), Buffer.alloc(256, 0xff)), "not encoded canonically"],
    ["a number with zeros in front", keyOf("ssh-rsa", Buffer.from([0, 3]), rsa(2048).n), "not encoded canonically"],
    [
      "an even modulus",
      keyOf("ssh-rsa", Buffer.from([3]), Buffer.concat([Buffer.from([0]), Buffer.alloc(255, 0xff), Buffer.from([2])])),
      "do not form an RSA key",
    ],
    ["the exponent 1", keyOf("ssh-rsa", Buffer.from([1]), rsa(2048).n), "do not form an RSA key"],
  ])("rejects %s", (_name, text, reason) => expect(problem(text)).toContain(reason));

  test("rejects any invalid bytes with a KeyProblem", () => {
    fc.assert(
      fc.property(fc.constantFrom("ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "sk-ssh-ed25519@openssh.com"), fc.array(fc.uint8Array()), (name, fields) => {
        const text = keyOf(name, ...fields.map((bytes) => Buffer.from(bytes)));
        expect(typeof problem(text)).toBe("string");
      }),
    );
  });
});
