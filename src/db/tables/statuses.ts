import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface StatusTables {
  commit_statuses: CommitStatusesTable;
}

/** What a check said of a commit. Never changed: the newest of a context is what it says now. */
export interface CommitStatusesTable {
  id: Generated<number>;
  repo_id: number;
  oid: string;
  /** Counts from 1 for each commit. */
  number: number;
  /** Which check; may be empty. */
  context: string;
  /** `success`, `failure` and so on, as it was given. */
  state: string;
  description: string;
  target_url: string;
  /** Null: the account is gone. */
  creator_id: number | null;
  created_ms: Millis;
}
