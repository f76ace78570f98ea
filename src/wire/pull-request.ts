import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { Label } from "./label.ts";
import { Milestone } from "./milestone.ts";
import { Repository } from "./repository.ts";
import { bool, choice, field, int, list, nullable, option, optional, record, renamed, text, time, usually } from "./schema.ts";
import { Team } from "./team.ts";
import { User } from "./user.ts";

/** Head or base branch of a pull request. */
export const PRBranchInfo = record("PRBranchInfo", {
  label: text(),
  /** The branch; `refs/pull/{index}/head` after the head branch is deleted. */
  ref: text(),
  sha: text(),
  /** -1 for a deleted repository. */
  repo_id: int(),
  repo: nullable(Repository),
});
export type PRBranchInfo = Static<typeof PRBranchInfo>;

export const PullRequest = record("PullRequest", {
  id: int(),
  url: text(),
  number: int(),
  user: nullable(User),
  title: text(),
  body: text(),
  labels: nullable(list(Label)),
  milestone: nullable(Milestone),
  assignee: nullable(User),
  assignees: nullable(list(User)),
  requested_reviewers: nullable(list(User)),
  requested_reviewers_teams: nullable(list(Team)),
  state: choice("open", "closed"),
  draft: bool(),
  is_locked: bool(),
  comments: int(),
  review_comments: optional(int()),
  additions: optional(int()),
  deletions: optional(int()),
  changed_files: optional(int()),
  html_url: text(),
  diff_url: text(),
  patch_url: text(),
  mergeable: bool(),
  merged: bool(),
  merged_at: nullable(time()),
  merge_commit_sha: nullable(text()),
  merged_by: nullable(User),
  allow_maintainer_edit: bool(),
  base: nullable(PRBranchInfo),
  head: nullable(PRBranchInfo),
  merge_base: text(),
  due_date: nullable(time()),
  created_at: nullable(time()),
  updated_at: nullable(time()),
  closed_at: nullable(time()),
  pin_order: int(),
  content_version: int(),
});
export type PullRequest = Static<typeof PullRequest>;

export const ChangedFile = record("ChangedFile", {
  filename: text(),
  previous_filename: optional(text()),
  status: text<"added" | "changed" | "deleted" | "renamed" | "copied">(),
  additions: int(),
  deletions: int(),
  changes: int(),
  html_url: optional(text()),
  contents_url: optional(text()),
  raw_url: optional(text()),
});
export type ChangedFile = Static<typeof ChangedFile>;

export const CreatePullRequestOption = option("CreatePullRequestOption", {
  head: field("Head", text(lengths.ref), "Required"),
  base: field("Base", text(lengths.ref), "Required"),
  title: field("Title", text(lengths.title), "Required"),
  body: field("Body", text(lengths.comment)),
  assignee: field("Assignee", text(lengths.line)),
  assignees: field("Assignees", nullable(list(text(lengths.line), counts.few))),
  milestone: field("Milestone", int()),
  labels: field("Labels", nullable(list(int(), counts.names))),
  due_date: field("Deadline", nullable(time())),
  reviewers: field("Reviewers", nullable(list(text(lengths.line), counts.few))),
  team_reviewers: field("TeamReviewers", nullable(list(text(lengths.line), counts.few))),
  allow_maintainer_edit: field("AllowMaintainerEdit", nullable(bool())),
});
export type CreatePullRequestOption = Static<typeof CreatePullRequestOption>;

export const EditPullRequestOption = option("EditPullRequestOption", {
  title: field("Title", text(lengths.title)),
  body: field("Body", nullable(text(lengths.comment))),
  base: field("Base", text(lengths.ref)),
  assignee: field("Assignee", text(lengths.line)),
  assignees: field("Assignees", nullable(list(text(lengths.line), counts.few))),
  milestone: field("Milestone", int()),
  labels: field("Labels", nullable(list(int(), counts.names))),
  state: field("State", nullable(text(lengths.line))),
  due_date: field("Deadline", nullable(time())),
  unset_due_date: field("RemoveDeadline", nullable(bool())),
  allow_maintainer_edit: field("AllowMaintainerEdit", nullable(bool())),
  content_version: field("ContentVersion", nullable(int())),
});
export type EditPullRequestOption = Static<typeof EditPullRequestOption>;

const styles = ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only", "manually-merged"] as const;

export const MergePullRequestOption = option("MergePullRequestOption", {
  do: field("Do", usually<(typeof styles)[number]>(...styles), "Required", `In(${styles.join(",")})`),
  merge_title_field: renamed(field("MergeTitleField", nullable(text(lengths.content)))),
  merge_message_field: renamed(field("MergeMessageField", nullable(text(lengths.content)))),
  merge_commit_id: renamed(field("MergeCommitID", nullable(text(lengths.ref)))),
  delete_branch_after_merge: field("DeleteBranchAfterMerge", nullable(bool())),
  force_merge: field("ForceMerge", nullable(bool())),
  head_commit_id: field("HeadCommitID", nullable(text(lengths.ref))),
  merge_when_checks_succeed: field("MergeWhenChecksSucceed", nullable(bool())),
});
export type MergePullRequestOption = Static<typeof MergePullRequestOption>;
