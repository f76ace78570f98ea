import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface NotificationTables {
  notifications: NotificationsTable;
}

/** One account's news of one issue or pull request, of one commit, or of a repository itself. */
export interface NotificationsTable {
  id: Generated<number>;
  account_id: number;
  repo_id: number;
  /** Null: of a commit or the repository. */
  issue_id: number | null;
  commit_oid: string | null;
  status: "unread" | "read" | "pinned";
  /** The latest comment that it tells of. */
  comment_id: number | null;
  created_ms: Millis;
  /** When something happened last; marking changes it not. */
  updated_ms: Millis;
}
