import { randomBytes } from "node:crypto";

/**
 * Passwords by argon2id (RFC 9106), 19 MiB and two passes; kept as PHC strings.
 * The native module is loaded on first use: a server that is only asked for its version does not wait for it.
 */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const argon2 = () => import("@node-rs/argon2");

export const minPasswordLength = 8;
/** Longer ones would only make hashing slower. */
export const maxPasswordLength = 255;

export async function hashPassword(password: string): Promise<string> {
  return (await argon2()).hash(password, options);
}

/** A hash that no password has: verifying against it takes as long as against a real one. */
let nobody: Promise<string> | undefined;

/** @param hash empty when there is no such account: the answer is false and takes the same time */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const { verify } = await argon2();
  if (password.length > maxPasswordLength) return false;
  if (hash === "") {
    nobody ??= hashPassword(randomBytes(32).toString("hex"));
    await verify(await nobody, password);
    return false;
  }
  return verify(hash, password);
}
