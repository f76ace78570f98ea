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

/** The outbox. A row is written in the transaction of the change that it describes. */
export interface EventsTable {
  id: Generated<number>;
  type: string;
  /** JSON of the event's payload. */
  payload: string;
  repo_id: number | null;
  actor_id: number | null;
  created_ms: Millis;
  /** 1 once every listener has handled it. */
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
  /** Incremented by each lease; a worker with an old fence cannot change the job. */
  fence: Generated<number>;
  lease_until_ms: Millis | null;
  /** The process running it (`Presence.id`). Null: none, or one without a presence. */
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

/** First responses to POST requests with an Idempotency-Key, kept for 24 h. */
export interface IdempotencyKeysTable {
  account_id: number;
  key: string;
  /** A MAC of method, path and body. */
  request_hash: string;
  /** 0 while the first request is running. */
  status: number;
  headers: string;
  /** Sealed. */
  body: string;
  created_ms: Millis;
}

/** Values that the server generates once for itself: secrets, ids. */
export interface ServerValuesTable {
  name: string;
  value: string;
}

export interface MigrationsTable {
  id: number;
  name: string;
  applied_ms: Millis;
  /** The number of migrations that a program must know to use the schema; 0 if the migration only adds. */
  oldest_program: Generated<number>;
}
