import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { bool, choice, field, int, list, nullable, option, optional, record, text, time, usually } from "./schema.ts";

/** Beyond the contract: external sources of authentication. */
export const DirectorySettings = record("DirectorySettings", {
  host: text(),
  port: int(),
  security: choice("ldaps", "starttls", "none"),
  /** Trusted CA certificates in PEM; empty: the system's. */
  authority: text(),
  verify_certificate: bool(),
  bind_dn: text(),
  user_base: text(),
  user_dn: text(),
  user_filter: text(),
  admin_filter: text(),
  restricted_filter: text(),
  group_base: text(),
  group_filter: text(),
  name_attribute: text(),
  full_name_attribute: text(),
  email_attribute: text(),
});
export type DirectorySettings = Static<typeof DirectorySettings>;

export const ProviderSettings = record("ProviderSettings", {
  issuer: text(),
  client_id: text(),
  scopes: list(text()),
  name_claim: text(),
  groups_claim: text(),
  required_group: text(),
  admin_group: text(),
  restricted_group: text(),
  trust_email: bool(),
  link_by_email: bool(),
  /** The URL that the provider redirects users back to. */
  redirect_uri: text(),
});
export type ProviderSettings = Static<typeof ProviderSettings>;

export const AuthenticationSource = record("AuthenticationSource", {
  id: int(),
  kind: choice("ldap", "oidc"),
  name: text(),
  is_active: bool(),
  auto_register: bool(),
  /** Whether there is a bind password or client secret. It is never shown. */
  has_secret: bool(),
  ldap: optional(DirectorySettings),
  oidc: optional(ProviderSettings),
  created_at: time(),
  updated_at: time(),
});
export type AuthenticationSource = Static<typeof AuthenticationSource>;

export const DirectoryOption = option("DirectoryOption", {
  host: field("Host", nullable(text(lengths.address))),
  port: field("Port", nullable(int())),
  security: field("Security", nullable(usually("ldaps", "starttls", "none"))),
  authority: field("Authority", nullable(text(lengths.key))),
  verify_certificate: field("VerifyCertificate", nullable(bool())),
  bind_dn: field("BindDN", nullable(text(lengths.address))),
  user_base: field("UserBase", nullable(text(lengths.address))),
  user_dn: field("UserDN", nullable(text(lengths.address))),
  user_filter: field("UserFilter", nullable(text(lengths.pattern))),
  admin_filter: field("AdminFilter", nullable(text(lengths.pattern))),
  restricted_filter: field("RestrictedFilter", nullable(text(lengths.pattern))),
  group_base: field("GroupBase", nullable(text(lengths.address))),
  group_filter: field("GroupFilter", nullable(text(lengths.pattern))),
  name_attribute: field("NameAttribute", nullable(text(lengths.line))),
  full_name_attribute: field("FullNameAttribute", nullable(text(lengths.line))),
  email_attribute: field("EmailAttribute", nullable(text(lengths.line))),
});
export type DirectoryOption = Static<typeof DirectoryOption>;

export const ProviderOption = option("ProviderOption", {
  issuer: field("Issuer", nullable(text(lengths.address))),
  client_id: field("ClientID", nullable(text(lengths.address))),
  scopes: field("Scopes", nullable(list(text(lengths.line), counts.names))),
  name_claim: field("NameClaim", nullable(text(lengths.line))),
  groups_claim: field("GroupsClaim", nullable(text(lengths.line))),
  required_group: field("RequiredGroup", nullable(text(lengths.line))),
  admin_group: field("AdminGroup", nullable(text(lengths.line))),
  restricted_group: field("RestrictedGroup", nullable(text(lengths.line))),
  trust_email: field("TrustEmail", nullable(bool())),
  link_by_email: field("LinkByEmail", nullable(bool())),
});
export type ProviderOption = Static<typeof ProviderOption>;

export const CreateSourceOption = option("CreateSourceOption", {
  kind: field("Kind", usually<"ldap" | "oidc">("ldap", "oidc"), "Required", "In(ldap,oidc)"),
  name: field("Name", text(lengths.line), "Required"),
  is_active: field("IsActive", nullable(bool())),
  auto_register: field("AutoRegister", bool()),
  /** The bind password or client secret. */
  secret: field("Secret", text(lengths.secret)),
  ldap: field("LDAP", nullable(DirectoryOption)),
  oidc: field("OIDC", nullable(ProviderOption)),
});
export type CreateSourceOption = Static<typeof CreateSourceOption>;

export const EditSourceOption = option("EditSourceOption", {
  name: field("Name", nullable(text(lengths.line))),
  is_active: field("IsActive", nullable(bool())),
  auto_register: field("AutoRegister", nullable(bool())),
  secret: field("Secret", nullable(text(lengths.secret))),
  ldap: field("LDAP", nullable(DirectoryOption)),
  oidc: field("OIDC", nullable(ProviderOption)),
});
export type EditSourceOption = Static<typeof EditSourceOption>;

/** A link between the caller and an OpenID Connect account. */
export const LinkedIdentity = record("LinkedIdentity", {
  id: int(),
  source_id: int(),
  source: text(),
  subject: text(),
  label: text(),
  created_at: time(),
  last_used_at: time(),
});
export type LinkedIdentity = Static<typeof LinkedIdentity>;
