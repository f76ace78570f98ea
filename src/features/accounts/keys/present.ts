import type { Actor } from "../../../access/actor.ts";
import type { RepositoryRight } from "../../../access/repository.ts";
import { formatTime, zeroTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { PayloadCommitVerification } from "../../../wire/commit.ts";
import type { GPGKey, GPGSubkey } from "../../../wire/gpg-key.ts";
import type { DeployKey, PublicKey } from "../../../wire/key.ts";
import type { Repository } from "../../../wire/repository.ts";
import type { RepositoryView } from "../../repositories/repos/model.ts";
import { presentRepository } from "../../repositories/repos/present.ts";
import { presentUser } from "../users/present.ts";
import type { DeployKeyView, GpgKeyView, GpgSubkeyView, OwnedKeyView, SignatureFlaw, SignatureVerdict } from "./model.ts";
import { packetTags, writePacket } from "./openpgp/packets.ts";

/** A user's key (wire facts 4.10). Includes the owner if the view has one. */
export const presentPublicKey = (key: OwnedKeyView, viewer: Actor, urls: Urls): PublicKey => ({
  id: key.id,
  key: key.content,
  url: urls.api("user/keys", key.id),
  title: key.title,
  fingerprint: key.fingerprint,
  created_at: formatTime(key.createdMs),
  // @compat Gitea shows the creation time for a key that was never used (keys/api.test.ts)
  last_used_at: formatTime(Math.max(key.createdMs, key.lastUsedMs)),
  ...(key.owner && { user: presentUser(key.owner, viewer, urls), key_type: "user" }),
});

const readRight: RepositoryRight = { mode: "read", unit: () => "read", granted: () => "read" };

/** The repository of a deploy key. @compat Gitea always shows a reader's permissions (keys/api.test.ts) */
export const presentKeyRepository = (repository: RepositoryView, viewer: Actor, urls: Urls): Repository =>
  presentRepository({ ...repository, right: readRight }, viewer, urls);

/** @param repository omitted in the response to the creation */
export const presentDeployKey = (
  key: DeployKeyView,
  address: { readonly ownerName: string; readonly name: string },
  urls: Urls,
  repository?: Repository,
): DeployKey => ({
  id: key.id,
  key_id: key.keyId,
  key: key.content,
  url: urls.api("repos", address.ownerName, address.name, "keys", key.id),
  title: key.title,
  fingerprint: key.fingerprint,
  created_at: formatTime(key.createdMs),
  read_only: key.isReadOnly,
  ...(repository && { repository }),
});

/** An OpenPGP key (wire facts 4.10). */
export const presentGpgKey = (key: GpgKeyView): GPGKey => ({
  ...presentGpgPart(key, "", packetTags.publicKey),
  emails: key.emails.map((email) => ({ email, verified: true })),
  subkeys: key.subkeys.map((subkey) => presentGpgPart(subkey, key.keyId, packetTags.publicSubkey)),
});

const presentGpgPart = (key: GpgSubkeyView, primaryKeyId: string, tag: number): GPGSubkey => ({
  id: key.id,
  primary_key_id: primaryKeyId,
  key_id: key.keyId,
  public_key: writePacket({ tag, body: key.packet }).toString("base64"),
  emails: null,
  subkeys: null,
  can_sign: key.canSign,
  can_encrypt_comms: key.canEncryptComms,
  can_encrypt_storage: key.canEncryptStorage,
  can_certify: key.canCertify,
  verified: key.isVerified,
  created_at: formatTime(key.createdMs),
  expires_at: key.expiresMs === null ? zeroTime : formatTime(key.expiresMs),
});

/** @compat clients translate these reasons by their exact text (keys/signatures.test.ts) */
const flaws: Readonly<Record<SignatureFlaw, string>> = {
  not_signed: "gpg.error.not_signed_commit",
  unreadable: "gpg.error.extract_sign",
  unknown_key: "gpg.error.no_gpg_keys_found",
  unknown_signer: "gpg.error.no_committer_account",
  wrong: "gpg.error.probable_bad_signature",
};

/** The verification of a signature. @param verdict undefined for unsigned objects */
export const presentVerification = (
  signed: { readonly signature: string; readonly signedPayload: string },
  verdict: SignatureVerdict = { isVerified: false, flaw: "not_signed" },
): PayloadCommitVerification => ({
  verified: verdict.isVerified,
  reason: verdict.isVerified ? `${verdict.signer.name} / ${verdict.key}` : flaws[verdict.flaw],
  signature: signed.signature,
  signer: verdict.isVerified ? { name: verdict.signer.fullName || verdict.signer.name, email: verdict.signer.email, username: verdict.signer.name } : null,
  payload: signed.signedPayload,
});
