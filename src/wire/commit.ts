import type { Static } from "typebox";
import { bool, int, list, nullable, record, text, time } from "./schema.ts";
import { User } from "./user.ts";

/** An author, committer or signer; `username` is empty when no user has the email address. */
export const PayloadUser = record("PayloadUser", {
  name: text(),
  email: text(),
  username: text(),
});
export type PayloadUser = Static<typeof PayloadUser>;

export const PayloadCommitVerification = record("PayloadCommitVerification", {
  verified: bool(),
  reason: text(),
  signature: text(),
  signer: nullable(PayloadUser),
  payload: text(),
});
export type PayloadCommitVerification = Static<typeof PayloadCommitVerification>;

/** The tip of a branch. */
export const PayloadCommit = record("PayloadCommit", {
  id: text(),
  message: text(),
  url: text(),
  author: nullable(PayloadUser),
  committer: nullable(PayloadUser),
  verification: nullable(PayloadCommitVerification),
  timestamp: time(),
  added: nullable(list(text())),
  removed: nullable(list(text())),
  modified: nullable(list(text())),
});
export type PayloadCommit = Static<typeof PayloadCommit>;

/** An author, committer or tagger; the date keeps the offset of the object. */
export const CommitUser = record("CommitUser", {
  name: text(),
  email: text(),
  date: text(),
});
export type CommitUser = Static<typeof CommitUser>;

/** A reference to a commit or tree. */
export const CommitMeta = record("CommitMeta", {
  url: text(),
  sha: text(),
  created: time(),
});
export type CommitMeta = Static<typeof CommitMeta>;

export const RepoCommit = record("RepoCommit", {
  url: text(),
  author: nullable(CommitUser),
  committer: nullable(CommitUser),
  message: text(),
  tree: nullable(CommitMeta),
  verification: nullable(PayloadCommitVerification),
});
export type RepoCommit = Static<typeof RepoCommit>;

export const CommitAffectedFiles = record("CommitAffectedFiles", {
  filename: text(),
  status: text<"added" | "modified" | "removed" | "renamed">(),
});
export type CommitAffectedFiles = Static<typeof CommitAffectedFiles>;

export const CommitStats = record("CommitStats", {
  total: int(),
  additions: int(),
  deletions: int(),
});
export type CommitStats = Static<typeof CommitStats>;

export const Commit = record("Commit", {
  url: text(),
  sha: text(),
  created: time(),
  html_url: text(),
  commit: nullable(RepoCommit),
  /** Null when no user has the email address; the same applies to `committer`. */
  author: nullable(User),
  committer: nullable(User),
  parents: nullable(list(CommitMeta)),
  files: nullable(list(CommitAffectedFiles)),
  stats: nullable(CommitStats),
});
export type Commit = Static<typeof Commit>;

export const Compare = record("Compare", {
  total_commits: int(),
  commits: nullable(list(Commit)),
});
export type Compare = Static<typeof Compare>;

export const Note = record("Note", {
  message: text(),
  commit: nullable(Commit),
});
export type Note = Static<typeof Note>;
