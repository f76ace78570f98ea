import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface CredentialTables {
  access_tokens: AccessTokensTable;
  access_token_repositories: AccessTokenRepositoriesTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  sign_in_throttles: SignInThrottlesTable;
  sign_in_networks: SignInNetworksTable;
}

export interface AccessTokensTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  /** SHA-256 of the 40 hex digits, as hex. With a salt: PBKDF2 (SHA-256, 10,000 rounds, 50 bytes), as hex. */
  token_hash: string;
  /** Set until the first use of a token that was imported from Gitea. */
  token_salt: Generated<string | null>;
  last_eight: string;
  /** Normalized, comma-separated. */
  scopes: string;
  created_ms: Millis;
  last_used_ms: Millis;
  /** Null: never. */
  expires_ms: Millis | null;
  /** 1: restricted to the repositories of `access_token_repositories`, even if none are left. */
  is_limited: Generated<Flag>;
}

export interface AccessTokenRepositoriesTable {
  token_id: number;
  repo_id: number;
}

/** The authenticator app of an account. */
export interface SecondFactorsTable {
  account_id: number;
  sealed_secret: string;
  /** Latest time step of an accepted code: codes up to it cannot be reused. */
  last_step: Generated<number>;
  created_ms: Millis;
  /** Null until the first code is confirmed: it is not required yet. */
  confirmed_ms: Millis | null;
}

/** Single-use codes in place of the app. */
export interface RecoveryCodesTable {
  account_id: number;
  /** SHA-256, as hex; `pbkdf2$salt$hash` for an imported code. */
  code_hash: string;
}

/** Failed sign-ins, stored as the time at which all of them expire. */
export interface SignInThrottlesTable {
  /** The key of the counter: a network, a login, or both together. */
  subject: string;
  expires_ms: Millis;
}

/** Networks from which an account has signed in. */
export interface SignInNetworksTable {
  account_id: number;
  /** An IPv4 address or the /64 of an IPv6 address. */
  network: string;
  seen_ms: Millis;
}
