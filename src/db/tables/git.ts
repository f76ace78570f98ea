import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface GitTables {
  git_stores: GitStoresTable;
  refs: RefsTable;
  ref_moves: RefMovesTable;
  store_packs: StorePacksTable;
  replaced_packs: ReplacedPacksTable;
  commit_counts: CommitCountsTable;
  commit_changes: CommitChangesTable;
  last_commits: LastCommitsTable;
  path_counts: PathCountsTable;
  store_problems: StoreProblemsTable;
  deleted_branches: DeletedBranchesTable;
}

/** Deleted branches that can be restored. A hidden ref of the store keeps their commits. */
export interface DeletedBranchesTable {
  id: Generated<number>;
  repo_id: number;
  store_id: number;
  /** Short name: `main`. */
  name: string;
  oid: string;
  /** Null: deleted with a deploy key, or the account was deleted. */
  deleter_id: number | null;
  deleted_ms: Millis;
}

/** Stores of objects and refs. The directory on disk is derived from the id alone. */
export interface GitStoresTable {
  id: Generated<number>;
  object_format: "sha1" | "sha256";
  /** Full name of HEAD's target, `refs/heads/main`. */
  head_ref: string;
  /** Incremented by every transaction that updates a ref or HEAD. */
  refs_version: Generated<number>;
  /** Random number of the version. */
  refs_token: Generated<number>;
  /** The `refs_version` projected to disk. Smaller than `refs_version`: the projection is outdated. */
  projected_version: Generated<number>;
  /** Bytes of packs and loose objects, updated at each write. */
  size_bytes: Generated<number>;
  /** Ref updates since packs were last combined and the commit-graph extended. */
  writes_since_housekeeping: Generated<number>;
  /** The `refs_version` of the last full repack and garbage collection. */
  collected_version: Generated<number>;
  /** Start of the last collection whose removed objects are kept beside the store; null if there are none. */
  set_aside_ms: Millis | null;
  /** Incremented by every transaction that changes the list of packs; 0 if the packs are on a local disk. */
  packs_version: Generated<number>;
  /** When all objects were last checked; 0: never. */
  checked_ms: Generated<Millis>;
  created_ms: Millis;
}

/** Problems found by the last check of a store. */
export interface StoreProblemsTable {
  id: Generated<number>;
  store_id: number;
  problem: string;
  found_ms: Millis;
}

/** The packs of a store, if several nodes share them. */
export interface StorePacksTable {
  store_id: number;
  /** Base name of the files, `pack-` and a digest. */
  name: string;
  /** The files in the order in which their contents are stored, as JSON: pairs of an extension and a size. */
  parts: string;
  /** Size of all parts. */
  size_bytes: number;
  /** SHA-256 of all parts, as hex. */
  digest: string;
  /** The name in the bucket; null for a small pack, whose bytes are in `content`. */
  file: string | null;
  content: Buffer | null;
  created_ms: Millis;
}

/** Packs in the bucket that a store no longer has. They are kept for backups of the database, and for copies that are being made. */
export interface ReplacedPacksTable {
  /** Name in the bucket. Another store may have the pack. */
  file: string;
  replaced_ms: Millis;
}

/** The refs that a version moved. Old versions are not recorded. */
export interface RefMovesTable {
  store_id: number;
  /** The `refs_version` after the move. */
  version: number;
  /** The `refs_token` after the move. */
  token: Generated<number>;
  /** Full name, or `HEAD`; empty in place of many names. */
  name: string;
}

export interface RefsTable {
  store_id: number;
  /** Full name, `refs/heads/main`. */
  name: string;
  oid: string;
  type: "commit" | "tree" | "blob" | "tag";
  /** Target of an annotated tag; empty if `oid` is not a tag object. */
  peeled_oid: string;
  /** Committer's or tagger's time of the tip, 0 if it has none. Branches and tags are sorted by it. */
  tip_ms: Millis;
  updated_ms: Millis;
}

/** Number of commits reachable from a tip: a cache that never goes stale. */
export interface CommitCountsTable {
  store_id: number;
  oid: string;
  count: number;
}

/** Changed paths and line counts of a commit against its first parent, as JSON: a cache that never goes stale. */
export interface CommitChangesTable {
  store_id: number;
  oid: string;
  changes: string;
}

/** Number of commits that changed a path, as seen from a tip. */
export interface PathCountsTable {
  store_id: number;
  tip_oid: string;
  path: string;
  count: number;
}

/** Last commit of each entry of a directory as seen from a tip, as JSON: a cache that never goes stale. */
export interface LastCommitsTable {
  store_id: number;
  tip_oid: string;
  /** Directory, `` for the root; with a leading slash, the path of a single entry. */
  path: string;
  entries: string;
}
