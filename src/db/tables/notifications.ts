import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface NotificationTables {
  notifications: NotificationsTable;
  notification_choices: NotificationChoicesTable;
}

/** Notifications of an account: about an issue, pull request, commit or repository. */
export interface NotificationsTable {
  id: Generated<number>;
  account_id: number;
  repo_id: number;
  /** Null: about a commit, a release or the repository. */
  issue_id: number | null;
  /** Threads about releases have a value that is no object id: programs before have a unique index of threads without issue and commit. */
  commit_oid: string | null;
  release_id: Generated<number | null>;
  status: "unread" | "read" | "pinned";
  /** The latest comment. */
  comment_id: number | null;
  /** The reason of the last event, see `notifications/reasons.ts`; null for rows of versions before. */
  reason: Generated<string | null>;
  created_ms: Millis;
  /** Last event; marking as read does not change it. */
  updated_ms: Millis;
}

/** How an account is notified for a kind of reason; both ways without a row. */
export interface NotificationChoicesTable {
  account_id: number;
  kind: string;
  web: 0 | 1;
  email: 0 | 1;
}
