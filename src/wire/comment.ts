import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { Attachment } from "./attachment.ts";
import { Issue } from "./issue.ts";
import { Label } from "./label.ts";
import { Milestone } from "./milestone.ts";
import { bool, field, int, list, nullable, option, record, text, time } from "./schema.ts";
import { Team } from "./team.ts";
import { TrackedTime } from "./tracked-time.ts";
import { User } from "./user.ts";

export const Comment = record("Comment", {
  id: int(),
  html_url: text(),
  /** URL of the page; empty on issues. */
  pull_request_url: text(),
  /** URL of the page; empty on pull requests. */
  issue_url: text(),
  user: nullable(User),
  original_author: text(),
  original_author_id: int(),
  body: text(),
  assets: nullable(list(Attachment)),
  created_at: time(),
  updated_at: time(),
});
export type Comment = Static<typeof Comment>;

export const TimelineComment = record("TimelineComment", {
  id: int(),
  type: text(),
  html_url: text(),
  pull_request_url: text(),
  issue_url: text(),
  user: nullable(User),
  body: text(),
  created_at: time(),
  updated_at: time(),
  old_project_id: int(),
  project_id: int(),
  old_milestone: nullable(Milestone),
  milestone: nullable(Milestone),
  tracked_time: nullable(TrackedTime),
  old_title: text(),
  new_title: text(),
  old_ref: text(),
  new_ref: text(),
  ref_issue: nullable(Issue),
  ref_comment: nullable(Comment),
  /** `none`, `closes`, `reopens` or `neutered`. */
  ref_action: text(),
  ref_commit_sha: text(),
  review_id: int(),
  label: nullable(Label),
  assignee: nullable(User),
  assignee_team: nullable(Team),
  removed_assignee: bool(),
  resolve_doer: nullable(User),
  dependent_issue: nullable(Issue),
});
export type TimelineComment = Static<typeof TimelineComment>;

export const CreateIssueCommentOption = option("CreateIssueCommentOption", {
  body: field("Body", text(lengths.comment), "Required"),
});
export type CreateIssueCommentOption = Static<typeof CreateIssueCommentOption>;

export const EditIssueCommentOption = option("EditIssueCommentOption", {
  body: field("Body", text(lengths.comment), "Required"),
});
export type EditIssueCommentOption = Static<typeof EditIssueCommentOption>;
