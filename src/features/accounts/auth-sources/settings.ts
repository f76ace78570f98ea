import type { LdapSettings, OidcSettings } from "./model.ts";

const ports = { ldaps: 636, starttls: 389, none: 389 };

/** What a directory's settings are where nothing else is said: those of most directories. */
export const defaultLdapSettings = (security: LdapSettings["security"] = "ldaps"): LdapSettings => ({
  host: "",
  port: ports[security],
  security,
  authority: "",
  verifiesCertificate: true,
  bindDn: "",
  userBase: "",
  userDn: "",
  userFilter: "(uid=%s)",
  adminFilter: "",
  restrictedFilter: "",
  groupBase: "",
  groupFilter: "",
  nameAttribute: "uid",
  fullNameAttribute: "cn",
  emailAttribute: "mail",
});

/** The same for a provider of OpenID Connect. */
export const defaultOidcSettings: OidcSettings = {
  issuer: "",
  clientId: "",
  scopes: ["profile", "email"],
  nameClaim: "preferred_username",
  groupsClaim: "",
  requiredGroup: "",
  adminGroup: "",
  restrictedGroup: "",
  trustsEmail: false,
  linksByEmail: false,
};

/** Where a provider sends people back to. */
export const callbackPath = (sourceName: string): readonly string[] => ["user", "oauth2", sourceName, "callback"];
