import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface GitTables {
  git_stores: GitStoresTable;
  refs: RefsTable;
  commit_counts: CommitCountsTable;
  commit_changes: CommitChangesTable;
  last_commits: LastCommitsTable;
  store_problems: StoreProblemsTable;
  deleted_branches: DeletedBranchesTable;
}

/** Branches that can be brought back. A ref of the store that nobody is told of keeps what each of them led to. */
export interface DeletedBranchesTable {
  id: Generated<number>;
  repo_id: number;
  store_id: number;
  /** Short: `main`. */
  name: string;
  oid: string;
  /** Null: a key of the repository deleted it, or the account is gone. */
  deleter_id: number | null;
  deleted_ms: Millis;
}

/** What holds objects and refs. Its directory on disk follows from the id alone. */
export interface GitStoresTable {
  id: Generated<number>;
  object_format: "sha1" | "sha256";
  /** Full name of the ref that HEAD stands for, `refs/heads/main`. */
  head_ref: string;
  /** Counts up with every transaction that moves a ref or HEAD. */
  refs_version: Generated<number>;
  /** The `refs_version` that the disk shows. Smaller than `refs_version`: the projection is behind. */
  projected_version: Generated<number>;
  /** Bytes of packs and loose objects, as accounted at each write. */
  size_bytes: Generated<number>;
  /** Moves of refs since packs were last joined and the commit-graph extended. */
  writes_since_housekeeping: Generated<number>;
  /** The `refs_version` at which everything was last packed into one and garbage dropped. */
  collected_version: Generated<number>;
  /** When all objects were last read and checked; 0: never. */
  checked_ms: Generated<Millis>;
  created_ms: Millis;
}

/** What the last check of a store found wrong. */
export interface StoreProblemsTable {
  id: Generated<number>;
  store_id: number;
  problem: string;
  found_ms: Millis;
}

export interface RefsTable {
  store_id: number;
  /** Full name, `refs/heads/main`. */
  name: string;
  oid: string;
  type: "commit" | "tree" | "blob" | "tag";
  /** What an annotated tag leads to in the end; empty when `oid` is no tag object. */
  peeled_oid: string;
  /** When the tip was made: its committer's or tagger's time, 0 where it has none. Branches and tags are listed by it. */
  tip_ms: Millis;
  updated_ms: Millis;
}

/** Commits reachable from a tip: a fact of the id, droppable, never stale. */
export interface CommitCountsTable {
  store_id: number;
  oid: string;
  count: number;
}

/** Changed paths and line counts of a commit against its first parent, as JSON: a fact of the id. */
export interface CommitChangesTable {
  store_id: number;
  oid: string;
  changes: string;
}

/** Last commit of each entry of a directory as seen from a tip, as JSON: a fact of the ids. */
export interface LastCommitsTable {
  store_id: number;
  tip_oid: string;
  /** Directory, `` for the root; or, behind a slash, the path of one entry alone. */
  path: string;
  entries: string;
}
