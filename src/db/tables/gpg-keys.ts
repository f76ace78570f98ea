import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface GpgKeyTables {
  gpg_keys: GpgKeysTable;
}

/** OpenPGP keys and their subkeys. */
export interface GpgKeysTable {
  id: Generated<number>;
  account_id: number;
  /** Null for a primary key, otherwise the primary key of this subkey. */
  primary_id: number | null;
  /** 40 hex digits, upper case. */
  fingerprint: string;
  /** The last 16 digits of the fingerprint. */
  key_id: string;
  /** The body of the key's packet, in base64. */
  packet: string;
  /** The entire key with its self-signatures, in base64; empty for a subkey. */
  content: string;
  /** JSON: the folded addresses of its user ids; empty for a subkey. */
  emails: string;
  can_sign: Flag;
  can_certify: Flag;
  can_encrypt_comms: Flag;
  can_encrypt_storage: Flag;
  /** 1: the owner has signed the server's challenge. */
  is_verified: Flag;
  /** Creation time of the key itself. */
  key_created_ms: Millis;
  expires_ms: Millis | null;
  revoked_ms: Millis | null;
  /** 1: signatures made before the revocation remain valid. */
  is_revocation_soft: Flag;
  created_ms: Millis;
}
