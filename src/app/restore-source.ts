import type { Log } from "../core/log.ts";
import type { RowSource } from "../db/row-source.ts";

/** A backup that is being restored. */
export interface RestoreSource extends AsyncDisposable {
  /** Identifies the backup: only the same one continues an interrupted restore. */
  readonly id: string;
  readonly created: string;
  /** Identifies the secret key with which the database was sealed; undefined if unknown. */
  readonly keyId: string | undefined;
  /** Whether it has the uploaded files. Backups of earlier versions lack those that were in a bucket. */
  readonly hasUploads: boolean;
  /**
   * Writes the files into the data folder, and the packs of a bucket into `packs` of the folder of the restore. Files that are there are kept.
   * @returns the number of files
   */
  copyFiles(dataDirectory: string, restoring: string): Promise<number>;
  /** Fills the database. @param load writes rows, and continues where an earlier call was interrupted */
  loadDatabase(target: RestoreTarget, load: (rows: RowSource) => Promise<unknown>): Promise<void>;
}

export interface RestoreTarget {
  readonly kind: "sqlite" | "postgres";
  /** A path, or the URL of PostgreSQL. */
  readonly url: string;
  readonly restoring: string;
  readonly log: Log;
  readonly searchPath: string;
}

export interface RestoreOptions {
  /** Name of a backup of a place; the newest one if undefined. */
  readonly backup?: string | undefined;
  /** File with the identities of an encrypted backup. */
  readonly identity?: string | undefined;
}
