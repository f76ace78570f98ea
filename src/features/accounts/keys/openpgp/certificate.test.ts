import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasGpg, type Keyring, openKeyring } from "../../../../../test/kit/signing.ts";
import { readArmor, writeArmor } from "./armor.ts";
import { FormatProblem, uint16, uint32 } from "./bytes.ts";
import { readCertificate, readCertificateBytes, withoutUserIds } from "./certificate.ts";
import { keyMaterial, readKeyPacket, verificationUs } from "./key-packet.ts";
import { type Packet, packetTags, readPackets, writePacket } from "./packets.ts";
import { isSignedBy, readDetachedSignature } from "./signature-packet.ts";

/** Builds a key packet by packet, so that tests can make keys that no program would. */
class Maker {
  readonly body: Buffer;
  readonly #secret: KeyObject;

  constructor(createdSeconds = 1_700_000_000) {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const point = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
    this.body = Buffer.concat([Buffer.from([4]), uint32(createdSeconds), Buffer.from([27]), point]);
    this.#secret = privateKey;
  }

  sign(type: number, material: Buffer, subpackets: readonly Buffer[] = [], { digest = "sha256", number = 8 } = {}): Buffer {
    const { keyId } = readKeyPacket(this.body);
    const field = (kind: number, bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length + 1, kind]), bytes]);
    const fields = Buffer.concat([field(2, uint32(1_700_000_001)), field(16, Buffer.from(keyId, "hex")), ...subpackets]);
    const hashed = Buffer.concat([Buffer.from([4, type, 27, number]), uint16(fields.length), fields]);
    const hash = cryptoHash(digest, Buffer.concat([material, hashed, Buffer.from([4, 0xff]), uint32(hashed.length)]));
    return Buffer.concat([hashed, uint16(0), hash.subarray(0, 2), sign(null, hash, this.#secret)]);
  }

  /** The packets of a complete key with one user id. */
  packets(userId: string): Packet[] {
    const id = Buffer.from(userId);
    const material = Buffer.concat([keyMaterial(this.body), Buffer.from([0xb4]), uint32(id.length), id]);
    return [
      { tag: packetTags.publicKey, body: this.body },
      { tag: packetTags.userId, body: id },
      { tag: packetTags.signature, body: this.sign(0x13, material) },
    ];
  }
}

const publicKeyOn = (curve: "P-521" | "ed25519"): KeyObject =>
  (curve === "ed25519" ? generateKeyPairSync(curve) : generateKeyPairSync("ec", { namedCurve: curve })).publicKey;

/** A public key without a private one: nothing checks that the modulus is a product of two primes. */
function rsaKey(bits: number, exponent: string): KeyObject {
  const modulus = randomBytes(bits / 8)
    .fill(0xc1, 0, 1)
    .fill(1, bits / 8 - 1);
  const key = { kty: "RSA", n: modulus.toString("base64url"), e: Buffer.from(exponent, "hex").toString("base64url") };
  return createPublicKey({ format: "jwk", key });
}

const cryptoHash = (name: string, data: Buffer): Buffer => createHash(name).update(data).digest();
const bytesOf = (packets: readonly Packet[]): Buffer => Buffer.concat(packets.map(writePacket));
const problemOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof FormatProblem) return error.message;
    throw error;
  }
  return "";
};
const subpacket = (kind: number, bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length + 1, kind]), bytes]);

describe("an OpenPGP key", () => {
  test("is read with its addresses and capabilities", () => {
    const maker = new Maker();
    const { primary, emails, subkeys } = readCertificateBytes(bytesOf(maker.packets("Ann (work) <Ann@Example.com>")));
    expect({ emails, subkeys }).toEqual({ emails: ["Ann@Example.com"], subkeys: [] });
    expect(primary).toMatchObject({ canSign: true, canCertify: true, canEncryptComms: false, expiresMs: null, revocation: undefined });
    expect(primary.packet.fingerprint).toMatch(/^[0-9A-F]{40}$/);
  });

  test("accepts any user id, and takes an address only if there is one", () => {
    const emailsOf = (userId: string) => readCertificateBytes(bytesOf(new Maker().packets(userId))).emails;
    expect(emailsOf("ann@example.com")).toEqual(["ann@example.com"]);
    expect(emailsOf("Ann Author")).toEqual([]);
    expect(emailsOf("<a@b.example> <evil\n@x.example>")).toEqual([]);
    expect(emailsOf("\0<c@d.example>")).toEqual(["c@d.example"]);
  });

  test("ignores a user id that the key did not sign", () => {
    const [key, id, ...rest] = new Maker().packets("Ann <ann@example.com>");
    const stolen = new Maker().packets("Victor <victor@example.com>").slice(1);
    const { emails, bytes } = readCertificateBytes(bytesOf([key as Packet, id as Packet, ...rest, ...stolen]));
    expect(emails).toEqual(["ann@example.com"]);
    expect(bytes.toString("latin1")).not.toContain("victor");
    expect(problemOf(() => readCertificateBytes(bytesOf([key as Packet, ...stolen])))).toBe("it contains no signature by the key itself");
    expect(problemOf(() => readCertificateBytes(bytesOf([key as Packet])))).toBe("it contains no signature by the key itself");
  });

  test("ignores a signing subkey without its cross-signature", () => {
    const [owner, thief] = [new Maker(), new Maker()];
    const material = Buffer.concat([keyMaterial(thief.body), keyMaterial(owner.body)]);
    const flags = subpacket(27, Buffer.from([2]));
    const subkey = { tag: packetTags.publicSubkey, body: owner.body };
    const withBinding = (...more: Buffer[]) =>
      readCertificateBytes(
        bytesOf([...thief.packets("Thief <thief@example.com>"), subkey, { tag: packetTags.signature, body: thief.sign(0x18, material, [flags, ...more]) }]),
      ).subkeys[0];
    expect(withBinding()?.canSign).toBe(false);
    expect(withBinding(subpacket(32, thief.sign(0x19, material)))?.canSign).toBe(false);
    expect(withBinding(subpacket(32, owner.sign(0x18, material)))?.canSign).toBe(false);
    expect(withBinding(subpacket(32, owner.sign(0x19, material)))?.canSign).toBe(true);
  });

  test("drops third-party signatures, however many there are", () => {
    const maker = new Maker();
    const other = new Maker();
    const packets = maker.packets("Ann <ann@example.com>");
    const flood = Array.from({ length: 2_000 }, () => ({ tag: packetTags.signature, body: other.sign(0x10, maker.body) }));
    const { bytes } = readCertificateBytes(bytesOf([...packets, ...flood]));
    expect(bytes).toEqual(bytesOf(packets));
  });

  test("expires as stated and is revoked only by itself", () => {
    const [maker, other] = [new Maker(), new Maker()];
    const packets = maker.packets("Ann <ann@example.com>");
    const material = keyMaterial(maker.body);
    const read = (...signatures: Buffer[]) =>
      readCertificateBytes(bytesOf([packets[0] as Packet, ...signatures.map((body) => ({ tag: packetTags.signature, body })), ...packets.slice(1)])).primary;
    expect(read(maker.sign(0x1f, material, [subpacket(9, uint32(86_400))])).expiresMs).toBe(1_700_086_400_000);
    expect(read(other.sign(0x20, material)).revocation).toBeUndefined();
    expect(read(maker.sign(0x20, material)).revocation).toEqual({ atMs: 1_700_000_001_000, isSoft: false });
    const retired = maker.sign(0x20, material, [subpacket(29, Buffer.from([3]))]);
    expect(read(retired).revocation).toEqual({ atMs: 1_700_000_001_000, isSoft: true });
    expect(read(retired, maker.sign(0x20, material)).revocation?.isSoft).toBe(false);
  });

  test("ignores signatures with unknown critical subpackets", () => {
    const maker = new Maker();
    const packets = maker.packets("Ann <ann@example.com>");
    const critical = maker.sign(0x20, keyMaterial(maker.body), [subpacket(0x80 | 99, Buffer.from([1]))]);
    expect(readCertificateBytes(bytesOf([packets[0] as Packet, { tag: 2, body: critical }, ...packets.slice(1)])).primary.revocation).toBeUndefined();
  });

  test("is exported without user ids when the owner hides their addresses", () => {
    const bytes = bytesOf(new Maker().packets("Ann <ann@example.com>"));
    expect(withoutUserIds(bytes)).toEqual(bytesOf(readPackets(bytes).slice(0, 1)));
  });
});

describe("invalid keys are rejected with a reason", () => {
  const armored = (bytes: Buffer): string => writeArmor(bytes, "PGP PUBLIC KEY BLOCK");
  const good = new Maker().packets("Ann <ann@example.com>");
  test.each<readonly [string, string, RegExp]>([
    ["no armor", "nonsense", /no armored block/],
    ["an armor without an end", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA", /has no end/],
    ["no base64", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n!!!!\n-----END PGP PUBLIC KEY BLOCK-----", /not base64/],
    ["an empty armor", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n-----END PGP PUBLIC KEY BLOCK-----", /not base64/],
    ["too much", "x".repeat(600 * 1024), /too long/],
    ["a private key", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nAAAA\n-----END PGP PRIVATE KEY BLOCK-----", /private key/],
    ["a private key under another name", armored(bytesOf([{ tag: 5, body: Buffer.alloc(40) }])), /private key/],
    ["two keys", armored(bytesOf([...good, ...new Maker().packets("Bob <bob@example.com>")])), /more than one key/],
    ["a signature alone", armored(bytesOf(good.slice(2))), /does not begin/],
    ["a length beyond the end", armored(Buffer.from([0xc6, 0xff, 0xff, 0xff, 0xff, 0xff, 4])), /ends too early/],
    ["a packet without a length", armored(Buffer.from([0xc6, 0xe1, 4])), /no length/],
    ["another version", armored(bytesOf([{ tag: 6, body: Buffer.from([6, 0, 0, 0, 0, 27]) }])), /version 6/],
    [
      "a short RSA key",
      armored(bytesOf([{ tag: 6, body: Buffer.concat([Buffer.from([4, 0, 0, 0, 0, 1, 4, 0]), Buffer.alloc(128, 0xff), Buffer.from([0, 17, 1, 0, 1])]) }])),
      /algorithm, curve or size/,
    ],
    [
      "a huge number",
      armored(
        bytesOf([{ tag: 6, body: Buffer.concat([Buffer.from([4, 0, 0, 0, 0, 1, 0xff, 0xff]), Buffer.alloc(8192, 0xff), Buffer.from([0, 17, 1, 0, 1])]) }]),
      ),
      /algorithm, curve or size/,
    ],
    ["too many user ids", armored(bytesOf([...good, ...Array.from({ length: 200 }, () => good[1] as Packet)])), /too many user ids/],
  ])("%s", (_what, text, reason) => {
    expect(problemOf(() => readCertificate(text))).toMatch(reason);
  });

  test("rejects too many invalid self-signatures", () => {
    const maker = new Maker();
    const [key, id] = maker.packets("Ann <ann@example.com>");
    const forged = Array.from({ length: 400 }, () => ({ tag: packetTags.signature, body: maker.sign(0x13, randomBytes(4)) }));
    expect(problemOf(() => readCertificateBytes(bytesOf([key as Packet, id as Packet, ...forged])))).toMatch(/too many signatures/);
  });

  test.each([
    ["RSA with 4,096 bits", { bits: 4_096, exponent: "010001" }, 350],
    ["RSA with 16,384 bits", { bits: 16_384, exponent: "010001" }, 20],
    ["RSA with 16,384 bits and a long exponent", { bits: 16_384, exponent: "ffffffffffffffff" }, 3],
    ["P-521", "P-521", 20],
    ["Ed25519", "ed25519", 150],
  ] as const)("allows fewer signatures of its own the slower its algorithm is to verify: %s", (_what, algorithm, least) => {
    const verifier = typeof algorithm === "object" ? rsaKey(algorithm.bits, algorithm.exponent) : publicKeyOn(algorithm);
    const allowed = 25_000 / verificationUs({ verifier });
    expect(allowed).toBeGreaterThanOrEqual(least);
    expect(allowed).toBeLessThan(least * 1.5);
  });

  test("parses or rejects any bytes with a reason", () => {
    const bytes = bytesOf(good);
    const length = fc.oneof({ weight: 2, arbitrary: fc.constant(bytes.length) }, fc.nat(bytes.length - 1));
    const flips = fc.array(fc.record({ at: fc.nat(bytes.length - 1), to: fc.nat(255) }), { minLength: 3, maxLength: 3 });
    // As hex, so that a failure prints the bytes: the keys differ in each run.
    const damaged = fc.record({ length, flips }).map((damage) => {
      const broken = Buffer.from(bytes.subarray(0, damage.length));
      for (const { at, to } of damage.flips) if (at < broken.length) broken[at] = to;
      return broken.toString("hex");
    });
    fc.assert(
      fc.property(damaged, (hex) => {
        const broken = Buffer.from(hex, "hex");
        // Anything but a FormatProblem is rethrown and fails the test.
        problemOf(() => readCertificateBytes(broken));
        problemOf(() => readDetachedSignature(broken));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe.skipIf(!hasGpg)(`keys and signatures of gpg${hasGpg ? "" : " (skipped: it is not installed)"}`, () => {
  let keyring: Keyring;
  beforeAll(async () => {
    keyring = await openKeyring();
  });
  afterAll(() => keyring[Symbol.asyncDispose]());

  test.each(["ed25519", "nistp256", "nistp384", "nistp521", "rsa2048", "rsa3072"])("%s", async (algorithm) => {
    const fingerprint = await keyring.generate(`Ann <${algorithm}@example.com>`, { algorithm, expires: "2y" });
    const { primary, emails, bytes } = readCertificate(await keyring.export(fingerprint));
    expect(primary.packet.fingerprint).toBe(fingerprint);
    expect(emails).toEqual([`${algorithm}@example.com`]);
    expect((primary.expiresMs ?? 0) - primary.packet.createdMs).toBe(2 * 365 * 86_400_000);
    expect(readCertificateBytes(bytes).primary.packet.fingerprint).toBe(fingerprint);
    // gpg signs with a curve over a digest of at least the same width.
    const tooNarrow = { nistp384: 1, nistp521: 2 }[algorithm] ?? 0;
    for (const [count, digest] of ["SHA256", "SHA384", "SHA512"].slice(tooNarrow).entries()) {
      const text = `text ${count}\n`;
      const signature = readDetachedSignature(readArmor(await keyring.sign(fingerprint, text, "--digest-algo", digest), ["PGP SIGNATURE"]));
      expect(signature.issuerFingerprint).toBe(fingerprint);
      expect(isSignedBy(signature, primary.packet, Buffer.from(text))).toBe(true);
      expect(isSignedBy(signature, primary.packet, Buffer.from(`${text} `))).toBe(false);
    }
  });

  test("reads a signing subkey, an encryption subkey and a revoked user id", async () => {
    const fingerprint = await keyring.generate("Sub <sub@example.com>");
    await keyring.gpg("--quick-add-key", fingerprint, "ed25519", "sign", "1y");
    await keyring.gpg("--quick-add-key", fingerprint, "cv25519", "encr", "1y");
    await keyring.gpg("--quick-add-uid", fingerprint, "Old <old@example.com>");
    await keyring.gpg("--quick-revoke-uid", fingerprint, "Old <old@example.com>");
    const { subkeys, emails } = readCertificate(await keyring.export(fingerprint));
    expect(emails).toEqual(["sub@example.com"]);
    expect(subkeys.map(({ canSign, canEncryptComms, canEncryptStorage, canCertify }) => [canSign, canEncryptComms, canEncryptStorage, canCertify])).toEqual([
      [true, false, false, false],
      [false, true, true, false],
    ]);
    // gpg signs with the newest capable subkey.
    const signature = readDetachedSignature(readArmor(await keyring.sign(fingerprint, "x"), ["PGP SIGNATURE"]));
    expect(subkeys.map(({ packet }) => isSignedBy(signature, packet, Buffer.from("x")))).toEqual([true, false]);
  });
});
