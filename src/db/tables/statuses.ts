import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface StatusTables {
  commit_statuses: CommitStatusesTable;
}

/** Commit statuses. Immutable: the newest one of a context is the current one. */
export interface CommitStatusesTable {
  id: Generated<number>;
  repo_id: number;
  oid: string;
  /** Counts from 1 for each commit. */
  number: number;
  /** Name of the check; may be empty. */
  context: string;
  /** `success`, `failure` and so on, as received. */
  state: string;
  description: string;
  target_url: string;
  /** Null: the account was deleted. */
  creator_id: number | null;
  created_ms: Millis;
}
