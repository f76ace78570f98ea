import { formatImportedHash } from "../../features/accounts/users/imported-hashes.ts";

export interface GiteaPassword {
  readonly hash: string;
  readonly salt: string;
  /** `argon2$2$65536$8$50`; without costs, those of old versions. */
  readonly algorithm: string;
}

const bytesOfSalt = (salt: string): Buffer => (salt.length === 10 ? Buffer.from(salt) : Buffer.from(salt, "hex"));
const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");

/** @returns the hash in the form that Hearth verifies; undefined for an algorithm or costs that it does not support */
export function convertPassword({ hash, salt, algorithm }: GiteaPassword): string | undefined {
  const [name = "", ...costs] = (algorithm === "" ? "pbkdf2" : algorithm).split("$");
  const numbers = costs.map(Number);
  if (numbers.some((cost) => !Number.isSafeInteger(cost) || cost <= 0)) return undefined;
  if (name === "bcrypt") return /^\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}$/.test(hash) ? hash : undefined;
  const bytes = { salt: bytesOfSalt(salt), hash: Buffer.from(hash, "hex") };
  if (bytes.salt.length === 0 || bytes.hash.length === 0) return undefined;
  if (name === "pbkdf2") {
    const [rounds = 10_000] = numbers;
    return formatImportedHash({ kind: "pbkdf2-sha256", rounds, ...bytes });
  }
  if (name === "scrypt") {
    const [n = 65_536, blockSize = 16, parallelism = 2] = numbers;
    const costLog = Math.log2(n);
    return Number.isInteger(costLog) ? formatImportedHash({ kind: "scrypt", costLog, blockSize, parallelism, ...bytes }) : undefined;
  }
  const [passes = 2, memory = 65_536, threads = 8] = numbers;
  if (name !== "argon2" || memory > 2 ** 20 || passes > 100 || bytes.hash.length > 64) return undefined;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${threads}$${base64(bytes.salt)}$${base64(bytes.hash)}`;
}
