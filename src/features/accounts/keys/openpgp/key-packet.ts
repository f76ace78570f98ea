import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { ByteReader, FormatProblem, uint16 } from "./bytes.ts";

/** Supported public-key algorithms (RFC 9580 9.1). Keys with others are listed, but their signatures are not verified. */
export const algorithms = {
  rsa: 1,
  rsaEncrypt: 2,
  rsaSign: 3,
  elGamal: 16,
  ecdh: 18,
  ecdsa: 19,
  eddsa: 22,
  x25519: 25,
  x448: 26,
  ed25519: 27,
  ed448: 28,
} as const;

const signing: ReadonlySet<number> = new Set([algorithms.rsa, algorithms.rsaSign, algorithms.ecdsa, algorithms.eddsa, algorithms.ed25519, algorithms.ed448]);
const encrypting: ReadonlySet<number> = new Set([
  algorithms.rsa,
  algorithms.rsaEncrypt,
  algorithms.elGamal,
  algorithms.ecdh,
  algorithms.x25519,
  algorithms.x448,
]);

export const signs = (algorithm: number): boolean => signing.has(algorithm);
export const encrypts = (algorithm: number): boolean => encrypting.has(algorithm);

/** A public key or subkey. */
export interface KeyPacket {
  /** The packet without its header. */
  readonly body: Buffer;
  readonly algorithm: number;
  readonly createdMs: number;
  /** 40 hex digits, upper case. */
  readonly fingerprint: string;
  /** The last 16 of them. */
  readonly keyId: string;
  /** Undefined if its signatures cannot be verified: an unsupported algorithm, or weak or invalid numbers. */
  readonly verifier: KeyObject | undefined;
}

/** Modulus sizes between which RSA is strong enough and cheap enough to verify. */
const rsaBits = { least: 2048, most: 16_384 };

/** Approximate time to verify one signature with a key, in microseconds. */
export function verificationUs({ verifier }: Pick<KeyPacket, "verifier">): number {
  const { modulusLength, publicExponent, namedCurve } = verifier?.asymmetricKeyDetails ?? {};
  if (modulusLength === undefined) return namedCurve === "secp521r1" ? 1_000 : namedCurve === "secp384r1" ? 460 : 150;
  // A multiplication for each bit of the exponent, and one more for each 1.
  const bits = (publicExponent ?? 65_537n).toString(2);
  return 3.5 * (modulusLength / 4_096) ** 2 * (bits.length + bits.replaceAll("0", "").length);
}

/** Curves by object identifier, with their names from RFC 7518. */
const curves: Readonly<Record<string, { readonly jwk: string; readonly bytes: number }>> = {
  "2a8648ce3d030107": { jwk: "P-256", bytes: 32 },
  "2b81040022": { jwk: "P-384", bytes: 48 },
  "2b81040023": { jwk: "P-521", bytes: 66 },
};
const ed25519Legacy = "2b06010401da470f01";

/** Reads the body of a key packet. @throws FormatProblem for versions other than 4, the one in common use */
export function readKeyPacket(body: Buffer): KeyPacket {
  const reader = new ByteReader(body);
  const version = reader.uint(1);
  if (version !== 4) throw new FormatProblem(`keys of version ${version} are not supported, only version 4`);
  const createdMs = reader.uint(4) * 1000;
  const algorithm = reader.uint(1);
  const digest = createHash("sha1").update(keyMaterial(body)).digest("hex").toUpperCase();
  return { body, algorithm, createdMs, fingerprint: digest, keyId: digest.slice(-16), verifier: readVerifier(algorithm, reader) };
}

/** The bytes that signatures about a key cover. */
export function keyMaterial(body: Buffer): Buffer {
  if (body.length > 0xffff) throw new FormatProblem("a key is too long");
  return Buffer.concat([Buffer.from([0x99]), uint16(body.length), body]);
}

function readVerifier(algorithm: number, reader: ByteReader): KeyObject | undefined {
  const jwk = readJwk(algorithm, reader);
  if (jwk === undefined || !reader.isAtEnd) return undefined;
  try {
    return createPublicKey({ format: "jwk", key: jwk });
  } catch {
    return undefined;
  }
}

function readJwk(algorithm: number, reader: ByteReader): JsonWebKey | undefined {
  switch (algorithm) {
    case algorithms.rsa:
    case algorithms.rsaSign:
      return rsaKey(reader.mpi(), reader.mpi());
    case algorithms.ecdsa: {
      const curve = curves[reader.take(reader.uint(1)).toString("hex")];
      const point = reader.mpi();
      if (curve === undefined || point[0] !== 4 || point.length !== 1 + 2 * curve.bytes) return undefined;
      const [x, y] = [point.subarray(1, 1 + curve.bytes), point.subarray(1 + curve.bytes)];
      return { kty: "EC", crv: curve.jwk, x: x.toString("base64url"), y: y.toString("base64url") };
    }
    case algorithms.eddsa: {
      const curve = reader.take(reader.uint(1)).toString("hex");
      const point = reader.mpi();
      return curve === ed25519Legacy && point[0] === 0x40 && point.length === 33 ? edwardsKey("Ed25519", point.subarray(1)) : undefined;
    }
    case algorithms.ed25519:
      return edwardsKey("Ed25519", reader.take(32));
    case algorithms.ed448:
      return edwardsKey("Ed448", reader.take(57));
    default:
      return undefined;
  }
}

const edwardsKey = (curve: "Ed25519" | "Ed448", point: Buffer): JsonWebKey => ({ kty: "OKP", crv: curve, x: point.toString("base64url") });

function rsaKey(modulus: Buffer, exponent: Buffer): JsonWebKey | undefined {
  const bits = modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24;
  if (bits < rsaBits.least || bits > rsaBits.most || exponent.length > 8) return undefined;
  return { kty: "RSA", n: modulus.toString("base64url"), e: exponent.toString("base64url") };
}
