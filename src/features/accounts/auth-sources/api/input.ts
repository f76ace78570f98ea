import { invalid } from "../../../../core/errors.ts";
import type { CreateSourceOption, DirectoryOption, EditSourceOption, ProviderOption } from "../../../../wire/source.ts";
import type { LdapSettings, OidcSettings, SourceChanges, SourceInput } from "../model.ts";
import { defaultLdapSettings, defaultOidcSettings } from "../settings.ts";

export function readSource(option: CreateSourceOption): SourceInput {
  const shared = { name: option.name, isActive: option.is_active ?? true, autoRegister: option.auto_register, secret: option.secret };
  if (option.kind === "ldap") {
    if (option.ldap === null) throw invalid("[LDAP]: Required", { reason: "required" });
    const given = readDirectory(option.ldap);
    return { ...shared, kind: "ldap", settings: { ...defaultLdapSettings(given.security), ...given } };
  }
  if (option.oidc === null) throw invalid("[OIDC]: Required", { reason: "required" });
  return { ...shared, kind: "oidc", settings: { ...defaultOidcSettings, ...readProvider(option.oidc) } };
}

export const readSourceChanges = (option: EditSourceOption): SourceChanges => ({
  name: option.name ?? undefined,
  isActive: option.is_active ?? undefined,
  autoRegister: option.auto_register ?? undefined,
  secret: option.secret ?? undefined,
  ldap: option.ldap === null ? undefined : readDirectory(option.ldap),
  oidc: option.oidc === null ? undefined : readProvider(option.oidc),
});

const readDirectory = (option: DirectoryOption): Partial<LdapSettings> =>
  given<LdapSettings>({
    host: option.host,
    port: option.port,
    security: readSecurity(option.security),
    authority: option.authority,
    verifiesCertificate: option.verify_certificate,
    bindDn: option.bind_dn,
    userBase: option.user_base,
    userDn: option.user_dn,
    userFilter: option.user_filter,
    adminFilter: option.admin_filter,
    restrictedFilter: option.restricted_filter,
    groupBase: option.group_base,
    groupFilter: option.group_filter,
    nameAttribute: option.name_attribute,
    fullNameAttribute: option.full_name_attribute,
    emailAttribute: option.email_attribute,
  });

function readSecurity(text: string | null): LdapSettings["security"] | null {
  if (text === null || text === "ldaps" || text === "starttls" || text === "none") return text;
  throw invalid("[Security]: In");
}

const readProvider = (option: ProviderOption): Partial<OidcSettings> =>
  given<OidcSettings>({
    issuer: option.issuer,
    clientId: option.client_id,
    scopes: option.scopes,
    nameClaim: option.name_claim,
    groupsClaim: option.groups_claim,
    requiredGroup: option.required_group,
    adminGroup: option.admin_group,
    restrictedGroup: option.restricted_group,
    trustsEmail: option.trust_email,
    linksByEmail: option.link_by_email,
  });

/** Drops the fields that were omitted. */
const given = <T>(fields: { readonly [Name in keyof T]: T[Name] | null }): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Partial<T>;
