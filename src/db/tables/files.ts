import type { Millis } from "./columns.ts";

export interface FileTables {
  stored_files: StoredFilesTable;
}

/** A content that people have uploaded, however many attachments and large files it is. */
export interface StoredFilesTable {
  /** SHA-256, in hex. */
  digest: string;
  size_bytes: number;
  /** What the store of files knows this copy of it by. No other row ever has the name. */
  file: string;
  created_ms: Millis;
}
