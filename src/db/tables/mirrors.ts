import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface MirrorTables {
  pull_mirrors: PullMirrorsTable;
  push_mirrors: PushMirrorsTable;
  running_migrations: RunningMigrationsTable;
}

/** What a repository is fetched from. */
export interface PullMirrorsTable {
  repo_id: number;
  /** Holds no credentials. */
  address: string;
  /** Sealed. */
  credentials: string | null;
  /** Null where the wiki does not come along. */
  wiki_address: string | null;
  /** 0: only when somebody asks. */
  interval_ms: number;
  next_sync_ms: Millis | null;
  /** When it was last like its source. */
  synced_ms: Millis;
  /** Since then. */
  failures: Generated<number>;
  last_error: Generated<string>;
}

/** What a repository is pushed to. */
export interface PushMirrorsTable {
  id: Generated<number>;
  repo_id: number;
  name: string;
  /** Holds no credentials. */
  address: string;
  /** Sealed. */
  credentials: string | null;
  /** 0: only when somebody asks, or with every change where that is wished. */
  interval_ms: number;
  syncs_on_commit: Flag;
  next_sync_ms: Millis | null;
  /** 0: never. */
  synced_ms: Generated<Millis>;
  failures: Generated<number>;
  last_error: Generated<string>;
  created_ms: Millis;
}

/** A migration that is under way. */
export interface RunningMigrationsTable {
  id: Generated<number>;
  /** Who asked for it. */
  account_id: number;
  /** What it becomes. */
  full_name: string;
  /** Holds no credentials. */
  address: string;
  phase: "code" | "wiki" | "tracker" | "large files" | "writing";
  /** Of packs. */
  received_bytes: Generated<number>;
  /** Somebody wants it to end. */
  is_cancelled: Generated<Flag>;
  started_ms: Millis;
  /** When its process last said that it goes on. */
  seen_ms: Millis;
}
