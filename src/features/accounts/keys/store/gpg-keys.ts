import type { Selectable } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { GpgKeysTable } from "../../../../db/tables/gpg-keys.ts";
import type { GpgKeyView, GpgSubkeyView } from "../model.ts";
import type { CertifiedKey } from "../openpgp/certificate.ts";

type Row = Selectable<GpgKeysTable>;

const toSubkey = (row: Row): GpgSubkeyView => ({
  id: row.id,
  fingerprint: row.fingerprint,
  keyId: row.key_id,
  packet: Buffer.from(row.packet, "base64"),
  canSign: row.can_sign === 1,
  canCertify: row.can_certify === 1,
  canEncryptComms: row.can_encrypt_comms === 1,
  canEncryptStorage: row.can_encrypt_storage === 1,
  isVerified: row.is_verified === 1,
  createdMs: row.created_ms,
  expiresMs: row.expires_ms,
});

const selectPrimaries = (db: Reader) => db.sql.selectFrom("gpg_keys").where("primary_id", "is", null);

/** One statement for the subkeys of any number of keys; none for no key. `emails` are those of all user ids, folded. */
async function withSubkeys(db: Reader, rows: readonly Row[]): Promise<GpgKeyView[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const found = await db.sql
    .selectFrom("gpg_keys")
    .selectAll()
    .where((eb) => anyOf(db, eb.ref("primary_id").$castTo<number>(), ids))
    .orderBy("id")
    .execute();
  const subkeys = Map.groupBy(found, ({ primary_id }) => primary_id);
  return rows.map((row) => ({
    ...toSubkey(row),
    accountId: row.account_id,
    emails: JSON.parse(row.emails) as string[],
    subkeys: (subkeys.get(row.id) ?? []).map(toSubkey),
  }));
}

/** A user's keys, oldest first. Three statements. */
export async function pageGpgKeys(db: Reader, accountId: number, page: Page): Promise<Paged<GpgKeyView>> {
  const query = selectPrimaries(db).where("account_id", "=", accountId);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query.selectAll().orderBy("id").limit(page.limit).offset(page.offset).execute();
  return { total: Number(total), items: await withSubkeys(db, rows) };
}

export async function findGpgKey(db: Reader, accountId: number, id: number): Promise<GpgKeyView | undefined> {
  const rows = await selectPrimaries(db).selectAll().where("account_id", "=", accountId).where("id", "=", id).execute();
  return (await withSubkeys(db, rows))[0];
}

/** A user's key by its own id or a subkey's. */
export async function findGpgKeyByKeyId(db: Reader, accountId: number, keyId: string): Promise<GpgKeyView | undefined> {
  const rows = await selectPrimaries(db)
    .selectAll()
    .where("account_id", "=", accountId)
    .where((eb) =>
      eb.or([
        eb("key_id", "=", keyId),
        eb.exists(eb.selectFrom("gpg_keys as n").select("n.id").whereRef("n.primary_id", "=", "gpg_keys.id").where("n.key_id", "=", keyId)),
      ]),
    )
    .execute();
  return (await withSubkeys(db, rows))[0];
}

export interface NewGpgKey {
  readonly accountId: number;
  readonly key: CertifiedKey;
  readonly subkeys: readonly CertifiedKey[];
  readonly emails: readonly string[];
  readonly content: Buffer;
  readonly isVerified: boolean;
}

/** Two statements. Throws a unique violation for a key in use. */
export async function insertGpgKey(tx: Tx, { accountId, key, subkeys, emails, content, isVerified }: NewGpgKey): Promise<number> {
  const columns = ({ packet, revocation, ...certified }: CertifiedKey) => ({
    account_id: accountId,
    fingerprint: packet.fingerprint,
    key_id: packet.keyId,
    packet: packet.body.toString("base64"),
    can_sign: certified.canSign ? 1 : 0,
    can_certify: certified.canCertify ? 1 : 0,
    can_encrypt_comms: certified.canEncryptComms ? 1 : 0,
    can_encrypt_storage: certified.canEncryptStorage ? 1 : 0,
    is_verified: isVerified ? 1 : 0,
    key_created_ms: packet.createdMs,
    expires_ms: certified.expiresMs,
    revoked_ms: revocation?.atMs ?? null,
    is_revocation_soft: revocation?.isSoft ? 1 : 0,
    created_ms: tx.nowMs,
  });
  const { id } = await tx.sql
    .insertInto("gpg_keys")
    .values({ ...columns(key), primary_id: null, content: content.toString("base64"), emails: JSON.stringify(emails) })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (subkeys.length > 0) {
    await tx.sql
      .insertInto("gpg_keys")
      .values(subkeys.map((subkey) => ({ ...columns(subkey), primary_id: id, content: "", emails: "[]" })))
      .execute();
  }
  return id;
}

/** Marks a key and its subkeys as verified. */
export async function markGpgKeyVerified(tx: Tx, id: number): Promise<void> {
  await tx.sql
    .updateTable("gpg_keys")
    .set({ is_verified: 1 })
    .where((eb) => eb.or([eb("id", "=", id), eb("primary_id", "=", id)]))
    .execute();
}

export async function deleteGpgKey(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("gpg_keys").where("id", "=", id).execute();
}

/** The whole key. @returns no bytes if it is gone */
export async function loadGpgKeyContent(db: Reader, id: number): Promise<Buffer> {
  const row = await selectPrimaries(db).select("content").where("id", "=", id).executeTakeFirst();
  return Buffer.from(row?.content ?? "", "base64");
}

/** The whole keys of a user, oldest first. */
export async function listGpgKeyContents(db: Reader, accountId: number): Promise<Buffer[]> {
  const rows = await selectPrimaries(db).select("content").where("account_id", "=", accountId).orderBy("id").execute();
  return rows.map(({ content }) => Buffer.from(content, "base64"));
}
