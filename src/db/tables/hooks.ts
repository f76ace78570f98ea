import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface HookTables {
  hooks: HooksTable;
  hook_messages: HookMessagesTable;
  hook_deliveries: HookDeliveriesTable;
}

/** Whom to call when something happens. At most one of the two ids is set: whose it is, and whose repositories it hears of. */
export interface HooksTable {
  id: Generated<number>;
  repo_id: number | null;
  /** A user or an organization. */
  owner_id: number | null;
  /** `default`: calls nobody, and is copied into each new repository. */
  scope: "repository" | "owner" | "system" | "default";
  /** The format of what is sent: `gitea`, `slack` and so on. */
  type: string;
  name: string;
  /** Empty for one whose events are only fetched. */
  url: string;
  content_type: "json" | "form";
  /** JSON: what its type needs besides, by name. */
  settings: string;
  /** JSON: the names of the events that it hears of. */
  events: string;
  branch_filter: string;
  /** Sealed, as the other secrets. */
  authorization_header: string | null;
  secret: string | null;
  /** Signs too until a time: receivers change theirs when they can. */
  former_secret: string | null;
  former_secret_until_ms: Millis | null;
  is_active: Flag;
  /** Of its deliveries, as far as they have been put in order. */
  last_sequence: Generated<number>;
  /** How often it has not answered since it last did. */
  failures: Generated<number>;
  /** It is not called before this time; 0: it answers. */
  blocked_until_ms: Generated<Millis>;
  /** When its owners were told that it fails; null: it has worked since, or was changed. */
  failure_told_ms: Generated<Millis | null>;
  created_ms: Millis;
  updated_ms: Millis;
}

/** What an event says to receivers: written in the event's transaction, composed once behind it, and the same ever after. */
export interface HookMessagesTable {
  id: Generated<number>;
  event_id: number;
  /** Of one event there may be several: a push moves many refs. */
  position: number;
  /** As the wire names it: `issues`, and more exactly `issue_label`. */
  event: string;
  event_type: string;
  /** What of the event it tells of: the name of a ref. */
  subject: string;
  repo_id: number | null;
  actor_id: number | null;
  /** JSON; null until it is composed, empty when it cannot be. */
  payload: string | null;
  /** When that was: from here on it is tried to be told. */
  composed_ms: Millis | null;
  attempts: Generated<number>;
  created_ms: Millis;
}

export interface HookDeliveriesTable {
  id: Generated<number>;
  hook_id: number;
  message_id: number;
  uuid: string;
  /** Counts from 1 for each hook, in the order in which it is told; null until the message is composed. */
  sequence: number | null;
  /**
   * `waiting` for its turn; `refused` by a receiver that answers, and tried again by itself; `delivered`; `failed` for good;
   * `kept` to be fetched.
   */
  state: "waiting" | "refused" | "delivered" | "failed" | "kept";
  attempts: Generated<number>;
  /** Not before this time. */
  next_attempt_ms: Generated<Millis>;
  /** Of the last answer. */
  response_status: number | null;
  response_body: string | null;
  /** Why there was none. */
  error: string | null;
  duration_ms: number | null;
  created_ms: Millis;
  attempted_ms: Millis | null;
}
