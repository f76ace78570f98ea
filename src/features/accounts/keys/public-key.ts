import { createHash, createPublicKey } from "node:crypto";

/** A public key whose numbers have been validated. */
export interface ParsedKey {
  /** One line: algorithm, base64 and, if given, the comment. */
  readonly content: string;
  /** `SHA256:` and the digest, as ssh-keygen prints it. */
  readonly fingerprint: string;
}

/** Why a key is not usable; shown to the user. */
export class KeyProblem extends Error {}

/** The largest key in use, RSA with 16384 bits, has about 2800 characters. */
const maxLength = 8192;
const rsaBits = { least: 2048, most: 16_384 };
const curves = {
  nistp256: { jwk: "P-256", bytes: 32 },
  nistp384: { jwk: "P-384", bytes: 48 },
  nistp521: { jwk: "P-521", bytes: 66 },
} as const;
type Curve = keyof typeof curves;

const algorithms: Readonly<Record<string, (fields: FieldReader) => void>> = {
  "ssh-ed25519": readEdwards,
  "ecdsa-sha2-nistp256": (fields) => readElliptic(fields, "nistp256"),
  "ecdsa-sha2-nistp384": (fields) => readElliptic(fields, "nistp384"),
  "ecdsa-sha2-nistp521": (fields) => readElliptic(fields, "nistp521"),
  "ssh-rsa": readRsa,
  "sk-ssh-ed25519@openssh.com": (fields) => {
    readEdwards(fields);
    readApplication(fields);
  },
  "sk-ecdsa-sha2-nistp256@openssh.com": (fields) => {
    readElliptic(fields, "nistp256");
    readApplication(fields);
  },
};

/**
 * Reads a public key in the format of a `.pub` file (RFC 4253 6.6, RFC 5656 3.1, RFC 8709 4, OpenSSH's PROTOCOL.u2f), without
 * running ssh-keygen. Text before the algorithm, such as options of an authorized_keys file, is rejected.
 * @throws KeyProblem
 */
export function parsePublicKey(text: string): ParsedKey {
  const line = text.trim();
  if (line.length > maxLength) throw new KeyProblem("the key is too long");
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(line)) throw new KeyProblem("a key is one line of text");
  const [, algorithm = "", encoded = "", comment = ""] = /^(\S+)[ \t]+(\S+)(?:[ \t]+(.*))?$/s.exec(line) ?? [];
  if (!Object.hasOwn(algorithms, algorithm)) throw new KeyProblem("it must begin with the name of a supported algorithm");
  const blob = Buffer.from(encoded, "base64");
  // Only the canonical base64 is accepted: otherwise one key could be added twice.
  if (blob.toString("base64") !== encoded) throw new KeyProblem("its second part is not base64");
  const fields = new FieldReader(blob);
  if (fields.text() !== algorithm) throw new KeyProblem("its data is of another algorithm than its name");
  algorithms[algorithm]?.(fields);
  fields.end();
  return {
    content: comment === "" ? `${algorithm} ${encoded}` : `${algorithm} ${encoded} ${comment}`,
    fingerprint: fingerprintOf(blob),
  };
}

/** @param blob the decoded base64 of a key */
export const fingerprintOf = (blob: Uint8Array): string => `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;

/** The title and fingerprint in the row of a principal. They differ from those of keys, which are unique by both. */
export const titleOfPrincipal = (name: string): string => `principal ${name}`;

/** A key without its comment, which is often an address. */
export const withoutComment = (content: string): string => content.split(" ", 2).join(" ");

/** The fields of a key, each prefixed with a length of four bytes (RFC 4251 5). */
class FieldReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  bytes(): Buffer {
    const start = this.#at + 4;
    if (start > this.#bytes.length) throw new KeyProblem("it ends too early");
    const end = start + this.#bytes.readUInt32BE(this.#at);
    if (end > this.#bytes.length) throw new KeyProblem("it ends too early");
    this.#at = end;
    return this.#bytes.subarray(start, end);
  }

  text(): string {
    return this.bytes().toString("latin1");
  }

  /** A positive number, without leading zeros other than the one for the sign bit. */
  positive(): Buffer {
    const bytes = this.bytes();
    const [first = 0x80, second = 0] = bytes;
    if (first >= 0x80 || (first === 0 && second < 0x80)) throw new KeyProblem("one of its numbers is not encoded canonically");
    return first === 0 ? bytes.subarray(1) : bytes;
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new KeyProblem("there is extra data after the key");
  }
}

function readEdwards(fields: FieldReader): void {
  if (fields.bytes().length !== 32) throw new KeyProblem("an Ed25519 key has 32 bytes");
}

function readElliptic(fields: FieldReader, curve: Curve): void {
  const { jwk, bytes } = curves[curve];
  if (fields.text() !== curve) throw new KeyProblem("its data is of another curve than its name");
  const point = fields.bytes();
  if (point.length !== 1 + 2 * bytes || point[0] !== 4) throw new KeyProblem("its point is not encoded correctly");
  const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)].map((part) => part.toString("base64url"));
  try {
    createPublicKey({ format: "jwk", key: { kty: "EC", crv: jwk, x, y } as JsonWebKey });
  } catch (cause) {
    throw new KeyProblem("its point is not on the curve", { cause });
  }
}

function readRsa(fields: FieldReader): void {
  const exponent = fields.positive();
  const modulus = fields.positive();
  const bits = modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24;
  if (bits < rsaBits.least) throw new KeyProblem(`an RSA key has at least ${rsaBits.least} bits, and this one has ${bits}`);
  if (bits > rsaBits.most) throw new KeyProblem(`an RSA key has at most ${rsaBits.most} bits`);
  if (!isOdd(modulus) || !isOdd(exponent) || exponent.length > 8 || (exponent.length === 1 && (exponent[0] ?? 0) < 3)) {
    throw new KeyProblem("its numbers do not form an RSA key");
  }
}

const isOdd = (number: Buffer): boolean => ((number.at(-1) ?? 0) & 1) === 1;

/** The application of a security key: `ssh:` with an optional name. */
function readApplication(fields: FieldReader): void {
  if (!/^ssh:[\x20-\x7e]{0,200}$/.test(fields.text())) throw new KeyProblem("it was not made for SSH");
}
