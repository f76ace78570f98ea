import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** TOTP (RFC 6238) with SHA-1, six digits and steps of 30 s, which all authenticator apps support. */
const stepMs = 30_000;
const digits = 6;
/** Allowed clock difference, in steps. */
const window = 1;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648, without padding: five bits per character. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** @returns undefined for invalid base32 */
export function fromBase32(text: string): Buffer | undefined {
  const values = [...text].map((character) => alphabet.indexOf(character));
  if (values.includes(-1)) return undefined;
  const bits = values.map((value) => value.toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** 160 random bits, the size that apps expect. */
export const newTotpSecret = (): string => base32(randomBytes(20));

/** The code of one step (RFC 4226, 5.3). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", fromBase32(secret) ?? Buffer.alloc(0))
    .update(counter)
    .digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, "0");
}

export const stepAt = (ms: number): number => Math.floor(ms / stepMs);

/** The steps around now that match a code, oldest first. All of them are computed, for constant time. @param code untrusted input */
export function matchingSteps(secret: string, code: string, nowMs: number): readonly number[] {
  const given = Buffer.from(/^\d{6}$/.test(code) ? code : "none..");
  const now = stepAt(nowMs);
  const steps = Array.from({ length: 2 * window + 1 }, (_, at) => now - window + at);
  return steps.filter((step) => timingSafeEqual(Buffer.from(totpCode(secret, step)), given));
}

/** The link in an app's QR code (Key URI Format of Google Authenticator). */
export function totpUri(secret: string, issuer: string, account: string): string {
  const label = [issuer, account].map(encodeURIComponent).join(":");
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer, algorithm: "SHA1", digits: String(digits), period: String(stepMs / 1_000) })}`;
}
