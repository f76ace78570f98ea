import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface SessionTables {
  sessions: SessionsTable;
  oauth2_applications: OAuth2ApplicationsTable;
  oauth2_grants: OAuth2GrantsTable;
  oauth2_families: OAuth2FamiliesTable;
}

/** Browsers in which somebody has signed in. */
export interface SessionsTable {
  id: Generated<number>;
  /** SHA-256 of what the cookie holds, as hex. */
  secret_hash: string;
  account_id: number;
  /** `open`, or what is left to do before it opens anything. */
  stage: "open" | "second-factor" | "new-password";
  /** `accounts.credential_version` at the sign-in: another one ends the session. */
  credential_version: number;
  address: string;
  user_agent: string;
  created_ms: Millis;
  /** True to some minutes. */
  seen_ms: Millis;
  expires_ms: Millis;
}

export interface OAuth2ApplicationsTable {
  id: Generated<number>;
  /** Null: built into the server. */
  account_id: number | null;
  name: string;
  client_id: string;
  /** SHA-256 of the secret, as hex; empty for a public client. */
  secret_hash: string;
  is_confidential: Flag;
  /** A public client that is not asked for again either. */
  skips_consent: Flag;
  /** JSON list. */
  redirect_uris: string;
  created_ms: Millis;
  updated_ms: Millis;
}

/** What somebody has allowed an application. */
export interface OAuth2GrantsTable {
  id: Generated<number>;
  account_id: number;
  application_id: number;
  /** As asked for, separated by spaces; empty: everything. */
  scopes: string;
  created_ms: Millis;
  updated_ms: Millis;
}

/** A code, then the tokens that it was exchanged for. */
export interface OAuth2FamiliesTable {
  id: Generated<number>;
  grant_id: number;
  /** SHA-256, as hex. Kept after the exchange: a second one ends the family. */
  code_hash: string;
  redirect_uri: string;
  challenge: string;
  challenge_method: "" | "plain" | "S256";
  nonce: string;
  scopes: string;
  /** When the person had signed in. */
  signed_in_ms: Millis;
  /** 0: the code waits to be exchanged; else the number of the refresh token that is good. */
  generation: number;
  created_ms: Millis;
  expires_ms: Millis;
}
