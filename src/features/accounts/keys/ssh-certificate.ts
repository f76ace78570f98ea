import { ByteReader, FormatProblem, uint32 } from "./openpgp/bytes.ts";
import { isSignedBy } from "./ssh-signature.ts";

/** A key certified by an authority (OpenSSH, PROTOCOL.certkeys). */
export interface SshCertificate {
  /** The certified key in SSH's encoding. */
  readonly key: Buffer;
  /** The key of the authority in SSH's encoding. */
  readonly authority: Buffer;
  /** Not for a host. */
  readonly isForUser: boolean;
  /** Chosen by the authority, for logs. */
  readonly id: string;
  readonly principals: readonly string[];
  readonly validFromMs: number;
  /** Infinity without an end. */
  readonly validUntilMs: number;
  /** By name. A server has to refuse those that it does not know. */
  readonly criticalOptions: ReadonlyMap<string, string>;
  /** Whether the authority has signed all of the above. */
  readonly isAuthentic: boolean;
}

const suffix = "-cert-v01@openssh.com";

/** The number of fields of each kind of key, after its name. */
const keyFields: Readonly<Record<string, number>> = {
  "ssh-ed25519": 1,
  "ssh-rsa": 2,
  "ecdsa-sha2-nistp256": 2,
  "ecdsa-sha2-nistp384": 2,
  "ecdsa-sha2-nistp521": 2,
  "sk-ssh-ed25519@openssh.com": 2,
  "sk-ecdsa-sha2-nistp256@openssh.com": 3,
};

/** @param blob a key or certificate in SSH's encoding */
export function isCertificate(blob: Buffer): boolean {
  try {
    return text(new ByteReader(blob)).endsWith(suffix);
  } catch (error) {
    if (error instanceof FormatProblem) return false;
    throw error;
  }
}

/** @throws FormatProblem for an invalid certificate or an unsupported kind of key */
export function readSshCertificate(blob: Buffer): SshCertificate {
  const reader = new ByteReader(blob);
  const name = text(reader);
  const plain = name.slice(0, -suffix.length);
  // The names of security keys end in @openssh.com in keys, but not in certificates.
  const algorithm = plain.startsWith("sk-") ? `${plain}@openssh.com` : plain;
  const count = Object.hasOwn(keyFields, algorithm) ? keyFields[algorithm] : undefined;
  if (!name.endsWith(suffix) || count === undefined) throw new FormatProblem("its kind of key is not supported");
  field(reader); // The nonce.
  const start = reader.position;
  for (let at = 0; at < count; at += 1) field(reader);
  const key = Buffer.concat([written(Buffer.from(algorithm)), blob.subarray(start, reader.position)]);
  reader.take(8); // The serial number.
  const isForUser = reader.uint(4) === 1;
  const id = text(reader);
  const principals = fieldsOf(field(reader)).map((principal) => principal.toString("utf8"));
  const [validFromMs, validUntilMs] = [time(reader), time(reader)];
  const criticalOptions = optionsOf(field(reader));
  field(reader); // Extensions are permissions for shells, which Hearth does not offer.
  field(reader); // Reserved.
  const authority = field(reader);
  const signed = blob.subarray(0, reader.position);
  const signature = field(reader);
  if (!reader.isAtEnd) throw new FormatProblem("there is extra data after the certificate");
  const isAuthentic = isSignedBy(authority, signature, signed);
  return { key, authority, isForUser, id, principals, validFromMs, validUntilMs, criticalOptions, isAuthentic };
}

const field = (reader: ByteReader): Buffer => reader.take(reader.uint(4));
const text = (reader: ByteReader): string => field(reader).toString("utf8");
const written = (bytes: Buffer): Buffer => Buffer.concat([uint32(bytes.length), bytes]);

/** Seconds since 1970, as milliseconds. */
function time(reader: ByteReader): number {
  const seconds = reader.take(8).readBigUInt64BE();
  return seconds > BigInt(Number.MAX_SAFE_INTEGER) / 1_000n ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000;
}

function fieldsOf(bytes: Buffer): Buffer[] {
  const reader = new ByteReader(bytes);
  const fields: Buffer[] = [];
  while (!reader.isAtEnd) fields.push(field(reader));
  return fields;
}

/** Names and values in turns. A value is a field in a field; an option without a value has an empty one. */
function optionsOf(bytes: Buffer): Map<string, string> {
  const reader = new ByteReader(bytes);
  const options = new Map<string, string>();
  while (!reader.isAtEnd) {
    const name = text(reader);
    const [value] = fieldsOf(field(reader));
    if (options.has(name)) throw new FormatProblem("an option is given twice");
    options.set(name, value?.toString("utf8") ?? "");
  }
  return options;
}
