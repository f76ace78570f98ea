import { formatTime } from "../../core/time.ts";
import type { Signature } from "../../git/types.ts";
import type { CommitUser, PayloadCommit, PayloadCommitVerification, PayloadUser } from "../../wire/commit.ts";
import type { Verification } from "./verification.ts";
import type { SignedCommit } from "./view.ts";

/** When it was signed, with the offset of whoever signed. */
export const presentTime = ({ seconds, offsetMinutes }: Signature): string => formatTime(seconds * 1000, offsetMinutes);

/** An author, committer or tagger as the object has him. */
export const presentSignature = (signature: Signature): CommitUser => ({ name: signature.name, email: signature.email, date: presentTime(signature) });

export const presentVerification = ({ isVerified, reason, signature, payload, signer }: Verification): PayloadCommitVerification => ({
  verified: isVerified,
  reason,
  signature,
  signer: signer === undefined ? null : { name: signer.name, email: signer.email, username: signer.username },
  payload,
});

const presentPayloadUser = ({ name, email }: Signature, user: { readonly name: string } | undefined): PayloadUser => ({
  name,
  email,
  username: user?.name ?? "",
});

/** A commit as the tip of a branch. @param pageUrl where people read it */
export const presentPayloadCommit = ({ commit, author, committer, verification }: SignedCommit, pageUrl: string): PayloadCommit => ({
  id: commit.oid,
  message: commit.message,
  url: pageUrl,
  author: presentPayloadUser(commit.author, author),
  committer: presentPayloadUser(commit.committer, committer),
  verification: presentVerification(verification),
  timestamp: presentTime(commit.committer),
  added: null,
  removed: null,
  modified: null,
});
