import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface HookTables {
  hooks: HooksTable;
  hook_messages: HookMessagesTable;
  hook_deliveries: HookDeliveriesTable;
}

/** Webhooks. At most one of the two ids is set: the owner, which also determines the repositories covered. */
export interface HooksTable {
  id: Generated<number>;
  repo_id: number | null;
  /** A user or an organization. */
  owner_id: number | null;
  /** `default`: never called, but copied into each new repository. */
  scope: "repository" | "owner" | "system" | "default";
  /** Payload format: `gitea`, `slack` and so on. */
  type: string;
  name: string;
  /** Empty for a hook whose events are only polled. */
  url: string;
  content_type: "json" | "form";
  /** JSON: further settings of its type, by name. */
  settings: string;
  /** JSON: names of the subscribed events. */
  events: string;
  branch_filter: string;
  /** Sealed, like the other secrets. */
  authorization_header: string | null;
  secret: string | null;
  /** Also signs payloads until an expiry, so that receivers can switch secrets. */
  former_secret: string | null;
  former_secret_until_ms: Millis | null;
  is_active: Flag;
  /** Last sequence number assigned to a delivery. */
  last_sequence: Generated<number>;
  /** Consecutive failures since the last success. */
  failures: Generated<number>;
  /** Not called before this time; 0: not blocked. */
  blocked_until_ms: Generated<Millis>;
  /** When its owners were notified of failures; null: it has worked since, or was changed. */
  failure_notified_ms: Generated<Millis | null>;
  created_ms: Millis;
  updated_ms: Millis;
}

/** Payload of an event for receivers: the row is written in the event's transaction, composed once afterwards, and never changed again. */
export interface HookMessagesTable {
  id: Generated<number>;
  event_id: number;
  /** An event may have several messages: a push updates many refs. */
  position: number;
  /** The wire's name: `issues`, or more precisely `issue_label`. */
  event: string;
  event_type: string;
  /** Which part of the event: the name of a ref. */
  subject: string;
  repo_id: number | null;
  actor_id: number | null;
  /** JSON; null until it is composed, empty if it cannot be. */
  payload: string | null;
  /** When it was composed: deliveries are attempted from then on. */
  composed_ms: Millis | null;
  attempts: Generated<number>;
  created_ms: Millis;
}

export interface HookDeliveriesTable {
  id: Generated<number>;
  hook_id: number;
  message_id: number;
  uuid: string;
  /** Counts from 1 per hook, in delivery order; null until the message is composed. */
  sequence: number | null;
  /**
   * `waiting` for its turn; `refused` by a responding receiver, and retried individually; `delivered`; `failed` permanently;
   * `kept` for polling.
   */
  state: "waiting" | "refused" | "delivered" | "failed" | "kept";
  attempts: Generated<number>;
  /** Earliest time. */
  next_attempt_ms: Generated<Millis>;
  /** Status of the last response. */
  response_status: number | null;
  response_body: string | null;
  /** Why there was no response. */
  error: string | null;
  /** A `DeliveryFailure`; empty for none. */
  failure: Generated<string>;
  duration_ms: number | null;
  created_ms: Millis;
  attempted_ms: Millis | null;
}
