import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface NotificationTables {
  notifications: NotificationsTable;
}

/** One account's news of one issue or pull request. */
export interface NotificationsTable {
  id: Generated<number>;
  account_id: number;
  repo_id: number;
  issue_id: number;
  status: "unread" | "read" | "pinned";
  /** The latest comment that it tells of. */
  comment_id: number | null;
  created_ms: Millis;
  /** When something happened last; marking changes it not. */
  updated_ms: Millis;
}
