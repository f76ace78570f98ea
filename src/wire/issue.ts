import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { Attachment } from "./attachment.ts";
import { Label } from "./label.ts";
import { Milestone } from "./milestone.ts";
import { anything, bool, choice, deprecated, expected, field, int, list, nullable, option, record, text, time } from "./schema.ts";
import { User } from "./user.ts";

export const PullRequestMeta = record("PullRequestMeta", {
  merged: bool(),
  merged_at: nullable(time()),
  draft: bool(),
  html_url: text(),
});
export type PullRequestMeta = Static<typeof PullRequestMeta>;

export const RepositoryMeta = record("RepositoryMeta", {
  id: int(),
  name: text(),
  owner: text(),
  full_name: text(),
});
export type RepositoryMeta = Static<typeof RepositoryMeta>;

/** An issue, or the issue view of a pull request. */
export const Issue = record("Issue", {
  id: int(),
  url: text(),
  html_url: text(),
  number: int(),
  user: nullable(User),
  original_author: text(),
  original_author_id: int(),
  title: text(),
  body: text(),
  ref: text(),
  assets: nullable(list(Attachment)),
  labels: nullable(list(Label)),
  milestone: nullable(Milestone),
  /** The first of `assignees`. */
  assignee: nullable(User),
  assignees: nullable(list(User)),
  state: choice("open", "closed"),
  is_locked: bool(),
  comments: int(),
  created_at: time(),
  updated_at: time(),
  closed_at: nullable(time()),
  due_date: nullable(time()),
  /** Seconds. */
  time_estimate: int(),
  pull_request: nullable(PullRequestMeta),
  repository: nullable(RepositoryMeta),
  pin_order: int(),
  content_version: int(),
});
export type Issue = Static<typeof Issue>;

export const CreateIssueOption = option("CreateIssueOption", {
  title: field("Title", text(lengths.title), "Required"),
  body: field("Body", text(lengths.comment)),
  ref: field("Ref", text(lengths.ref)),
  assignee: deprecated(field("Assignee", text(lengths.line))),
  assignees: field("Assignees", nullable(list(text(lengths.line), counts.few))),
  due_date: field("Deadline", nullable(time())),
  milestone: field("Milestone", int()),
  labels: field("Labels", nullable(list(int(), counts.names))),
  closed: field("Closed", bool()),
});
export type CreateIssueOption = Static<typeof CreateIssueOption>;

export const EditIssueOption = option("EditIssueOption", {
  title: field("Title", text(lengths.title)),
  body: field("Body", nullable(text(lengths.comment))),
  ref: field("Ref", nullable(text(lengths.ref))),
  assignee: deprecated(field("Assignee", nullable(text(lengths.line)))),
  assignees: field("Assignees", nullable(list(text(lengths.line), counts.few))),
  milestone: field("Milestone", nullable(int())),
  state: field("State", nullable(text(lengths.line))),
  due_date: field("Deadline", nullable(time())),
  unset_due_date: field("RemoveDeadline", nullable(bool())),
  /** Seconds; 0 for none. */
  time_estimate: field("TimeEstimate", nullable(int())),
  content_version: field("ContentVersion", nullable(int())),
});
export type EditIssueOption = Static<typeof EditIssueOption>;

export const IssueLabelsOption = option("IssueLabelsOption", {
  /** Ids or names, not both. */
  labels: field("Labels", nullable(list(anything(lengths.line), counts.names))),
});
export type IssueLabelsOption = Static<typeof IssueLabelsOption>;

export const EditDeadlineOption = option("EditDeadlineOption", {
  due_date: expected("Deadline", nullable(time())),
});
export type EditDeadlineOption = Static<typeof EditDeadlineOption>;

export const IssueDeadline = record("IssueDeadline", {
  due_date: nullable(time()),
});
export type IssueDeadline = Static<typeof IssueDeadline>;

export const LockIssueOption = option("LockIssueOption", {
  lock_reason: field("Reason", text(lengths.line)),
});
export type LockIssueOption = Static<typeof LockIssueOption>;

export const TransferIssueOption = option("TransferIssueOption", {
  /** `owner/name`. */
  repository: expected("Repository", text(lengths.line)),
});
export type TransferIssueOption = Static<typeof TransferIssueOption>;

/** Identifies an issue of any repository. */
export const IssueMeta = option("IssueMeta", {
  index: field("Index", int()),
  owner: field("Owner", text(lengths.line)),
  repo: field("Name", text(lengths.line)),
});
export type IssueMeta = Static<typeof IssueMeta>;

/** Whether another issue or pull request may be pinned. */
export const NewIssuePinsAllowed = record("NewIssuePinsAllowed", {
  issues: bool(),
  pull_requests: bool(),
});
export type NewIssuePinsAllowed = Static<typeof NewIssuePinsAllowed>;
