import type { UserView } from "../users/model.ts";

/** The public key of a user. */
export interface PublicKeyView {
  readonly id: number;
  readonly accountId: number;
  readonly title: string;
  /** One line: algorithm, base64 and, when it was given, the comment. */
  readonly content: string;
  readonly fingerprint: string;
  readonly createdMs: number;
  /** Exact to a minute; 0: never. */
  readonly lastUsedMs: number;
}

/** A user's key with its owner, who is undefined for callers from whom he is withheld. */
export interface OwnedKeyView extends PublicKeyView {
  readonly owner: UserView | undefined;
}

/** A key that acts for one repository. */
export interface DeployKeyView {
  readonly id: number;
  /** The key itself, which several repositories may share. */
  readonly keyId: number;
  readonly repoId: number;
  readonly title: string;
  readonly content: string;
  readonly fingerprint: string;
  readonly isReadOnly: boolean;
  readonly createdMs: number;
}

/** An OpenPGP key, or a subkey of one. */
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
  /** The owner has proved that it is his. */
  readonly isVerified: boolean;
  /** When it was added here. */
  readonly createdMs: number;
  /** Until when it is good. */
  readonly expiresMs: number | null;
}

export interface GpgKeyView extends GpgSubkeyView {
  readonly accountId: number;
  /** Those of its addresses that are verified ones of the owner, as far as the caller may see them. */
  readonly emails: readonly string[];
  readonly subkeys: readonly GpgSubkeyView[];
}

/** Why a signature says nothing of who made a commit or tag. */
export type SignatureFlaw =
  | "not_signed"
  /** It cannot be read, or is of a kind that is not believed. */
  | "unreadable"
  /** Nobody here has the key, or it is another user's than the one that the commit names. */
  | "unknown_key"
  /** The key is known, and nobody has the address that the commit names. */
  | "unknown_signer"
  /** Somebody here has the key, and it did not make this signature, or not while it was good. */
  | "wrong";

/** What is known of the signature of a commit or tag. */
export type SignatureVerdict =
  | { readonly isVerified: false; readonly flaw: SignatureFlaw }
  | {
      readonly isVerified: true;
      /** The id of an OpenPGP key, the fingerprint of an SSH key. */
      readonly key: string;
      readonly signer: { readonly fullName: string; readonly name: string; readonly email: string };
    };
