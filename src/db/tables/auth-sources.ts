import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface AuthSourceTables {
  authentication_sources: AuthenticationSourcesTable;
  external_identities: ExternalIdentitiesTable;
}

/** External authentication sources. */
export interface AuthenticationSourcesTable {
  id: Generated<number>;
  kind: "ldap" | "oidc";
  name: string;
  /** Lower-case name, unique. */
  name_folded: string;
  is_active: Flag;
  /** Creates an account at a user's first sign-in. */
  auto_register: Flag;
  /** JSON of the kind's settings, without secrets. */
  settings: string;
  /** The bind password or client secret, sealed; empty: none. */
  sealed_secret: string;
  created_ms: Millis;
  updated_ms: Millis;
}

/** Links between accounts and identities at OpenID Connect providers. */
export interface ExternalIdentitiesTable {
  id: Generated<number>;
  account_id: number;
  source_id: number;
  /** The provider's `sub`, which it never reassigns. */
  subject: string;
  /** Display name at the provider. */
  label: string;
  created_ms: Millis;
  last_used_ms: Millis;
}
