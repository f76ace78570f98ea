import type { UserView } from "../users/model.ts";

/** The public key of a user. */
export interface PublicKeyView {
  readonly id: number;
  readonly accountId: number;
  readonly title: string;
  /** One line: algorithm, base64 and, if given, the comment. */
  readonly content: string;
  readonly fingerprint: string;
  readonly createdMs: number;
  /** Accurate to one minute; 0: never. */
  readonly lastUsedMs: number;
}

/** A user's key with its owner; undefined for callers who may not see the owner. */
export interface OwnedKeyView extends PublicKeyView {
  readonly owner: UserView | undefined;
}

/** A key that acts for one repository. */
export interface DeployKeyView {
  readonly id: number;
  /** The id of the key itself, which several repositories may share. */
  readonly keyId: number;
  readonly repoId: number;
  readonly title: string;
  readonly content: string;
  readonly fingerprint: string;
  readonly isReadOnly: boolean;
  readonly createdMs: number;
}

/** An OpenPGP key or subkey. */
export interface GpgSubkeyView {
  readonly id: number;
  readonly fingerprint: string;
  /** The last 16 digits of the fingerprint. */
  readonly keyId: string;
  /** The body of the key's packet. */
  readonly packet: Buffer;
  readonly canSign: boolean;
  readonly canCertify: boolean;
  readonly canEncryptComms: boolean;
  readonly canEncryptStorage: boolean;
  /** The owner has proved that the key is theirs. */
  readonly isVerified: boolean;
  /** When it was added to Hearth. */
  readonly createdMs: number;
  /** Expiry; null: never. */
  readonly expiresMs: number | null;
}

export interface GpgKeyView extends GpgSubkeyView {
  readonly accountId: number;
  /** The key's addresses that the owner has verified and the caller may see. */
  readonly emails: readonly string[];
  readonly subkeys: readonly GpgSubkeyView[];
}

/** Why a signature does not verify the author of a commit or tag. */
export type SignatureFlaw =
  | "not_signed"
  /** It cannot be read or uses an untrusted algorithm. */
  | "unreadable"
  /** No user has the key, or it belongs to another user than the one that the commit names. */
  | "unknown_key"
  /** The key is known, but no user has the address that the commit names. */
  | "unknown_signer"
  /** The key is known but did not make this signature, or not while it was valid. */
  | "wrong";

/** The verification of a commit's or tag's signature. */
export type SignatureVerdict =
  | { readonly isVerified: false; readonly flaw: SignatureFlaw }
  | {
      readonly isVerified: true;
      /** The id of an OpenPGP key, or the fingerprint of an SSH key. */
      readonly key: string;
      readonly signer: { readonly fullName: string; readonly name: string; readonly email: string };
    };
