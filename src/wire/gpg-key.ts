import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { anything, bool, field, int, list, narrowed, nullable, option, record, text, time } from "./schema.ts";

export const GPGKeyEmail = record("GPGKeyEmail", { email: text(), verified: bool() });
export type GPGKeyEmail = Static<typeof GPGKeyEmail>;

const fields = {
  id: int(),
  /** For a subkey, the id of its primary key; otherwise empty. */
  primary_key_id: text(),
  key_id: text(),
  public_key: text(),
  emails: nullable(list(GPGKeyEmail)),
};
const abilities = {
  can_sign: bool(),
  can_encrypt_comms: bool(),
  can_encrypt_storage: bool(),
  can_certify: bool(),
  verified: bool(),
  created_at: time(),
  expires_at: time(),
};

/** A subkey inside its key, without addresses and subkeys. */
const GPGSubkey = narrowed("GPGKey", { ...fields, subkeys: nullable(anything()), ...abilities });

export const GPGKey = record("GPGKey", { ...fields, subkeys: nullable(list(GPGSubkey)), ...abilities });
export type GPGKey = Static<typeof GPGKey>;
export type GPGSubkey = Static<typeof GPGSubkey>;

export const CreateGPGKeyOption = option("CreateGPGKeyOption", {
  armored_public_key: field("ArmoredKey", text(lengths.key), "Required"),
  armored_signature: field("Signature", nullable(text(lengths.key))),
});
export type CreateGPGKeyOption = Static<typeof CreateGPGKeyOption>;

export const VerifyGPGKeyOption = option("VerifyGPGKeyOption", {
  key_id: field("KeyID", text(lengths.line)),
  armored_signature: field("Signature", text(lengths.key)),
});
export type VerifyGPGKeyOption = Static<typeof VerifyGPGKeyOption>;
