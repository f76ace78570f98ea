import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface SavedReplyTables {
  saved_replies: SavedRepliesTable;
}

/** Texts that a user inserts into comments. */
export interface SavedRepliesTable {
  id: Generated<number>;
  account_id: number;
  title: string;
  /** Markdown. */
  content: string;
  updated_ms: Millis;
}
