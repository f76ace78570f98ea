import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { bool, choice, field, int, list, narrowed, nullable, option, optional, record, text, time } from "./schema.ts";
import { Team } from "./team.ts";
import { User } from "./user.ts";

export const Permission = record("Permission", {
  admin: bool(),
  push: bool(),
  pull: bool(),
});
export type Permission = Static<typeof Permission>;

export const InternalTracker = option("InternalTracker", {
  enable_time_tracker: field("EnableTimeTracker", bool()),
  allow_only_contributors_to_track_time: field("AllowOnlyContributorsToTrackTime", bool()),
  enable_issue_dependencies: field("EnableIssueDependencies", bool()),
});
export type InternalTracker = Static<typeof InternalTracker>;

export const ExternalTracker = option("ExternalTracker", {
  external_tracker_url: field("ExternalTrackerURL", text(lengths.address)),
  external_tracker_format: field("ExternalTrackerFormat", text(lengths.address)),
  /** `numeric`, `alphanumeric` or `regexp`. */
  external_tracker_style: field("ExternalTrackerStyle", text(lengths.line)),
  external_tracker_regexp_pattern: field("ExternalTrackerRegexpPattern", text(lengths.pattern)),
});
export type ExternalTracker = Static<typeof ExternalTracker>;

export const ExternalWiki = option("ExternalWiki", {
  external_wiki_url: field("ExternalWikiURL", text(lengths.address)),
});
export type ExternalWiki = Static<typeof ExternalWiki>;

export const RepoTransfer = record("RepoTransfer", {
  doer: nullable(User),
  recipient: nullable(User),
  teams: nullable(list(Team)),
});
export type RepoTransfer = Static<typeof RepoTransfer>;

const beforeParent = {
  id: int(),
  owner: nullable(User),
  name: text(),
  full_name: text(),
  description: text(),
  empty: bool(),
  private: bool(),
  fork: bool(),
  template: bool(),
};

const afterParent = {
  mirror: bool(),
  /** KiB. */
  size: int(),
  language: text(),
  languages_url: text(),
  html_url: text(),
  url: text(),
  link: text(),
  ssh_url: text(),
  clone_url: text(),
  original_url: text(),
  website: text(),
  stars_count: int(),
  forks_count: int(),
  watchers_count: int(),
  branch_count: int(),
  open_issues_count: int(),
  open_pr_counter: int(),
  release_counter: int(),
  default_branch: text(),
  default_target_branch: optional(text()),
  archived: bool(),
  created_at: time(),
  updated_at: time(),
  archived_at: time(),
  /** The caller's permissions; left out where there is no caller. */
  permissions: optional(Permission),
  has_code: bool(),
  has_issues: bool(),
  internal_tracker: optional(InternalTracker),
  external_tracker: optional(ExternalTracker),
  has_wiki: bool(),
  external_wiki: optional(ExternalWiki),
  has_pull_requests: bool(),
  has_projects: bool(),
  projects_mode: text<"all" | "repo" | "owner">(),
  has_releases: bool(),
  has_packages: bool(),
  has_actions: bool(),
  ignore_whitespace_conflicts: bool(),
  allow_merge_commits: bool(),
  allow_rebase: bool(),
  allow_rebase_explicit: bool(),
  allow_squash_merge: bool(),
  allow_fast_forward_only_merge: bool(),
  allow_rebase_update: bool(),
  allow_manual_merge: bool(),
  autodetect_manual_merge: bool(),
  default_delete_branch_after_merge: bool(),
  default_merge_style: text<MergeStyle>(),
  default_allow_maintainer_edit: bool(),
  avatar_url: text(),
  /** The owner has limited visibility. */
  internal: bool(),
  /** `8h0m0s`, or empty. */
  mirror_interval: text(),
  object_format_name: choice("sha1", "sha256"),
  mirror_updated: time(),
  topics: nullable(list(text())),
  licenses: nullable(list(text())),
  repo_transfer: optional(RepoTransfer),
};

export type MergeStyle = "merge" | "rebase" | "rebase-merge" | "squash" | "fast-forward-only" | "manually-merged";

export const ParentRepository = narrowed("Repository", { ...beforeParent, ...afterParent });
export type ParentRepository = Static<typeof ParentRepository>;

export const Repository = record("Repository", {
  ...beforeParent,
  /** The repository that a fork was created from. */
  parent: optional(ParentRepository),
  ...afterParent,
});
export type Repository = Static<typeof Repository>;

export const SearchResults = record("SearchResults", {
  ok: bool(),
  data: nullable(list(Repository)),
});
export type SearchResults = Static<typeof SearchResults>;
