import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface SessionTables {
  sessions: SessionsTable;
  oauth2_applications: OAuth2ApplicationsTable;
  oauth2_grants: OAuth2GrantsTable;
  oauth2_families: OAuth2FamiliesTable;
}

/** Browser sessions of users. */
export interface SessionsTable {
  id: Generated<number>;
  /** SHA-256 of the cookie's secret, as hex. */
  secret_hash: string;
  account_id: number;
  /** `open`, or the remaining step before it grants access. */
  stage: "open" | "second-factor" | "new-password";
  /** `accounts.credential_version` at the sign-in: a different value ends the session. */
  credential_version: number;
  address: string;
  user_agent: string;
  created_ms: Millis;
  /** Accurate to a few minutes. */
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
  /** For a public client: skip the consent page after the first time. */
  skips_consent: Flag;
  /** JSON list. */
  redirect_uris: string;
  created_ms: Millis;
  updated_ms: Millis;
}

/** Authorizations of OAuth2 applications by users. */
export interface OAuth2GrantsTable {
  id: Generated<number>;
  account_id: number;
  application_id: number;
  /** As requested, separated by spaces; empty: everything. */
  scopes: string;
  created_ms: Millis;
  updated_ms: Millis;
}

/** An authorization code and the tokens issued for it. */
export interface OAuth2FamiliesTable {
  id: Generated<number>;
  grant_id: number;
  /** SHA-256, as hex. Kept after the exchange: a second use ends the family. */
  code_hash: string;
  redirect_uri: string;
  challenge: string;
  challenge_method: "" | "plain" | "S256";
  nonce: string;
  scopes: string;
  /** When the user had signed in. */
  signed_in_ms: Millis;
  /** 0: the code was not exchanged yet; otherwise the number of the valid refresh token. */
  generation: number;
  created_ms: Millis;
  expires_ms: Millis;
}
