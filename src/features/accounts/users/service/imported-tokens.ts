import { pbkdf2, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { hashToken } from "../../../../core/secrets.ts";
import type { Db } from "../../../../db/db.ts";
import { runSlowHash } from "../passwords.ts";
import { findTokenCredential, listSaltedTokens, type TokenCredentialRow } from "../store/credentials.ts";
import { rehashToken } from "../store/tokens.ts";

const derive = promisify(pbkdf2);
/** The form in which Gitea stores tokens. */
const form = { rounds: 10_000, bytes: 50 } as const;

/**
 * The account of a token that was imported from Gitea. Its first use stores the server's own hash, by which later uses find it.
 * @throws ForgeError `unavailable` when too many tokens and passwords wait to be hashed
 */
export async function findImportedToken(db: Db, token: string): Promise<TokenCredentialRow | undefined> {
  if (!/^[0-9a-f]{40}$/.test(token)) return undefined;
  for (const { id, hash, salt } of await listSaltedTokens(db, token.slice(-8))) {
    const expected = Buffer.from(hash, "hex");
    const found = await runSlowHash(() => derive(token, salt, form.rounds, form.bytes, "sha256"));
    if (expected.length !== found.length || !timingSafeEqual(expected, found)) continue;
    const own = hashToken(token);
    await db.tx((tx) => rehashToken(tx, id, own));
    return findTokenCredential(db, own);
  }
  return undefined;
}
