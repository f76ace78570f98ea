import type { Commit, Tag } from "../../git/types.ts";

/** Whether the cryptographic signature of a commit or tag holds, and whose it is. */
export interface Verification {
  readonly isVerified: boolean;
  /** For people where it is verified, else one of the wire's reasons. */
  readonly reason: string;
  /** Empty when there is none; so is the payload. */
  readonly signature: string;
  /** The text that was signed. */
  readonly payload: string;
  /** Set once a key of a user is found. */
  readonly signer: Signer | undefined;
}

export interface Signer {
  readonly name: string;
  readonly email: string;
  readonly username: string;
}

const unsigned: Verification = { isVerified: false, reason: "gpg.error.not_signed_commit", signature: "", payload: "", signer: undefined };

/** Users have no keys here, so nobody's signature can be told to be his: it is shown with what it signs, for readers who have the key. */
export function verify({ signature, signedPayload }: Pick<Commit | Tag, "signature" | "signedPayload">): Verification {
  if (signature === "") return unsigned;
  return { isVerified: false, reason: "gpg.error.no_gpg_keys_found", signature, payload: signedPayload, signer: undefined };
}
