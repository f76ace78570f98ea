import { isValidEmail } from "../../../../core/names.ts";
import { readArmor } from "./armor.ts";
import { FormatProblem, uint32 } from "./bytes.ts";
import { encrypts, type KeyPacket, keyMaterial, readKeyPacket, signs, verificationUs } from "./key-packet.ts";
import { type Packet, packetTags, readPackets, writePacket } from "./packets.ts";
import { isSignedBy, readSignaturePacket, type SignaturePacket, signatureTypes } from "./signature-packet.ts";

/** A key or subkey with the data from its self-signatures. */
export interface CertifiedKey {
  readonly packet: KeyPacket;
  readonly canSign: boolean;
  readonly canCertify: boolean;
  readonly canEncryptComms: boolean;
  readonly canEncryptStorage: boolean;
  readonly expiresMs: number | null;
  readonly revocation: Revocation | undefined;
}

export interface Revocation {
  readonly atMs: number;
  /** Earlier signatures of the key stay valid. */
  readonly isSoft: boolean;
}

/** A transferable public key (RFC 9580 10.1), reduced to the parts that the key itself has signed. */
export interface Certificate {
  readonly primary: CertifiedKey;
  readonly subkeys: readonly CertifiedKey[];
  /** Addresses of valid user ids, as written. */
  readonly emails: readonly string[];
  /** The packets that are kept: key, self-signatures, user ids, subkeys. */
  readonly bytes: Buffer;
}

/** Enough for keys with hundreds of third-party signatures. */
const maxTextLength = 512 * 1024;
/** More than any real key has; each part may cost a signature verification. */
const maxParts = 100;
/** Maximum time for all verifications of a key, which run on the event loop: 160 signatures of Ed25519, 370 of RSA with 4,096 bits, 25 of P-521. */
const maxVerificationUs = 25_000;

const flags = { certify: 1, sign: 2, encryptComms: 4, encryptStorage: 8 };

/**
 * Reads one armored public key. Third-party signatures are dropped unread, so that other people cannot inflate a key.
 * @throws FormatProblem
 */
export function readCertificate(text: string): Certificate {
  if (text.length > maxTextLength) throw new FormatProblem("it is too long");
  if (text.includes("-----BEGIN PGP PRIVATE KEY BLOCK-----")) throw new FormatProblem("it is a private key: never share it, add the public key");
  return readCertificateBytes(readArmor(text, ["PGP PUBLIC KEY BLOCK"]));
}

/** A part of a key with the signatures that follow it. */
interface Part extends Packet {
  readonly signatures: SignaturePacket[];
}

/** Reads a key from its packets. @throws FormatProblem */
export function readCertificateBytes(bytes: Buffer): Certificate {
  const [first, ...rest] = readParts(readPackets(bytes));
  if (first === undefined || first.tag !== packetTags.publicKey) throw new FormatProblem("it does not begin with a public key");
  if (rest.some(({ tag }) => tag === packetTags.publicKey)) throw new FormatProblem("it contains more than one key");
  const primary = readKeyPacket(first.body);
  if (primary.verifier === undefined) throw new FormatProblem("its algorithm, curve or size is not supported");
  const verifies = createVerifier();
  const check = createCheck(primary, verifies);

  const kept: Packet[] = [{ tag: packetTags.publicKey, body: primary.body }];
  const keep = (...signatures: readonly (SignaturePacket | undefined)[]): void => {
    for (const signature of signatures) if (signature !== undefined) kept.push({ tag: packetTags.signature, body: signature.body });
  };

  const own = keyMaterial(primary.body);
  const direct = check(first, [signatureTypes.directKey], own);
  const revoked = check(first, [signatureTypes.keyRevocation], own);
  keep(direct, revoked);

  const emails: string[] = [];
  let latest = direct;
  for (const part of rest.filter(({ tag }) => tag === packetTags.userId)) {
    const material = Buffer.concat([own, Buffer.from([0xb4]), uint32(part.body.length), part.body]);
    const certification = check(part, signatureTypes.certifications, material);
    if (certification === undefined) continue;
    const revocation = check(part, [signatureTypes.certificationRevocation], material);
    kept.push(part);
    keep(certification, revocation);
    if (latest === undefined || certification.createdMs > latest.createdMs) latest = certification;
    const isWithdrawn = certification.expiresMs !== null || (revocation !== undefined && revocation.createdMs >= certification.createdMs);
    if (isWithdrawn) continue;
    const email = emailOf(part.body.toString("utf8"));
    if (email !== undefined) emails.push(email);
  }
  if (latest === undefined) throw new FormatProblem("it contains no signature by the key itself");

  const subkeys: CertifiedKey[] = [];
  for (const part of rest.filter(({ tag }) => tag === packetTags.publicSubkey)) {
    const packet = readSubkey(part.body);
    if (packet === undefined) continue;
    const material = Buffer.concat([own, keyMaterial(packet.body)]);
    const binding = check(part, [signatureTypes.subkeyBinding], material);
    if (binding === undefined) continue;
    const revocation = check(part, [signatureTypes.subkeyRevocation], material);
    kept.push(part);
    keep(binding, revocation);
    const subkey = certify(packet, binding, revocation);
    // A signing subkey must confirm its primary key. Otherwise another key could claim its signatures.
    subkeys.push({ ...subkey, canCertify: false, canSign: subkey.canSign && isConfirmed(binding, (signature) => verifies(signature, packet, material)) });
  }
  return { primary: certify(primary, latest, revoked), subkeys, emails, bytes: Buffer.concat(kept.map(writePacket)) };
}

function readParts(packets: readonly Packet[]): Part[] {
  const parts: Part[] = [];
  for (const packet of packets) {
    switch (packet.tag) {
      case packetTags.secretKey:
      case packetTags.secretSubkey:
        throw new FormatProblem("it is a private key: never share it, add the public key");
      case packetTags.publicKey:
      case packetTags.publicSubkey:
      case packetTags.userId:
      case packetTags.userAttribute:
        parts.push({ ...packet, signatures: [] });
        break;
      case packetTags.signature: {
        const signature = tolerate(() => readSignaturePacket(packet.body));
        if (signature !== undefined) parts.at(-1)?.signatures.push(signature);
        break;
      }
    }
    if (parts.length > maxParts) throw new FormatProblem("it has too many user ids or subkeys");
  }
  return parts;
}

/** Outdated and unknown parts are skipped; the rest stays valid. */
function tolerate<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatProblem) return undefined;
    throw error;
  }
}

const readSubkey = (body: Buffer): KeyPacket | undefined => tolerate(() => readKeyPacket(body));

/**
 * The newest valid self-signature of some types over some bytes. A hard revocation takes precedence over soft ones, which leave
 * earlier signatures valid.
 */
type Check = (part: Part, types: readonly number[], material: Buffer) => SignaturePacket | undefined;

type Verifies = (signature: SignaturePacket, key: KeyPacket, material: Buffer) => boolean;

/** Verifies signatures until their estimated time exceeds {@link maxVerificationUs}. */
function createVerifier(): Verifies {
  let leftUs = maxVerificationUs;
  return (signature, key, material) => {
    leftUs -= verificationUs(key);
    if (leftUs < 0) throw new FormatProblem("it has too many signatures of its own");
    return isSignedBy(signature, key, material);
  };
}

function createCheck(primary: KeyPacket, verifies: Verifies): Check {
  return (part, types, material) => {
    const candidates = part.signatures
      .filter(({ type, issuerKeyId }) => types.includes(type) && issuerKeyId === primary.keyId)
      .sort((one, other) => Number(one.isRevocationSoft) - Number(other.isRevocationSoft) || other.createdMs - one.createdMs);
    return candidates.find((signature) => verifies(signature, primary, material));
  };
}

function certify(packet: KeyPacket, word: SignaturePacket, revocation: SignaturePacket | undefined): CertifiedKey {
  const { keyFlags } = word;
  const may = (flag: number, byNature: boolean): boolean => byNature && (keyFlags === undefined || (keyFlags & flag) !== 0);
  return {
    packet,
    canSign: may(flags.sign, signs(packet.algorithm)),
    canCertify: may(flags.certify, signs(packet.algorithm)),
    canEncryptComms: may(flags.encryptComms, encrypts(packet.algorithm)),
    canEncryptStorage: may(flags.encryptStorage, encrypts(packet.algorithm)),
    expiresMs: earlier(word.keyLifetimeMs === null ? null : packet.createdMs + word.keyLifetimeMs, word.expiresMs),
    revocation: revocation && { atMs: revocation.createdMs, isSoft: revocation.isRevocationSoft },
  };
}

const earlier = (one: number | null, other: number | null): number | null => (one === null || other === null ? (one ?? other) : Math.min(one, other));

function isConfirmed({ embedded }: SignaturePacket, verifies: (signature: SignaturePacket) => boolean): boolean {
  const confirmation = embedded && tolerate(() => readSignaturePacket(embedded));
  return confirmation?.type === signatureTypes.primaryBinding && verifies(confirmation);
}

/** The address of `Name (comment) <address>`, or of a user id that is an address. */
function emailOf(userId: string): string | undefined {
  const email = /<([^<>]*)>\s*$/.exec(userId)?.[1] ?? userId;
  return isValidEmail(email.trim()) ? email.trim() : undefined;
}

/** The same key without its user ids. */
export function withoutUserIds(bytes: Buffer): Buffer {
  const kept: Packet[] = [];
  let isDropped = false;
  for (const packet of readPackets(bytes)) {
    if (packet.tag !== packetTags.signature) isDropped = packet.tag === packetTags.userId;
    if (!isDropped) kept.push(packet);
  }
  return Buffer.concat(kept.map(writePacket));
}
