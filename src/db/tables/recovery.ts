import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface RecoveryTables {
  account_codes: AccountCodesTable;
}

/** What letters carry to show that an address is somebody's: each good once, the newest of an address alone. */
export interface AccountCodesTable {
  id: Generated<number>;
  /** SHA-256, as hex. */
  code_hash: string;
  purpose: "password" | "email";
  account_id: number;
  /** The address that the letter went to, folded. */
  email: string;
  /** Of the account when it was sent: what has changed since then makes the code worthless. */
  credential_version: number;
  created_ms: Millis;
  expires_ms: Millis;
}
