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
  /** Like `key_type`, only visible to the owner and administrators. */
  user: optional(User),
  /** Only deploy keys can be read-only; a user's key has all permissions of the user. */
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
  /** Missing in the response that creates the key. */
  repository: optional(Repository),
});
export type DeployKey = Static<typeof DeployKey>;

export const CreateKeyOption = option("CreateKeyOption", {
  key: field("Key", text(lengths.key), "Required"),
  read_only: field("ReadOnly", bool()),
  title: field("Title", text(lengths.line), "Required"),
});
export type CreateKeyOption = Static<typeof CreateKeyOption>;
