import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface NotificationTables {
  notifications: NotificationsTable;
}

/** Notifications of an account: about an issue, pull request, commit or repository. */
export interface NotificationsTable {
  id: Generated<number>;
  account_id: number;
  repo_id: number;
  /** Null: about a commit or the repository. */
  issue_id: number | null;
  commit_oid: string | null;
  status: "unread" | "read" | "pinned";
  /** The latest comment. */
  comment_id: number | null;
  created_ms: Millis;
  /** Last event; marking as read does not change it. */
  updated_ms: Millis;
}
