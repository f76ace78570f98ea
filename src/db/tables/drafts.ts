import type { Millis } from "./columns.ts";

export interface DraftTables {
  drafts: DraftsTable;
}

/** What somebody has typed into a form and not sent yet. */
export interface DraftsTable {
  account_id: number;
  /** Where the form leads: a path. */
  form: string;
  /** JSON: texts by the names of their fields. */
  fields: string;
  updated_ms: Millis;
}
