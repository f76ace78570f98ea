import { formatTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { AuthenticationSource, LinkedIdentity } from "../../../wire/source.ts";
import type { IdentityView, SourceView } from "./model.ts";
import { callbackPath } from "./settings.ts";

/** A source for administrators, without its secret. */
export const presentSource = (source: SourceView, urls: Urls): AuthenticationSource => ({
  id: source.id,
  kind: source.kind,
  name: source.name,
  is_active: source.isActive,
  auto_register: source.autoRegister,
  has_secret: source.sealedSecret !== "",
  ...settingsOf(source, urls),
  created_at: formatTime(source.createdMs),
  updated_at: formatTime(source.updatedMs),
});

function settingsOf(source: SourceView, urls: Urls): Pick<AuthenticationSource, "ldap" | "oidc"> {
  if (source.kind === "ldap") {
    const { settings } = source;
    return {
      ldap: {
        host: settings.host,
        port: settings.port,
        security: settings.security,
        authority: settings.authority,
        verify_certificate: settings.verifiesCertificate,
        bind_dn: settings.bindDn,
        user_base: settings.userBase,
        user_dn: settings.userDn,
        user_filter: settings.userFilter,
        admin_filter: settings.adminFilter,
        restricted_filter: settings.restrictedFilter,
        group_base: settings.groupBase,
        group_filter: settings.groupFilter,
        name_attribute: settings.nameAttribute,
        full_name_attribute: settings.fullNameAttribute,
        email_attribute: settings.emailAttribute,
      },
    };
  }
  const { settings } = source;
  return {
    oidc: {
      issuer: settings.issuer,
      client_id: settings.clientId,
      scopes: settings.scopes,
      name_claim: settings.nameClaim,
      groups_claim: settings.groupsClaim,
      required_group: settings.requiredGroup,
      admin_group: settings.adminGroup,
      restricted_group: settings.restrictedGroup,
      trust_email: settings.trustsEmail,
      link_by_email: settings.linksByEmail,
      redirect_uri: urls.web(...callbackPath(source.name)),
    },
  };
}

export const presentIdentity = (identity: IdentityView): LinkedIdentity => ({
  id: identity.id,
  source_id: identity.sourceId,
  source: identity.sourceName,
  subject: identity.subject,
  label: identity.label,
  created_at: formatTime(identity.createdMs),
  last_used_at: formatTime(identity.lastUsedMs),
});
