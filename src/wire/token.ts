import type { Static } from "typebox";
import { field, int, list, nullable, option, record, text, time } from "./schema.ts";

export const AccessToken = record("AccessToken", {
  id: int(),
  name: text(),
  /** The whole token in the answer that creates it, empty ever after. */
  sha1: text(),
  token_last_eight: text(),
  scopes: nullable(list(text())),
  created_at: time(),
  last_used_at: time(),
});
export type AccessToken = Static<typeof AccessToken>;

export const CreateAccessTokenOption = option("CreateAccessTokenOption", {
  name: field("Name", text(), "Required"),
  scopes: field("Scopes", nullable(list(text()))),
});
export type CreateAccessTokenOption = Static<typeof CreateAccessTokenOption>;
