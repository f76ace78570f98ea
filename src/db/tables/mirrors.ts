import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface MirrorTables {
  pull_mirrors: PullMirrorsTable;
  push_mirrors: PushMirrorsTable;
  repo_migrations: RepoMigrationsTable;
}

/** Source of a pull mirror. */
export interface PullMirrorsTable {
  repo_id: number;
  /** Without credentials. */
  address: string;
  /** Sealed. */
  credentials: string | null;
  /** Null if the wiki is not mirrored. */
  wiki_address: string | null;
  /** 0: only on request. */
  interval_ms: number;
  next_sync_ms: Millis | null;
  /** Last successful synchronization. */
  synced_ms: Millis;
  /** Consecutive failures since then. */
  failures: Generated<number>;
  last_error: Generated<string>;
  /** A `RemoteFailure`; empty for none. */
  failure: Generated<string>;
}

/** Targets of push mirrors. */
export interface PushMirrorsTable {
  id: Generated<number>;
  repo_id: number;
  name: string;
  /** Without credentials. */
  address: string;
  /** Sealed. */
  credentials: string | null;
  /** 0: only on request, or on every push if enabled. */
  interval_ms: number;
  syncs_on_commit: Flag;
  next_sync_ms: Millis | null;
  /** 0: never. */
  synced_ms: Generated<Millis>;
  failures: Generated<number>;
  last_error: Generated<string>;
  /** A `RemoteFailure`; empty for none. */
  failure: Generated<string>;
  created_ms: Millis;
}

/** Running migrations, and for some days finished ones. */
export interface RepoMigrationsTable {
  id: Generated<number>;
  /** The requesting account. */
  account_id: number;
  /** Owner of the new repository. */
  owner_id: number;
  name_folded: string;
  /** Full name of the new repository. */
  full_name: string;
  /** Without credentials. */
  address: string;
  /** The migration request with credentials; sealed. Null once it has ended. */
  sealed_input: string | null;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  phase: "code" | "wiki" | "tracker" | "large files" | "writing";
  /** Bytes of received packs. */
  received_bytes: Generated<number>;
  /** The other server's rate limit ends at this time. */
  resumes_ms: Millis | null;
  /** Cancellation was requested. */
  is_cancelled: Generated<Flag>;
  /** Store of the code until the repository is created: received objects are not fetched again. */
  code_store_id: number | null;
  repo_id: number | null;
  /** One of `errorCodes`, for a failed migration. */
  error_code: Generated<string>;
  error: Generated<string>;
  /** The code of a `MigrationFailure`; empty for none. */
  failure: Generated<string>;
  /** Its values, as JSON; empty for none. */
  failure_values: Generated<string>;
  created_ms: Millis;
  ended_ms: Millis | null;
}
