import { formatTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { OAuth2Application, OAuth2Grant } from "../../../wire/oauth2.ts";
import { avatarUrl } from "../users/present.ts";
import type { Claims } from "./jwt.ts";
import type { ApplicationView, GrantView, IdentityView } from "./model.ts";
import { asksFor } from "./scopes.ts";

/** @param secret known only in the response to its creation */
export const presentApplication = (application: ApplicationView, secret = ""): OAuth2Application => ({
  id: application.id,
  name: application.name,
  client_id: application.clientId,
  client_secret: secret,
  confidential_client: application.isConfidential,
  skip_secondary_authorization: application.skipsConsent,
  redirect_uris: [...application.redirectUris],
  created: formatTime(application.createdMs),
});

export const presentGrant = (grant: GrantView): OAuth2Grant => ({
  id: grant.id,
  application: { name: grant.application.name, client_id: grant.application.clientId },
  scopes: [...grant.scopes],
  created: formatTime(grant.createdMs),
  updated: formatTime(grant.updatedMs),
});

/** Claims of an id_token that the scopes allow (OpenID Connect Core, 5.1 and 5.4; `groups` as in Gitea). */
export const presentIdentity = (identity: IdentityView, scopes: readonly string[], urls: Urls): Claims => ({
  sub: String(identity.id),
  ...(asksFor(scopes, "profile") && {
    ...presentProfile(identity, urls),
    profile: urls.web(identity.name),
    ...(identity.website !== "" && { website: identity.website }),
    locale: identity.language,
    updated_at: Math.floor(identity.updatedMs / 1_000),
  }),
  ...(asksFor(scopes, "email") && { email: identity.email, email_verified: identity.isEmailVerified }),
  ...(asksFor(scopes, "groups") && { groups: identity.groups }),
});

const presentProfile = (identity: IdentityView, urls: Urls) => ({
  name: identity.fullName.trim() || identity.name,
  preferred_username: identity.name,
  picture: avatarUrl(identity, urls),
});

/** The identity data that the caller may read, by an OpenID scope or by the right to read the account. */
export interface UserInfoReach {
  readonly profile: boolean;
  readonly email: boolean;
  readonly groups: boolean;
}

export const presentUserInfo = (identity: IdentityView, reach: UserInfoReach, urls: Urls): Claims => ({
  sub: String(identity.id),
  ...(reach.profile && presentProfile(identity, urls)),
  ...(reach.email && { email: identity.email, email_verified: identity.isEmailVerified }),
  ...(reach.groups && { groups: identity.groups }),
});
