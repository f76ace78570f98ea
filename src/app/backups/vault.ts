import { createHash, createHmac, hkdfSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { ConfigError } from "../../config/config.ts";
import { unavailable } from "../../core/errors.ts";

/** Names and encodes the objects of backups. */
export interface Vault {
  /** The public keys to which objects are encrypted; empty without encryption. */
  readonly recipients: readonly string[];
  /** Key of the names; undefined without encryption. */
  readonly nameKey: string | undefined;
  nameOf(content: Uint8Array): string;
  seal(content: Uint8Array, options: { readonly compresses: boolean }): Promise<Uint8Array>;
}

/** Decodes objects. */
export interface Unsealer {
  /** @throws ConfigError without a fitting identity; ForgeError `unavailable` for a damaged object */
  open(name: string, stored: Uint8Array): Promise<Buffer>;
}

/** First byte of the content of an object. */
const encodings = { plain: 0, deflated: 1 } as const;

/** The name of an object is the digest of its content. With encryption it has a key, so that names reveal no known content. */
export function nameOf(content: Uint8Array, key: string | undefined): string {
  return key === undefined ? createHash("sha256").update(content).digest("hex") : createHmac("sha256", Buffer.from(key, "hex")).update(content).digest("hex");
}

/**
 * @param secretKey of the server: names stay the same from one backup to the next
 * @throws ConfigError for a recipient that is not a public key of age
 */
export async function createVault(recipients: readonly string[], secretKey: Uint8Array | undefined): Promise<Vault> {
  const isEncrypted = recipients.length > 0;
  const encrypter = isEncrypted ? await createEncrypter(recipients) : undefined;
  if (isEncrypted && secretKey === undefined) throw new ConfigError("encrypted backups need the secret key of the server: start the server once before");
  const nameKey =
    secretKey === undefined || !isEncrypted ? undefined : Buffer.from(hkdfSync("sha256", secretKey, "", "hearth backup names", 32)).toString("hex");
  return {
    recipients,
    nameKey,
    nameOf: (content) => nameOf(content, nameKey),
    async seal(content, { compresses }) {
      const encoded = compresses
        ? Buffer.concat([Uint8Array.of(encodings.deflated), await promisify(deflateRaw)(content)])
        : Buffer.concat([Uint8Array.of(encodings.plain), content]);
      return encrypter === undefined ? encoded : encrypter.encrypt(encoded);
    },
  };
}

async function createEncrypter(recipients: readonly string[]) {
  // Loaded on demand: most commands do not encrypt.
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      throw new ConfigError(`${JSON.stringify(recipient)} is not a public key of age: it must begin with age1`, { cause: error });
    }
  }
  return encrypter;
}

/** Reads the identities of a file of `age-keygen`. @throws ConfigError */
export function readIdentities(path: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`the identity file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
  const identities = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (identities.length === 0) throw new ConfigError(`the identity file ${path} has no identity: it must contain a line that begins with AGE-SECRET-KEY-`);
  return identities;
}

/** @param recipients of the backup, for messages @throws ConfigError without an identity for an encrypted backup */
export async function createUnsealer(recipients: readonly string[], identities: readonly string[]): Promise<Unsealer> {
  if (recipients.length === 0) return { open: async (name, stored) => decode(name, stored) };
  if (identities.length === 0)
    throw new ConfigError(`the backup is encrypted to ${recipients.join(", ")}: name the file with the identity of one of these keys with --identity`);
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity);
    } catch (error) {
      throw new ConfigError("the identity file contains a line that is not an identity of age", { cause: error });
    }
  }
  return {
    async open(name, stored) {
      let content: Uint8Array;
      try {
        content = await decrypter.decrypt(stored);
      } catch (error) {
        if (error instanceof Error && error.message.includes("no identity matched"))
          throw new ConfigError(`the identity does not fit: the backup is encrypted to ${recipients.join(", ")}`, { cause: error });
        throw damaged(name, error);
      }
      return decode(name, content);
    },
  };
}

async function decode(name: string, encoded: Uint8Array): Promise<Buffer> {
  const content = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength).subarray(1);
  if (encoded[0] === encodings.plain) return content;
  if (encoded[0] !== encodings.deflated) throw damaged(name);
  return promisify(inflateRaw)(content).catch((error: unknown) => {
    throw damaged(name, error);
  });
}

export const damaged = (name: string, cause?: unknown): Error =>
  unavailable(`the object ${name.slice(0, 16)} of the backup is damaged: use another backup, and check the storage`, { cause });

/** Identifies the secret key with which a database was sealed, without revealing it. */
export const keyIdOf = (secretKey: Uint8Array): string => createHmac("sha256", secretKey).update("hearth key id").digest("hex").slice(0, 32);
