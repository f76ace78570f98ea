import { anyOf } from "../../../../db/any-of.ts";
import type { Reader } from "../../../../db/db.ts";

/** A row of a key that may have made a signature. */
export interface SigningKey {
  readonly accountId: number;
  readonly fingerprint: string;
  readonly keyId: string;
  readonly packet: Buffer;
  readonly keyCreatedMs: number;
  /** The earlier expiry of the key and of its primary key. */
  readonly expiresMs: number | null;
  /** Signatures from this time on are invalid; null: not revoked. */
  readonly goodUntilMs: number | null;
  /** Verified keys count for all of the owner's addresses, others for these, folded. */
  readonly isVerified: boolean;
  readonly emails: readonly string[];
}

const earliest = (...times: readonly (number | null)[]): number | null => {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
};
/** A hard revocation invalidates all signatures. */
const revokedFrom = (atMs: number | null, isSoft: number): number | null => (atMs === null || isSoft === 1 ? atMs : 0);

/** Signing keys and subkeys by id. One statement. */
export async function findSigningKeys(db: Reader, keyIds: readonly string[]): Promise<SigningKey[]> {
  const rows = await db.sql
    .selectFrom("gpg_keys as k")
    .innerJoin("gpg_keys as p", (join) => join.on((eb) => eb("p.id", "=", eb.fn.coalesce("k.primary_id", "k.id"))))
    .select(["k.account_id", "k.fingerprint", "k.key_id", "k.packet", "k.key_created_ms", "k.expires_ms", "k.revoked_ms", "k.is_revocation_soft"])
    .select(["p.expires_ms as p_expires_ms", "p.revoked_ms as p_revoked_ms", "p.is_revocation_soft as p_is_revocation_soft", "p.is_verified", "p.emails"])
    .where((eb) => anyOf(db, eb.ref("k.key_id"), keyIds))
    .where("k.can_sign", "=", 1)
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    fingerprint: row.fingerprint,
    keyId: row.key_id,
    packet: Buffer.from(row.packet, "base64"),
    keyCreatedMs: row.key_created_ms,
    expiresMs: earliest(row.expires_ms, row.p_expires_ms),
    goodUntilMs: earliest(revokedFrom(row.revoked_ms, row.is_revocation_soft), revokedFrom(row.p_revoked_ms, row.p_is_revocation_soft)),
    isVerified: row.is_verified === 1,
    emails: JSON.parse(row.emails) as string[],
  }));
}

/** The owners of SSH keys, by fingerprint; deploy keys have none. One statement. */
export async function findKeyOwners(db: Reader, fingerprints: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db.sql
    .selectFrom("public_keys")
    .select(["fingerprint", "account_id"])
    .where((eb) => anyOf(db, eb.ref("fingerprint"), fingerprints))
    .where("account_id", "is not", null)
    .execute();
  return new Map(rows.map(({ fingerprint, account_id }) => [fingerprint, account_id as number]));
}
