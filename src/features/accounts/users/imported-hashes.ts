import { pbkdf2, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

/** Hashes that Gitea makes, as strings in the format of PHC: PBKDF2 with SHA-256, scrypt, bcrypt. */
const pattern = /^\$(pbkdf2-sha256|scrypt)\$([a-z0-9=,]+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const bcryptPattern = /^\$2[abxy]\$/;

/** Higher costs would let one sign-in take the memory or the cores of the server. */
const limits = { rounds: 10_000_000, bytes: 256 * 2 ** 20, passes: 16 };

const derivePbkdf2 = promisify(pbkdf2);
const deriveScrypt = promisify(scrypt) as (password: string, salt: Buffer, length: number, options: ScryptOptions) => Promise<Buffer>;

export interface Pbkdf2Hash {
  readonly kind: "pbkdf2-sha256";
  readonly rounds: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

export interface ScryptHash {
  readonly kind: "scrypt";
  /** Logarithm of the number of blocks. */
  readonly costLog: number;
  readonly blockSize: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");

/** @returns undefined if the server could not verify it: its costs exceed the limits, or a part is empty */
export function formatImportedHash(hash: Pbkdf2Hash | ScryptHash): string | undefined {
  const costs = hash.kind === "scrypt" ? `ln=${hash.costLog},r=${hash.blockSize},p=${hash.parallelism}` : `i=${hash.rounds}`;
  const text = `$${hash.kind}$${costs}$${base64(hash.salt)}$${base64(hash.hash)}`;
  return parseHash(text) === undefined ? undefined : text;
}

function parseHash(text: string): Pbkdf2Hash | ScryptHash | undefined {
  const [, kind, list = "", salt = "", hash = ""] = pattern.exec(text) ?? [];
  const costs = new Map(list.split(",").map((cost) => cost.split("=", 2) as [string, string]));
  const cost = (name: string): number => Number(costs.get(name));
  const bytes = { salt: Buffer.from(salt, "base64"), hash: Buffer.from(hash, "base64") };
  if (kind === "pbkdf2-sha256") {
    const rounds = cost("i");
    return isWithin(rounds, limits.rounds) ? { kind, rounds, ...bytes } : undefined;
  }
  if (kind !== "scrypt") return undefined;
  const [costLog, blockSize, parallelism] = [cost("ln"), cost("r"), cost("p")];
  const fits = isWithin(costLog, 30) && isWithin(parallelism, limits.passes) && isWithin(128 * 2 ** costLog * blockSize, limits.bytes);
  return fits ? { kind, costLog, blockSize, parallelism, ...bytes } : undefined;
}

const isWithin = (value: number, most: number): boolean => Number.isSafeInteger(value) && value > 0 && value <= most;

export const isBcryptHash = (text: string): boolean => bcryptPattern.test(text);

/** @returns false also for a hash of an unknown form */
export async function verifyImportedHash(text: string, password: string): Promise<boolean> {
  // The native module is loaded on first use: most servers have no such hash.
  if (bcryptPattern.test(text)) return (await import("@node-rs/bcrypt")).default.verify(password, text).catch(() => false);
  const known = parseHash(text);
  if (known === undefined) return false;
  return timingSafeEqual(await derive(known, password), known.hash);
}

function derive(known: Pbkdf2Hash | ScryptHash, password: string): Promise<Buffer> {
  if (known.kind === "pbkdf2-sha256") return derivePbkdf2(password, known.salt, known.rounds, known.hash.length, "sha256");
  const { costLog, blockSize, parallelism } = known;
  const options = { cost: 2 ** costLog, blockSize, parallelization: parallelism, maxmem: 2 * limits.bytes };
  return deriveScrypt(password, known.salt, known.hash.length, options);
}
