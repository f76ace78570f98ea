import type { LdapSettings, OidcSettings } from "./model.ts";

const ports = { ldaps: 636, starttls: 389, none: 389 };

/** Defaults of a directory's settings, which suit most directories. */
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

/** Defaults of an OpenID Connect provider's settings. */
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

/** The redirect URI's path. */
export const callbackPath = (sourceName: string): readonly string[] => ["user", "oauth2", sourceName, "callback"];
