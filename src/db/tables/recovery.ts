import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface RecoveryTables {
  email_codes: EmailCodesTable;
  data_links: DataLinksTable;
}

/** Single-use codes sent by email to confirm an address; only the newest one of an address is valid. */
export interface EmailCodesTable {
  id: Generated<number>;
  /** SHA-256, as hex. */
  code_hash: string;
  purpose: "password" | "email";
  account_id: number;
  /** The recipient address, folded. */
  email: string;
  /** The account's version when the email was sent: the code is invalid if it has changed. */
  credential_version: number;
  created_ms: Millis;
  expires_ms: Millis;
}

/** Links for one download of the data of an account; each account has at most one. */
export interface DataLinksTable {
  account_id: number;
  /** SHA-256, as hex. */
  code_hash: string;
  expires_ms: Millis;
}
