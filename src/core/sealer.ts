import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/**
 * Keeps small secrets unreadable where they are stored: whoever has a copy of the database alone has none of them.
 * `purpose` tells what a secret is for and whose it is; what was sealed for one purpose does not open for another.
 */
export interface Sealer {
  seal(purpose: string, text: string): string;
  /** Undefined for what this key did not seal for this purpose. */
  open(purpose: string, sealed: string): string | undefined;
  /** 64 hex digits that nobody else can tell in advance, for a purpose and a text: always the same. */
  sign(purpose: string, text: string): string;
}

/** Told apart from later formats by this beginning. */
const prefix = "s1.";
const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a random nonce, under a key derived from the given one. @param key 32 random bytes */
export function createSealer(key: Uint8Array): Sealer {
  const sealing = Buffer.from(hkdfSync("sha256", key, "", "hearth sealer", 32));
  const signing = Buffer.from(hkdfSync("sha256", key, "", "hearth signer", 32));
  return {
    seal(purpose, text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", sealing, nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final()]);
      return prefix + Buffer.concat([sealed, cipher.getAuthTag()]).toString("base64url");
    },
    open(purpose, sealed) {
      if (!sealed.startsWith(prefix)) return undefined;
      const bytes = Buffer.from(sealed.slice(prefix.length), "base64url");
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", sealing, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-tagBytes));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
    sign: (purpose, text) =>
      createHmac("sha256", signing)
        .update(JSON.stringify([purpose, text]))
        .digest("hex"),
  };
}
