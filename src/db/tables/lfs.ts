import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface LfsTables {
  lfs_objects: LfsObjectsTable;
  lfs_locks: LfsLocksTable;
}

export interface LfsObjectsTable {
  repo_id: number;
  /** SHA-256 of the content, in hex: `stored_files.digest`. */
  oid: string;
  size_bytes: number;
  created_ms: Millis;
}

export interface LfsLocksTable {
  id: Generated<number>;
  repo_id: number;
  account_id: number;
  path: string;
  created_ms: Millis;
}
