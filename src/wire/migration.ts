import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { bool, choice, deprecated, field, int, nullable, option, record, text, time, usually } from "./schema.ts";

/** A migration of a repository. Its result is kept for some days. */
export const Migration = record("Migration", {
  id: int(),
  full_name: text(),
  clone_addr: text(),
  status: choice("waiting", "running", "done", "failed", "cancelled"),
  phase: choice("code", "tracker", "large files", "wiki", "writing"),
  /** Bytes of packs received so far. */
  received: int(),
  /** Reason of the failure. */
  message: text(),
  /** Set while the other server's rate limit blocks requests. */
  resumes_at: nullable(time()),
  created_at: time(),
  ended_at: nullable(time()),
});
export type Migration = Static<typeof Migration>;

export const MigrateRepoOptions = option("MigrateRepoOptions", {
  clone_addr: field("CloneAddr", text(lengths.address), "Required"),
  auth_username: field("AuthUsername", text(lengths.line)),
  auth_password: field("AuthPassword", text(lengths.secret)),
  auth_token: field("AuthToken", text(lengths.secret)),
  /** The id of the owner, for clients that do not support `repo_owner`. */
  uid: deprecated(field("RepoOwnerID", int())),
  repo_owner: field("RepoOwner", text(lengths.line)),
  repo_name: field("RepoName", text(), "Required", "AlphaDashDot", `MaxSize(${lengths.repositoryName})`),
  service: field("Service", usually("git", "github", "gitea", "gitlab", "gogs", "onedev", "gitbucket", "codebase", "codecommit")),
  mirror: field("Mirror", bool()),
  lfs: field("LFS", bool()),
  lfs_endpoint: field("LFSEndpoint", text(lengths.address)),
  private: field("Private", bool()),
  description: field("Description", text(), `MaxSize(${lengths.repositoryDescription})`),
  wiki: field("Wiki", bool()),
  milestones: field("Milestones", bool()),
  labels: field("Labels", bool()),
  issues: field("Issues", bool()),
  pull_requests: field("PullRequests", bool()),
  releases: field("Releases", bool()),
  mirror_interval: field("MirrorInterval", text(lengths.line)),
  aws_access_key_id: field("AWSAccessKeyID", text(lengths.line)),
  aws_secret_access_key: field("AWSSecretAccessKey", text(lengths.secret)),
});
export type MigrateRepoOptions = Static<typeof MigrateRepoOptions>;
