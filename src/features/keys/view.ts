import type { UserView } from "../users/view.ts";

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
