import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { anything, field, int, list, nullable, option, optional, record, text, time } from "./schema.ts";

export const AccessToken = record("AccessToken", {
  id: int(),
  name: text(),
  /** The token itself in the response that creates it; otherwise empty. */
  sha1: text(),
  token_last_eight: text(),
  scopes: nullable(list(text())),
  created_at: time(),
  last_used_at: time(),
  /** Left out for a token without an expiry date. */
  expires_at: optional(time()),
  /** Left out for a token that is not limited to repositories. */
  repositories: optional(list(text())),
});
export type AccessToken = Static<typeof AccessToken>;

export const CreateAccessTokenOption = option("CreateAccessTokenOption", {
  name: field("Name", text(lengths.line), "Required"),
  scopes: field("Scopes", nullable(list(text(lengths.line), counts.names))),
  expires_at: field("ExpiresAt", nullable(time())),
  /** Full names or ids. */
  repositories: field("Repositories", nullable(list(anything(lengths.line), counts.names))),
});
export type CreateAccessTokenOption = Static<typeof CreateAccessTokenOption>;
