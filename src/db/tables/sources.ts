import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface SourceTables {
  authentication_sources: AuthenticationSourcesTable;
  external_identities: ExternalIdentitiesTable;
}

/** Where people sign in whose passwords are not kept here. */
export interface AuthenticationSourcesTable {
  id: Generated<number>;
  kind: "ldap" | "oidc";
  name: string;
  /** Lower-case name, unique. */
  name_folded: string;
  is_active: Flag;
  /** Whoever the source knows gets an account at the first sign-in. */
  auto_register: Flag;
  /** JSON of the kind's settings, without secrets. */
  settings: string;
  /** The bind password or client secret, sealed; empty: there is none. */
  sealed_secret: string;
  created_ms: Millis;
  updated_ms: Millis;
}

/** That an account is somebody at an OpenID Connect provider. */
export interface ExternalIdentitiesTable {
  id: Generated<number>;
  account_id: number;
  source_id: number;
  /** The provider's `sub`: never given to anybody else there. */
  subject: string;
  /** How the provider names the identity, for people to read. */
  label: string;
  created_ms: Millis;
  last_used_ms: Millis;
}
