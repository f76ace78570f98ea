import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { readArmor, writeArmor } from "./openpgp/armor.ts";
import { ByteReader, FormatProblem, padded, uint32 } from "./openpgp/bytes.ts";

/** A signature made by an SSH key (OpenSSH, PROTOCOL.sshsig). */
export interface SshSignature {
  /** `SHA256:` and the digest of the key named in the signature. */
  readonly fingerprint: string;
  readonly namespace: string;
  /** Whether that key signed some bytes. */
  isOver(data: Buffer): boolean;
}

/** @throws FormatProblem for an invalid signature or an unsupported type of key */
export function readSshSignature(text: string): SshSignature {
  const reader = new ByteReader(readArmor(text, ["SSH SIGNATURE"]));
  if (reader.take(6).toString("latin1") !== "SSHSIG" || reader.uint(4) !== 1) throw new FormatProblem("it is not a signature of version 1");
  const blob = field(reader);
  const namespace = field(reader).toString("utf8");
  const reserved = field(reader);
  const digest = field(reader).toString("latin1");
  const made = field(reader);
  if (!reader.isAtEnd) throw new FormatProblem("there is extra data after the signature");
  if (digest !== "sha512" && digest !== "sha256") throw new FormatProblem("its digest is not supported");
  const algorithm = field(new ByteReader(made)).toString("latin1");
  if (!Object.hasOwn(checks, algorithm)) throw new FormatProblem("its algorithm is not supported");
  return {
    fingerprint: `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`,
    namespace,
    isOver(data) {
      const hash = createHash(digest).update(data).digest();
      const signed = Buffer.concat([Buffer.from("SSHSIG"), ...[Buffer.from(namespace), reserved, Buffer.from(digest), hash].map(written)]);
      return isSignedBy(blob, made, signed);
    },
  };
}

/**
 * Whether a key signed some bytes.
 * @param blob the key in SSH's encoding (RFC 4253 6.6)
 * @param made the signature in SSH's encoding: the algorithm's name, its bytes and, for a security key, its flags and counter
 */
export function isSignedBy(blob: Buffer, made: Buffer, signed: Buffer): boolean {
  try {
    const reader = new ByteReader(made);
    const algorithm = field(reader).toString("latin1");
    const check = Object.hasOwn(checks, algorithm) ? checks[algorithm] : undefined;
    return check?.(readKey(blob), reader, signed) === true;
  } catch (error) {
    if (error instanceof FormatProblem) return false;
    throw error;
  }
}

/**
 * Signs bytes for git, as `ssh-keygen -Y sign -n git` does.
 * @param key Ed25519
 * @param blob its public half, decoded from base64
 */
export function signForGit(key: KeyObject, blob: Buffer, data: Buffer): string {
  const about = [Buffer.from("git"), Buffer.alloc(0), Buffer.from("sha512")];
  const signed = Buffer.concat([Buffer.from("SSHSIG"), ...[...about, createHash("sha512").update(data).digest()].map(written)]);
  const made = Buffer.concat([Buffer.from("ssh-ed25519"), sign(null, signed, key)].map(written));
  return writeArmor(Buffer.concat([Buffer.from("SSHSIG"), uint32(1), ...[blob, ...about, made].map(written)]), "SSH SIGNATURE");
}

const field = (reader: ByteReader): Buffer => reader.take(reader.uint(4));
const written = (bytes: Buffer): Buffer => Buffer.concat([uint32(bytes.length), bytes]);

interface Key {
  readonly algorithm: string;
  readonly verifier: KeyObject;
  /** Set for security keys. */
  readonly application: Buffer | undefined;
}

type Check = (key: Key, signature: ByteReader, signed: Buffer) => boolean;

/** By signature algorithm. Plain `ssh-rsa` signs over SHA-1 and is not accepted. */
const checks: Readonly<Record<string, Check>> = {
  "ssh-ed25519": edwards("ssh-ed25519"),
  "rsa-sha2-256": rsa("sha256"),
  "rsa-sha2-512": rsa("sha512"),
  "ecdsa-sha2-nistp256": elliptic("ecdsa-sha2-nistp256", "sha256", 32),
  "ecdsa-sha2-nistp384": elliptic("ecdsa-sha2-nistp384", "sha384", 48),
  "ecdsa-sha2-nistp521": elliptic("ecdsa-sha2-nistp521", "sha512", 66),
  "sk-ssh-ed25519@openssh.com": onDevice(edwards("sk-ssh-ed25519@openssh.com")),
  "sk-ecdsa-sha2-nistp256@openssh.com": onDevice(elliptic("sk-ecdsa-sha2-nistp256@openssh.com", "sha256", 32)),
};

function edwards(algorithm: string): Check {
  return (key, signature, signed) => key.algorithm === algorithm && verify(null, signed, key.verifier, field(signature));
}

function rsa(digest: "sha256" | "sha512"): Check {
  return (key, signature, signed) => key.algorithm === "ssh-rsa" && verify(digest, signed, key.verifier, field(signature));
}

function elliptic(algorithm: string, digest: "sha256" | "sha384" | "sha512", width: number): Check {
  return (key, signature, signed) => {
    const numbers = new ByteReader(field(signature));
    const [r, s] = [mpint(numbers, width), mpint(numbers, width)];
    if (key.algorithm !== algorithm || r === undefined || s === undefined) return false;
    return verify(digest, signed, { key: key.verifier, dsaEncoding: "ieee-p1363" }, Buffer.concat([r, s]));
  };
}

/** A security key signs the data together with a flag for the user's touch (OpenSSH, PROTOCOL.u2f). */
function onDevice(check: Check): Check {
  return (key, signature, signed) => {
    const made = field(signature);
    const flags = signature.uint(1);
    const counter = signature.uint(4);
    if (key.application === undefined || (flags & 1) === 0) return false;
    const sha256 = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest();
    const asserted = Buffer.concat([sha256(key.application), Buffer.from([flags]), uint32(counter), sha256(signed)]);
    return check(key, new ByteReader(written(made)), asserted);
  };
}

/** An mpint (RFC 4251) padded to its full width. */
function mpint(reader: ByteReader, width: number): Buffer | undefined {
  const bytes = field(reader);
  return padded(bytes[0] === 0 ? bytes.subarray(1) : bytes, width);
}

/** @throws FormatProblem */
function readKey(blob: Buffer): Key {
  const reader = new ByteReader(blob);
  const algorithm = field(reader).toString("latin1");
  const jwk = readJwk(algorithm, reader);
  const application = algorithm.startsWith("sk-") ? field(reader) : undefined;
  if (jwk === undefined || !reader.isAtEnd) throw new FormatProblem("its key is not supported");
  try {
    return { algorithm, verifier: createPublicKey({ format: "jwk", key: jwk }), application };
  } catch (cause) {
    throw new FormatProblem("its key is invalid", { cause });
  }
}

function readJwk(algorithm: string, reader: ByteReader): JsonWebKey | undefined {
  switch (algorithm) {
    case "ssh-ed25519":
    case "sk-ssh-ed25519@openssh.com":
      return { kty: "OKP", crv: "Ed25519", x: field(reader).toString("base64url") };
    case "ssh-rsa": {
      const [e, n] = [field(reader), field(reader)].map((number) => number.subarray(number[0] === 0 ? 1 : 0).toString("base64url"));
      return { kty: "RSA", n, e } as JsonWebKey;
    }
    case "ecdsa-sha2-nistp256":
    case "ecdsa-sha2-nistp384":
    case "ecdsa-sha2-nistp521":
    case "sk-ecdsa-sha2-nistp256@openssh.com": {
      const curve = { nistp256: "P-256", nistp384: "P-384", nistp521: "P-521" }[field(reader).toString("latin1")];
      const point = field(reader);
      const width = (point.length - 1) / 2;
      if (curve === undefined || point[0] !== 4) return undefined;
      return { kty: "EC", crv: curve, x: point.toString("base64url", 1, 1 + width), y: point.toString("base64url", 1 + width) };
    }
    default:
      return undefined;
  }
}
