import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { Repository } from "./repository.ts";
import { bool, field, int, option, optional, record, text, time } from "./schema.ts";
import { User } from "./user.ts";

export const PublicKey = record("PublicKey", {
  id: int(),
  key: text(),
  url: optional(text()),
  title: optional(text()),
  fingerprint: optional(text()),
  created_at: time(),
  last_used_at: time(),
  /** With `key_type` for the owner and administrators only. */
  user: optional(User),
  /** Only ever true of deploy keys; a user's key may do what the user may. */
  read_only: optional(bool()),
  key_type: optional(text()),
});
export type PublicKey = Static<typeof PublicKey>;

export const DeployKey = record("DeployKey", {
  id: int(),
  key_id: int(),
  key: text(),
  url: text(),
  title: text(),
  fingerprint: text(),
  created_at: time(),
  read_only: bool(),
  /** Not in the answer that makes the key. */
  repository: optional(Repository),
});
export type DeployKey = Static<typeof DeployKey>;

export const CreateKeyOption = option("CreateKeyOption", {
  key: field("Key", text(lengths.key), "Required"),
  read_only: field("ReadOnly", bool()),
  title: field("Title", text(lengths.title), "Required"),
});
export type CreateKeyOption = Static<typeof CreateKeyOption>;
