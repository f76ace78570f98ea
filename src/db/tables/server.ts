import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface ServerTables {
  events: EventsTable;
  jobs: JobsTable;
  schedules: SchedulesTable;
  idempotency_keys: IdempotencyKeysTable;
  server_values: ServerValuesTable;
  migrations: MigrationsTable;
}

/** The outbox. A row is written in the transaction of the change that it tells of. */
export interface EventsTable {
  id: Generated<number>;
  type: string;
  /** JSON of the event's payload. */
  payload: string;
  repo_id: number | null;
  actor_id: number | null;
  created_ms: Millis;
  /** 1 when every listener has taken it. */
  is_dispatched: Generated<Flag>;
}

export interface JobsTable {
  id: Generated<number>;
  kind: string;
  payload: string;
  /** Not null: at most one waiting job of this kind and key. */
  dedupe_key: string | null;
  state: "waiting" | "running" | "failed";
  run_at_ms: Millis;
  attempts: Generated<number>;
  /** Counts up with each lease; a worker whose fence is old changes nothing. */
  fence: Generated<number>;
  lease_until_ms: Millis | null;
  /** The process that runs it (`Presence.id`). Null: none, or one that has no presence. */
  worker: Generated<number | null>;
  last_error: string | null;
  created_ms: Millis;
}

export interface SchedulesTable {
  name: string;
  next_run_ms: Millis;
  last_run_ms: Millis | null;
  runs: Generated<number>;
}

/** First answers of POST requests that carried an Idempotency-Key, kept for 24 h. */
export interface IdempotencyKeysTable {
  account_id: number;
  key: string;
  /** A MAC of method, path and body. */
  request_hash: string;
  /** 0 while the first request is under way. */
  status: number;
  headers: string;
  /** Sealed. */
  body: string;
  created_ms: Millis;
}

/** Values that the server makes once for itself: secrets, ids. */
export interface ServerValuesTable {
  name: string;
  value: string;
}

export interface MigrationsTable {
  id: number;
  name: string;
  applied_ms: Millis;
}
