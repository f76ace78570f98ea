import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { bool, field, inPlace, int, list, nullable, option, record, text, time } from "./schema.ts";

export const OAuth2Application = record("OAuth2Application", {
  id: int(),
  name: text(),
  client_id: text(),
  /** Only in the responses that create or replace it; otherwise empty. */
  client_secret: text(),
  confidential_client: bool(),
  skip_secondary_authorization: bool(),
  redirect_uris: nullable(list(text())),
  created: time(),
});
export type OAuth2Application = Static<typeof OAuth2Application>;

export const CreateOAuth2ApplicationOptions = option("CreateOAuth2ApplicationOptions", {
  name: field("Name", text(lengths.title), "Required"),
  confidential_client: field("ConfidentialClient", bool()),
  skip_secondary_authorization: field("SkipSecondaryAuthorization", bool()),
  redirect_uris: field("RedirectURIs", nullable(list(text(lengths.address), counts.names)), "Required"),
});
export type CreateOAuth2ApplicationOptions = Static<typeof CreateOAuth2ApplicationOptions>;

/** The scopes that the caller has granted to an application. */
export const OAuth2Grant = record("OAuth2Grant", {
  id: int(),
  application: inPlace({ name: text(), client_id: text() }),
  scopes: list(text()),
  created: time(),
  updated: time(),
});
export type OAuth2Grant = Static<typeof OAuth2Grant>;
