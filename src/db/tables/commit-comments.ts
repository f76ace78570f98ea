import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface CommitCommentTables {
  commit_comments: CommitCommentsTable;
}

export interface CommitCommentsTable {
  id: Generated<number>;
  repo_id: number;
  commit_oid: string;
  /** Null: the account was deleted, or the author has no account. */
  poster_id: number | null;
  /** Author at the source of an import; empty: written here. */
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  content: string;
  /** Number of edits. */
  content_version: Generated<number>;
  created_ms: Millis;
  updated_ms: Millis;
}
