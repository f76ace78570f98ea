import { pbkdf2, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { hashToken } from "../../../../core/secrets.ts";
import { runSlowHash } from "../../../accounts/users/passwords.ts";

const derive = promisify(pbkdf2);
/** The form in which Gitea stores tokens. */
const [rounds, bytes] = [10_000, 50];
const imported = /^pbkdf2\$([^$]*)\$([0-9a-f]{100})$/;

/** The hash of a runner of Gitea, as it is stored. */
export const formatImportedToken = (salt: string, hash: string): string => `pbkdf2$${salt}$${hash}`;

/**
 * Verifies the token of a runner that was imported from Gitea.
 * @param stored a hash that is not the server's own
 * @throws ForgeError `unavailable` when too many tokens and passwords wait to be hashed
 */
export async function isImportedToken(stored: string, token: string): Promise<boolean> {
  const [, salt, hash] = imported.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) return false;
  return timingSafeEqual(Buffer.from(hash, "hex"), await runSlowHash(() => derive(token, salt, rounds, bytes, "sha256")));
}

/** Whether a stored hash is the server's own. */
export const isOwnHash = (stored: string): boolean => stored.length === hashToken("").length;
