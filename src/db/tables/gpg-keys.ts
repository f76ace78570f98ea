import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface GpgKeyTables {
  gpg_keys: GpgKeysTable;
}

/** OpenPGP keys and their subkeys. */
export interface GpgKeysTable {
  id: Generated<number>;
  account_id: number;
  /** Null for a key, else the key that this is a subkey of. */
  primary_id: number | null;
  /** 40 hex digits, upper case. */
  fingerprint: string;
  /** The last 16 of them. */
  key_id: string;
  /** The body of the key's packet, in base64. */
  packet: string;
  /** The whole key with what it says of itself, in base64; empty for a subkey. */
  content: string;
  /** JSON: the addresses of its user ids, folded; none for a subkey. */
  emails: string;
  can_sign: Flag;
  can_certify: Flag;
  can_encrypt_comms: Flag;
  can_encrypt_storage: Flag;
  /** 1: the owner has signed what the server asked him to. */
  is_verified: Flag;
  /** When the key itself was made. */
  made_ms: Millis;
  expires_ms: Millis | null;
  revoked_ms: Millis | null;
  /** 1: what it signed before it was revoked is good. */
  is_revocation_soft: Flag;
  created_ms: Millis;
}
