import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface MirrorTables {
  pull_mirrors: PullMirrorsTable;
  push_mirrors: PushMirrorsTable;
  repo_migrations: RepoMigrationsTable;
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

/** A repository that is brought from elsewhere, and for some days what has become of it. */
export interface RepoMigrationsTable {
  id: Generated<number>;
  /** Who asked for it. */
  account_id: number;
  /** Whose it becomes. */
  owner_id: number;
  name_folded: string;
  /** What it becomes. */
  full_name: string;
  /** Holds no credentials. */
  address: string;
  /** What is to be brought, with its credentials; sealed. Null as soon as it has ended. */
  wish: string | null;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  phase: "code" | "wiki" | "tracker" | "large files" | "writing";
  /** Of packs. */
  received_bytes: Generated<number>;
  /** The other server lets nothing be asked before. */
  resumes_ms: Millis | null;
  /** Somebody wants it to end. */
  is_cancelled: Generated<Flag>;
  /** Where its code is until the repository has it: what has come need not come again. */
  code_store_id: number | null;
  repo_id: number | null;
  /** Of `errorCodes`, for one that failed. */
  error_code: Generated<string>;
  error: Generated<string>;
  created_ms: Millis;
  ended_ms: Millis | null;
}
