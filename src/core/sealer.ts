import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/**
 * Encrypts small secrets at rest, so that a copy of the database alone does not reveal them.
 * `purpose` identifies the kind and owner of a secret; a value sealed for one purpose does not open for another.
 */
export interface Sealer {
  seal(purpose: string, text: string): string;
  /** Undefined for a value that was not sealed with this key for this purpose. */
  open(purpose: string, sealed: string): string | undefined;
  /** A deterministic, unpredictable MAC of a text for a purpose, as 64 hex digits. */
  sign(purpose: string, text: string): string;
}

/** Distinguishes this format from later ones. */
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
      // Other texts decode to the same bytes. Only the one that was made is accepted.
      if (bytes.toString("base64url") !== sealed.slice(prefix.length)) return undefined;
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
