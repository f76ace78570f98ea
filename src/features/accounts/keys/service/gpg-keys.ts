import { type Actor, isSelf, isSiteAdmin, type UserActor } from "../../../../access/actor.ts";
import type { AccountSubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { invalid, isForgeError, notFound } from "../../../../core/errors.ts";
import { foldEmail } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Sealer } from "../../../../core/sealer.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import { findAccount, getUser } from "../../users/service/accounts.ts";
import { listEmails } from "../../users/service/emails.ts";
import type { GpgKeyView } from "../model.ts";
import { readArmor, writeArmor } from "../openpgp/armor.ts";
import { FormatProblem } from "../openpgp/bytes.ts";
import { type Certificate, readCertificate, readCertificateBytes, withoutUserIds } from "../openpgp/certificate.ts";
import { isSignedBy, readDetachedSignature, signatureTypes } from "../openpgp/signature-packet.ts";
import {
  deleteGpgKey,
  findGpgKey,
  findGpgKeyByKeyId,
  insertGpgKey,
  listGpgKeyContents,
  loadGpgKeyContent,
  markGpgKeyVerified,
  pageGpgKeys,
} from "../store/gpg-keys.ts";

export interface GpgKeyDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
}

/** A user's keys. Hidden addresses are shown only to the user and to administrators. */
export async function listGpgKeys(
  deps: { readonly db: Reader },
  actor: UserActor,
  account: Pick<AccountSubject, "id">,
  page: Page,
): Promise<Paged<GpgKeyView>> {
  const { items, total } = await pageGpgKeys(deps.db, account.id, page);
  return { total, items: await withOwnEmails(deps, actor, account.id, items) };
}

/** One of the caller's keys. @throws ForgeError `not_found` */
export async function getGpgKey(deps: { readonly db: Reader }, actor: UserActor, id: number): Promise<GpgKeyView> {
  const key = await findGpgKey(deps.db, actor.id, id);
  if (key === undefined) throw notFound();
  const [view] = await withOwnEmails(deps, actor, actor.id, [key]);
  return view as GpgKeyView;
}

/** Keeps only those addresses of the keys that their owner has verified. */
async function withOwnEmails(deps: { readonly db: Reader }, viewer: Actor, accountId: number, keys: readonly GpgKeyView[]): Promise<GpgKeyView[]> {
  if (keys.length === 0) return [];
  const own = (await mayShowEmails(deps, viewer, accountId)) ? await verifiedEmails(deps, accountId) : new Map<string, string>();
  return keys.map((key) => ({ ...key, emails: key.emails.flatMap((email) => own.get(email) ?? []) }));
}

async function mayShowEmails(deps: { readonly db: Reader }, viewer: Actor, accountId: number): Promise<boolean> {
  return isSelf(viewer, accountId) || isSiteAdmin(viewer) || !(await getUser(deps, accountId)).hideEmail;
}

/** Verified addresses as written, by their folded form. */
async function verifiedEmails(deps: { readonly db: Reader }, accountId: number): Promise<ReadonlyMap<string, string>> {
  const emails = await listEmails(deps, { id: accountId });
  return new Map(emails.filter(({ isVerified }) => isVerified).map(({ email }) => [foldEmail(email), email]));
}

/** Minimum lifetime of a challenge; the maximum is twice as long. */
const challengeMs = 15 * 60_000;

/** The text that a user signs to prove ownership of a key. It is bound to the user and expires. */
export const gpgChallenge = (deps: Pick<GpgKeyDeps, "clock" | "sealer">, user: Pick<UserActor, "id">, windowsAgo = 0): string =>
  deps.sealer.sign("gpg key", `${user.id} ${Math.floor(deps.clock.now() / challengeMs) - windowsAgo}`);

export interface NewGpgKeyInput {
  readonly armoredKey: string;
  /** A signature of the challenge; empty: the key must contain one of the user's addresses. */
  readonly armoredSignature: string;
}

/**
 * Adds a key for the caller. A key belongs to one user only.
 * @throws ForgeError `invalid` for an invalid key and for one in use; `not_found` if ownership is not proved
 */
export async function addGpgKey(deps: GpgKeyDeps, actor: UserActor, { armoredKey, armoredSignature }: NewGpgKeyInput): Promise<GpgKeyView> {
  const certificate = readKey(armoredKey);
  const { primary, subkeys } = certificate;
  const { fingerprint } = primary.packet;
  const isVerified = armoredSignature !== "" && isProof(deps, actor, certificate, armoredSignature);
  const own = await verifiedEmails(deps, actor.id);
  const emails = [...new Set(certificate.emails.map(foldEmail))];
  try {
    return await deps.db.tx(async (tx) => {
      const id = await insertGpgKey(tx, { accountId: actor.id, key: primary, subkeys, emails, content: certificate.bytes, isVerified });
      // @compat Gitea reports a key in use before an unproved one (keys/gpg-keys.test.ts)
      if (armoredSignature !== "" && !isVerified) throw notFound(mismatch(gpgChallenge(deps, actor)), isMismatch);
      if (!isVerified && !emails.some((email) => own.has(email))) {
        const challenge = gpgChallenge(deps, actor);
        throw notFound(
          `None of the emails attached to the GPG key could be found. It may still be added if you provide a valid signature for the token: ${challenge}`,
          { reason: "gpg_no_matching_email", field: "armored_signature" },
        );
      }
      await recordEvent(tx, "gpg_key.created", { accountId: actor.id, keyId: id, fingerprint }, { by: actor });
      return getGpgKey({ db: tx }, actor, id);
    });
  } catch (error) {
    throw isUniqueViolation(error, "gpg_keys.fingerprint") ? invalid("A key with the same id already exists", { reason: "key_in_use" }) : error;
  }
}

const isMismatch = { reason: "gpg_signature_mismatch", field: "armored_signature" } as const;
const mismatch = (challenge: string): string =>
  `The provided GPG key, signature and token do not match or token is out of date. Provide a valid signature for the token: ${challenge}`;

/** @throws ForgeError `invalid` */
function readKey(text: string): Certificate {
  try {
    return readCertificate(text);
  } catch (error) {
    throw error instanceof FormatProblem ? invalid(`failed to parse gpg key: ${error.message}`, { reason: "gpg_unreadable" }) : error;
  }
}

/** Whether the key or a subkey signed a current challenge of the user, with or without a newline at the end. */
function isProof(deps: Pick<GpgKeyDeps, "clock" | "sealer">, user: UserActor, { primary, subkeys }: Certificate, armoredSignature: string): boolean {
  const signature = readProof(armoredSignature);
  if (signature === undefined) return false;
  const signers = [primary, ...subkeys].filter(({ canSign, revocation }) => canSign && revocation === undefined);
  return [0, 1].some((windowsAgo) =>
    ["", "\n", "\r\n"].some((end) => {
      const challenge = Buffer.from(gpgChallenge(deps, user, windowsAgo) + end);
      return signers.some(({ packet }) => isSignedBy(signature, packet, challenge));
    }),
  );
}

function readProof(armoredSignature: string): ReturnType<typeof readDetachedSignature> | undefined {
  try {
    const signature = readDetachedSignature(readArmor(armoredSignature, ["PGP SIGNATURE", "PGP MESSAGE"]));
    return signature.type === signatureTypes.binary ? signature : undefined;
  } catch (error) {
    if (error instanceof FormatProblem) return undefined;
    throw error;
  }
}

/**
 * Marks one of the caller's keys as verified, by a signature of the challenge.
 * @param keyId of the key or a subkey
 * @throws ForgeError `not_found` if the caller does not have the key, `invalid` for a signature that does not match
 */
export async function verifyGpgKey(deps: GpgKeyDeps, actor: UserActor, keyId: string, armoredSignature: string): Promise<GpgKeyView> {
  const key = await findGpgKeyByKeyId(deps.db, actor.id, keyId.trim().toUpperCase());
  if (key === undefined) throw notFound();
  const certificate = readCertificateBytes(await loadGpgKeyContent(deps.db, key.id));
  if (!isProof(deps, actor, certificate, armoredSignature)) throw invalid(mismatch(gpgChallenge(deps, actor)), isMismatch);
  await deps.db.tx(async (tx) => {
    await markGpgKeyVerified(tx, key.id);
    await recordEvent(tx, "gpg_key.verified", { accountId: actor.id, keyId: key.id, fingerprint: key.fingerprint }, { by: actor });
  });
  return getGpgKey(deps, actor, key.id);
}

/** Removes one of the caller's keys. Succeeds if the caller does not have it. */
export async function removeGpgKey(deps: { readonly db: Db }, actor: UserActor, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const key = await findGpgKey(tx, actor.id, id);
    if (key === undefined) return;
    await deleteGpgKey(tx, id);
    await recordEvent(tx, "gpg_key.deleted", { accountId: actor.id, keyId: id, fingerprint: key.fingerprint }, { by: actor });
  });
}

/**
 * All keys of a user for import, without hidden addresses; or the user's current name.
 * @throws ForgeError `not_found`, the same for a hidden and a missing user
 */
export async function gpgKeyFile(deps: { readonly db: Reader }, actor: Actor, name: string): Promise<{ readonly text: string } | { readonly movedTo: string }> {
  const found = await findAccount(deps, name, actor).catch((error: unknown) => {
    throw isForgeError(error, "not_found") ? notFound() : error;
  });
  if ("movedTo" in found) return { movedTo: found.movedTo };
  const keys = await listGpgKeyContents(deps.db, found.subject.id);
  if (keys.length === 0) return { text: writeArmor(Buffer.alloc(0), "PGP PUBLIC KEY BLOCK", "this user has no OpenPGP keys") };
  const shown = (await mayShowEmails(deps, actor, found.subject.id)) ? keys : keys.map(withoutUserIds);
  return { text: writeArmor(Buffer.concat(shown), "PGP PUBLIC KEY BLOCK") };
}
