import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface ActivityTables {
  activities: ActivitiesTable;
}

/** Actions in a repository, for activity feeds. Written in the transaction of the action. */
export interface ActivitiesTable {
  id: Generated<number>;
  /** `create_repo`, `commit_repo`, ...: the wire's name. */
  kind: string;
  actor_id: number;
  repo_id: number;
  /** Owner of the repository at that time. */
  owner_id: number | null;
  /** Full name of the updated ref; empty if there is none. */
  ref_name: string;
  old_oid: string | null;
  new_oid: string | null;
  /** Subject of actions without a ref: a former name, `number|title` of an issue. */
  subject: string;
  comment_id: number | null;
  created_ms: Millis;
}
