import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface CommitCommentTables {
  commit_comments: CommitCommentsTable;
}

export interface CommitCommentsTable {
  id: Generated<number>;
  repo_id: number;
  commit_oid: string;
  /** Null: the account was deleted. */
  poster_id: number | null;
  content: string;
  /** Number of edits. */
  content_version: Generated<number>;
  created_ms: Millis;
  updated_ms: Millis;
}
