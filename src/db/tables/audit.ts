import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface AuditTables {
  audit_log: AuditLogTable;
  audit_prunings: AuditPruningsTable;
  badges: BadgesTable;
  user_badges: UserBadgesTable;
}

/** Who changed whose access to what. Triggers refuse every change of a row; names are those of the moment. */
export interface AuditLogTable {
  id: Generated<number>;
  created_ms: Millis;
  /** The type of the event. */
  action: string;
  /** Null: the server itself, or its operator. */
  actor_id: number | null;
  actor_name: string;
  actor_folded: string;
  /** As whom an administrator acted; null where he was himself. */
  acting_as_id: number | null;
  acting_as_name: string;
  /** How the actor proved who he is: the kind of his credential, `cli` for the operator, `system` for the server. */
  carrier: string;
  /** The number of the token, key or session, where the credential has one. */
  credential_id: number | null;
  address: string;
  target_kind: string;
  target_id: number | null;
  target_name: string;
  target_folded: string;
  /** Whose access it is. */
  account_id: number | null;
  account_name: string;
  account_folded: string;
  /** JSON: what else the event tells. */
  details: string;
}

/** What the operator let go: rows from before these times. Each is told by a row of the log. */
export interface AuditPruningsTable {
  id: Generated<number>;
  before_ms: Millis;
  created_ms: Millis;
}

/** What administrators decorate users with. */
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
