import { createDecipheriv, createHash } from "node:crypto";

const blockBytes = 16;

/** AES in the mode CFB; the plain text is base64. @returns undefined for another key */
function decrypt(cipher: "aes-128-cfb" | "aes-256-cfb", key: Buffer, sealed: Buffer): string | undefined {
  if (sealed.length < blockBytes) return undefined;
  const decipher = createDecipheriv(cipher, key, sealed.subarray(0, blockBytes));
  const encoded = Buffer.concat([decipher.update(sealed.subarray(blockBytes)), decipher.final()]).toString("latin1");
  // Another key gives other bytes: the mode has no checksum.
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded) ? Buffer.from(encoded, "base64").toString("utf8") : undefined;
}

/** The secret of an authenticator app. @returns undefined if it was encrypted with another key */
export function openTotpSecret(secretKey: string, sealed: string): string | undefined {
  const secret = decrypt("aes-128-cfb", createHash("md5").update(secretKey).digest(), Buffer.from(sealed, "base64"));
  return secret !== undefined && /^[A-Z2-7]{16,}$/.test(secret) ? secret : undefined;
}

/** A secret in hex digits, such as the header of a webhook. @returns undefined if it was encrypted with another key */
export const openSecret = (secretKey: string, sealed: string): string | undefined =>
  decrypt("aes-256-cfb", createHash("sha256").update(secretKey).digest(), Buffer.from(sealed, "hex"));
