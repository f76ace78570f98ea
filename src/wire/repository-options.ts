import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { ExternalTracker, ExternalWiki, InternalTracker } from "./repository.ts";
import { bool, expected, field, nullable, option, text, usually } from "./schema.ts";

export const CreateRepoOption = option("CreateRepoOption", {
  name: field("Name", text(), "Required", "AlphaDashDot", `MaxSize(${lengths.repositoryName})`),
  description: field("Description", text(), `MaxSize(${lengths.repositoryDescription})`),
  private: field("Private", bool()),
  issue_labels: field("IssueLabels", text(), `MaxSize(${lengths.line})`),
  auto_init: field("AutoInit", bool()),
  template: field("Template", bool()),
  /** Names of templates, comma separated. */
  gitignores: field("Gitignores", text(lengths.address)),
  license: field("License", text(), `MaxSize(${lengths.license})`),
  readme: field("Readme", text(), `MaxSize(${lengths.line})`),
  default_branch: field("DefaultBranch", text(), "GitRefName", "MaxSize(100)"),
  trust_model: field("TrustModel", usually("default", "collaborator", "committer", "collaboratorcommitter")),
  object_format_name: field("ObjectFormatName", usually("sha1", "sha256"), "MaxSize(6)"),
});
export type CreateRepoOption = Static<typeof CreateRepoOption>;

/** Absent fields are left unchanged. */
export const EditRepoOption = option("EditRepoOption", {
  name: field("Name", nullable(text()), "OmitEmpty", "AlphaDashDot", `MaxSize(${lengths.repositoryName})`),
  description: field("Description", nullable(text()), `MaxSize(${lengths.repositoryDescription})`),
  website: field("Website", nullable(text()), `MaxSize(${lengths.repositoryWebsite})`),
  private: field("Private", nullable(bool())),
  template: field("Template", nullable(bool())),
  has_code: field("HasCode", nullable(bool())),
  has_issues: field("HasIssues", nullable(bool())),
  internal_tracker: field("InternalTracker", nullable(InternalTracker)),
  external_tracker: field("ExternalTracker", nullable(ExternalTracker)),
  has_wiki: field("HasWiki", nullable(bool())),
  external_wiki: field("ExternalWiki", nullable(ExternalWiki)),
  default_branch: field("DefaultBranch", nullable(text(lengths.ref))),
  has_pull_requests: field("HasPullRequests", nullable(bool())),
  has_projects: field("HasProjects", nullable(bool())),
  projects_mode: field("ProjectsMode", nullable(text(lengths.line)), "In(repo,owner,all)"),
  has_releases: field("HasReleases", nullable(bool())),
  has_packages: field("HasPackages", nullable(bool())),
  has_actions: field("HasActions", nullable(bool())),
  ignore_whitespace_conflicts: field("IgnoreWhitespaceConflicts", nullable(bool())),
  allow_merge_commits: field("AllowMerge", nullable(bool())),
  allow_rebase: field("AllowRebase", nullable(bool())),
  allow_rebase_explicit: field("AllowRebaseMerge", nullable(bool())),
  allow_squash_merge: field("AllowSquash", nullable(bool())),
  allow_fast_forward_only_merge: field("AllowFastForwardOnly", nullable(bool())),
  allow_manual_merge: field("AllowManualMerge", nullable(bool())),
  autodetect_manual_merge: field("AutodetectManualMerge", nullable(bool())),
  allow_rebase_update: field("AllowRebaseUpdate", nullable(bool())),
  default_delete_branch_after_merge: field("DefaultDeleteBranchAfterMerge", nullable(bool())),
  default_merge_style: field("DefaultMergeStyle", nullable(text(lengths.line))),
  default_allow_maintainer_edit: field("DefaultAllowMaintainerEdit", nullable(bool())),
  archived: field("Archived", nullable(bool())),
  mirror_interval: field("MirrorInterval", nullable(text(lengths.line))),
  enable_prune: field("EnablePrune", nullable(bool())),
});
export type EditRepoOption = Static<typeof EditRepoOption>;

export const GenerateRepoOption = option("GenerateRepoOption", {
  owner: expected("Owner", text(lengths.line)),
  name: field("Name", text(), "Required", "AlphaDashDot", `MaxSize(${lengths.repositoryName})`),
  default_branch: field("DefaultBranch", text(lengths.ref)),
  description: field("Description", text(), `MaxSize(${lengths.repositoryDescription})`),
  private: field("Private", bool()),
  git_content: field("GitContent", bool()),
  topics: field("Topics", bool()),
  git_hooks: field("GitHooks", bool()),
  webhooks: field("Webhooks", bool()),
  avatar: field("Avatar", bool()),
  labels: field("Labels", bool()),
  protected_branch: field("ProtectedBranch", bool()),
});
export type GenerateRepoOption = Static<typeof GenerateRepoOption>;
