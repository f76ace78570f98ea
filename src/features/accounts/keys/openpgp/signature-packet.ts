import { createHash, verify } from "node:crypto";
import { ByteReader, FormatProblem, padded, uint32 } from "./bytes.ts";
import { algorithms, type KeyPacket } from "./key-packet.ts";
import { packetTags, readPackets } from "./packets.ts";

/** Signature types (RFC 9580 5.2.1). */
export const signatureTypes = {
  binary: 0x00,
  certifications: [0x10, 0x11, 0x12, 0x13],
  subkeyBinding: 0x18,
  primaryBinding: 0x19,
  directKey: 0x1f,
  keyRevocation: 0x20,
  subkeyRevocation: 0x28,
  certificationRevocation: 0x30,
} as const;

export interface SignaturePacket {
  readonly body: Buffer;
  readonly type: number;
  readonly algorithm: number;
  /** Undefined for an unsupported digest. */
  readonly digest: Digest | undefined;
  readonly createdMs: number;
  /** Expiry of the signature itself. */
  readonly expiresMs: number | null;
  /** Lifetime of the certified key in milliseconds; null: unlimited. */
  readonly keyLifetimeMs: number | null;
  /** Bits of RFC 9580 5.2.3.29; undefined if absent. */
  readonly keyFlags: number | undefined;
  readonly isRevocationSoft: boolean;
  /** 16 hex digits, upper case; empty if absent. */
  readonly issuerKeyId: string;
  /** The whole fingerprint; empty if absent. */
  readonly issuerFingerprint: string;
  /** The cross-signature of a subkey. */
  readonly embedded: Buffer | undefined;
  /** It has an unknown critical subpacket. */
  readonly isBeyondUs: boolean;
  /** The bytes of the packet that the signature covers. */
  readonly hashed: Buffer;
  /** The first two bytes of the digest, a cheap check before the signature is verified. */
  readonly left16: Buffer;
  readonly numbers: Buffer;
}

export type Digest = "sha1" | "sha256" | "sha384" | "sha512" | "sha224" | "sha3-256" | "sha3-512";
const digests: Readonly<Record<number, Digest>> = { 2: "sha1", 8: "sha256", 9: "sha384", 10: "sha512", 11: "sha224", 12: "sha3-256", 14: "sha3-512" };

/** Superseded and retired keys stay valid for earlier signatures. Any other reason, or none, invalidates all of them. */
const softReasons: ReadonlySet<number> = new Set([1, 3]);

const subpackets = {
  created: 2,
  expires: 3,
  keyExpires: 9,
  issuer: 16,
  primaryUserId: 25,
  keyFlags: 27,
  reason: 29,
  embedded: 32,
  issuerFingerprint: 33,
} as const;
/** Subpackets that are understood or irrelevant here: preferences, notations, key servers, policies, features. */
const harmless: ReadonlySet<number> = new Set([4, 7, 11, 20, 21, 22, 23, 24, 26, 28, 30, 34, 35, 39, ...Object.values(subpackets)]);

/** Reads the body of a signature packet. @throws FormatProblem, also for versions other than 4 */
export function readSignaturePacket(body: Buffer): SignaturePacket {
  const reader = new ByteReader(body);
  const version = reader.uint(1);
  if (version !== 4) throw new FormatProblem(`signatures of version ${version} are not supported`);
  const [type, algorithm, digest] = [reader.uint(1), reader.uint(1), reader.uint(1)];
  const hashedFields = readSubpackets(reader.take(reader.uint(2)));
  const hashed = body.subarray(0, reader.position);
  const unhashedFields = readSubpackets(reader.take(reader.uint(2)));
  const left16 = reader.take(2);
  const { fields } = hashedFields;
  const createdMs = seconds(fields.get(subpackets.created)) ?? Number.NaN;
  const lifetimeMs = seconds(fields.get(subpackets.expires)) ?? 0;
  const hint = (kind: number): Buffer | undefined => fields.get(kind) ?? unhashedFields.fields.get(kind);
  // The first byte of a fingerprint is its version.
  const fingerprint = hint(subpackets.issuerFingerprint)?.subarray(1).toString("hex").toUpperCase() ?? "";
  return {
    body,
    type,
    algorithm,
    digest: digests[digest],
    createdMs,
    expiresMs: lifetimeMs === 0 ? null : createdMs + lifetimeMs,
    keyLifetimeMs: seconds(fields.get(subpackets.keyExpires)) || null,
    keyFlags: fields.get(subpackets.keyFlags)?.[0],
    isRevocationSoft: softReasons.has(fields.get(subpackets.reason)?.[0] ?? 0),
    issuerKeyId: hint(subpackets.issuer)?.toString("hex").toUpperCase() ?? fingerprint.slice(-16),
    issuerFingerprint: fingerprint,
    embedded: hint(subpackets.embedded),
    isBeyondUs: hashedFields.isBeyondUs || Number.isNaN(createdMs),
    hashed,
    left16,
    numbers: reader.rest(),
  };
}

const seconds = (field: Buffer | undefined): number | undefined => (field?.length === 4 ? field.readUInt32BE() * 1000 : undefined);

function readSubpackets(bytes: Buffer): { readonly fields: ReadonlyMap<number, Buffer>; readonly isBeyondUs: boolean } {
  const fields = new Map<number, Buffer>();
  let isBeyondUs = false;
  const reader = new ByteReader(bytes);
  while (!reader.isAtEnd) {
    const first = reader.uint(1);
    const length = first < 192 ? first : first < 255 ? ((first - 192) << 8) + reader.uint(1) + 192 : reader.uint(4);
    if (length === 0) throw new FormatProblem("a part of a signature has no type");
    const head = reader.uint(1);
    const kind = head & 0x7f;
    const field = reader.take(length - 1);
    if ((head & 0x80) !== 0 && !harmless.has(kind)) isBeyondUs = true;
    if (!fields.has(kind)) fields.set(kind, field);
  }
  return { fields, isBeyondUs };
}

/**
 * The only signature of a detached signature.
 * @throws FormatProblem for none and for several, because it would be unclear which one counts
 */
export function readDetachedSignature(bytes: Buffer): SignaturePacket {
  const packets = readPackets(bytes).filter(({ tag }) => tag !== packetTags.marker);
  const [packet] = packets;
  if (packet === undefined || packets.length > 1 || packet.tag !== packetTags.signature) throw new FormatProblem("it is not one signature");
  return readSignaturePacket(packet.body);
}

/** Whether a key made a signature over some bytes. The caller decides whether the signature is valid. */
export function isSignedBy(signature: SignaturePacket, key: KeyPacket, data: Buffer): boolean {
  const { digest, hashed } = signature;
  if (digest === undefined || key.verifier === undefined || key.algorithm !== signature.algorithm || signature.isBeyondUs) return false;
  const signed = Buffer.concat([data, hashed, Buffer.from([4, 0xff]), uint32(hashed.length)]);
  const hash = createHash(digest).update(signed).digest();
  if (!hash.subarray(0, 2).equals(signature.left16)) return false;
  try {
    const reader = new ByteReader(signature.numbers);
    switch (key.algorithm) {
      case algorithms.rsa:
      case algorithms.rsaSign: {
        const number = padded(reader.mpi(), Math.ceil((key.verifier.asymmetricKeyDetails?.modulusLength ?? 0) / 8));
        return number !== undefined && verify(digest, signed, key.verifier, number);
      }
      case algorithms.ecdsa: {
        const width = curveBytes[key.verifier.asymmetricKeyDetails?.namedCurve ?? ""] ?? 0;
        const numbers = pair(reader, width);
        return numbers !== undefined && verify(digest, signed, { key: key.verifier, dsaEncoding: "ieee-p1363" }, numbers);
      }
      case algorithms.eddsa: {
        const numbers = pair(reader, 32);
        return numbers !== undefined && verify(null, hash, key.verifier, numbers);
      }
      default:
        return verify(null, hash, key.verifier, signature.numbers);
    }
  } catch (error) {
    if (error instanceof FormatProblem) return false;
    throw error;
  }
}

const curveBytes: Readonly<Record<string, number>> = { prime256v1: 32, secp384r1: 48, secp521r1: 66 };

function pair(reader: ByteReader, width: number): Buffer | undefined {
  const [r, s] = [padded(reader.mpi(), width), padded(reader.mpi(), width)];
  return r && s && Buffer.concat([r, s]);
}
