import type { RowSource } from "../../db/row-source.ts";
import type { StoredRows, StoredTable } from "./rows.ts";

/** The root object of a backup. */
export interface BackupContents extends Pick<RowSource, "schema" | "lastIds"> {
  readonly tables: readonly StoredTable[];
  readonly files: StoredRows;
  /** Key of the names of objects; null without encryption. */
  readonly nameKey: string | null;
  /** Identifies the secret key of the server; null if it had none. */
  readonly keyId: string | null;
}
