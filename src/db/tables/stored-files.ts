import type { Millis } from "./columns.ts";

export interface StoredFileTables {
  stored_files: StoredFilesTable;
  unused_files: UnusedFilesTable;
}

/** Uploaded contents, shared by attachments and LFS objects. */
export interface StoredFilesTable {
  /** SHA-256, in hex. */
  digest: string;
  size_bytes: number;
  /** Name in the file store; unique, never reused. */
  file: string;
  created_ms: Millis;
}

/** Uploaded files that no row references. */
export interface UnusedFilesTable {
  /** Name in a file store. */
  file: string;
  /** When the file was first found to be unused. */
  found_ms: Millis;
}
