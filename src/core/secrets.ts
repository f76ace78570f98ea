import { hash, randomBytes } from "node:crypto";

/** A new access token: 160 random bits as 40 hex digits. */
export const randomToken = (): string => randomBytes(20).toString("hex");

/** Hash under which a token is stored: random tokens need no slow hash. */
export const hashToken = (token: string): string => hash("sha256", token);

/** A password that can be read out and typed: 20 letters and digits, 103 bits, without similar-looking characters. */
export function randomPassword(): string {
  const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrst23456789";
  let text = "";
  while (text.length < 20) {
    for (const byte of randomBytes(32)) if (byte < alphabet.length * 5 && text.length < 20) text += alphabet[byte % alphabet.length];
  }
  return text;
}
