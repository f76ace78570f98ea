import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface ActivityTables {
  activities: ActivitiesTable;
}

/** What somebody did in a repository, for feeds. Written in the transaction in which it was done. */
export interface ActivitiesTable {
  id: Generated<number>;
  /** `create_repo`, `commit_repo`, ...: as the wire names it. */
  kind: string;
  actor_id: number;
  repo_id: number;
  /** Whose the repository was then. */
  owner_id: number | null;
  /** The whole name of the ref that moved; empty where none did. */
  ref_name: string;
  old_oid: string | null;
  new_oid: string | null;
  /** What it was about, where no ref says it: a former name, `number|title` of an issue. */
  subject: string;
  comment_id: number | null;
  created_ms: Millis;
}
