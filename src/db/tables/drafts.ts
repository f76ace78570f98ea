import type { Millis } from "./columns.ts";

export interface DraftTables {
  drafts: DraftsTable;
}

/** Unsent form input of a user. */
export interface DraftsTable {
  account_id: number;
  /** Path of the form. */
  form: string;
  /** JSON: values by field name. */
  fields: string;
  updated_ms: Millis;
}
