import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface AuditTables {
  audit_log: AuditLogTable;
  audit_prunings: AuditPruningsTable;
  badges: BadgesTable;
  user_badges: UserBadgesTable;
  system_notices: SystemNoticesTable;
}

/** Failures that administrators should know. */
export interface SystemNoticesTable {
  id: Generated<number>;
  kind: string;
  /** JSON of the values of its sentence. */
  details: string;
  created_ms: Millis;
}

/** Audit log of access changes. Triggers reject every update of a row; names are those at the time. */
export interface AuditLogTable {
  id: Generated<number>;
  created_ms: Millis;
  /** The type of the event. */
  action: string;
  /** Null: the server itself, or its operator. */
  actor_id: number | null;
  actor_name: string;
  actor_folded: string;
  /** The user as whom an administrator acted; null if they acted as themselves. */
  acting_as_id: number | null;
  acting_as_name: string;
  /** How the actor authenticated: the kind of credential, `cli` for the operator, `system` for the server. */
  carrier: string;
  /** Id of the token, key or session, if the credential has one. */
  credential_id: number | null;
  address: string;
  target_kind: string;
  target_id: number | null;
  target_name: string;
  target_folded: string;
  /** The account whose access changed. */
  account_id: number | null;
  account_name: string;
  account_folded: string;
  /** JSON: the event's remaining payload. */
  details: string;
}

/** Deletions of old rows by the operator: everything before these times. Each is recorded in the log. */
export interface AuditPruningsTable {
  id: Generated<number>;
  before_ms: Millis;
  created_ms: Millis;
}

/** Badges that administrators assign to users. */
export interface BadgesTable {
  id: Generated<number>;
  slug: string;
  description: string;
  image_url: string;
}

export interface UserBadgesTable {
  account_id: number;
  badge_id: number;
}
