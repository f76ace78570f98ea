import type { Static } from "typebox";
import { Comment } from "./comment.ts";
import { Repository } from "./repository.ts";
import { bool, choice, int, nullable, record, text, time } from "./schema.ts";
import { User } from "./user.ts";

export const Activity = record("Activity", {
  id: int(),
  /** The account whose feed contains the entry. */
  user_id: int(),
  op_type: choice(
    "create_repo",
    "rename_repo",
    "star_repo",
    "watch_repo",
    "commit_repo",
    "create_issue",
    "create_pull_request",
    "transfer_repo",
    "push_tag",
    "comment_issue",
    "merge_pull_request",
    "close_issue",
    "reopen_issue",
    "close_pull_request",
    "reopen_pull_request",
    "delete_tag",
    "delete_branch",
    "mirror_sync_push",
    "mirror_sync_create",
    "mirror_sync_delete",
    "approve_pull_request",
    "reject_pull_request",
    "comment_pull",
    "publish_release",
    "pull_review_dismissed",
    "pull_request_ready_for_review",
    "auto_merge_pull_request",
  ),
  act_user_id: int(),
  act_user: nullable(User),
  repo_id: int(),
  repo: nullable(Repository),
  comment_id: int(),
  comment: nullable(Comment),
  ref_name: text(),
  is_private: bool(),
  content: text(),
  created: time(),
});
export type Activity = Static<typeof Activity>;

/** Number of actions of a user in a quarter of an hour. */
export const UserHeatmapData = record("UserHeatmapData", {
  /** Seconds since 1970. */
  timestamp: int(),
  contributions: int(),
});
export type UserHeatmapData = Static<typeof UserHeatmapData>;
