import { X509Certificate } from "node:crypto";
import { invalid } from "../../../../core/errors.ts";
import { checkFilter } from "../ldap/directory.ts";
import type { LdapSettings, OidcSettings, SourceSettings } from "../model.ts";

/** Checks of fields of a source, by field. */
type FieldChecks = Readonly<Record<string, () => void>>;

/**
 * Rejects settings that could never sign in a user, and settings that would admit too many.
 * @throws ForgeError `invalid` naming the field
 */
export async function checkSettings(source: SourceSettings): Promise<void> {
  for (const check of Object.values(checksOfSettings(source))) check();
  if (source.kind === "ldap") await checkFilters(source.settings);
}

/** The checks that need no filter to be read. Each throws an error that names its field. */
export const checksOfSettings = (source: SourceSettings): FieldChecks => (source.kind === "ldap" ? ldapChecks(source.settings) : oidcChecks(source.settings));

const ldapChecks = ({ host, port, security, authority, userDn, userBase, userFilter, groupFilter, groupBase }: LdapSettings): FieldChecks => ({
  host: () => {
    if (!/^[0-9A-Za-z.:_-]{1,253}$/.test(host))
      throw invalid("host: enter the directory's host, such as ldap.example.org", { reason: host === "" ? "required" : "invalid_host", field: "host" });
  },
  port: () => {
    if (port < 1 || port > 65_535) throw invalid("port must be between 1 and 65535", { reason: "invalid_port", field: "port" });
  },
  security: () => {
    if (!["ldaps", "starttls", "none"].includes(security))
      throw invalid("security must be ldaps, starttls or none", { reason: "wrong_format", field: "security" });
  },
  authority: () => {
    if (authority !== "") checkCertificate(authority);
  },
  user_dn: () => {
    if (userDn !== "" && !userDn.includes("%s"))
      throw invalid("user_dn must contain %s in place of the login", { reason: "login_placeholder", field: "user_dn" });
  },
  user_base: () => {
    if (userDn === "" && userBase === "")
      throw invalid("user_base: enter the entry below which the users are, or set user_dn", { reason: "required", field: "user_base" });
  },
  user_filter: () => {
    // Without the login in the filter, a search would match every user. A user alone in the base would be signed in under any login.
    if (userDn === "" && !userFilter.includes("%s"))
      throw invalid("user_filter must contain %s in place of the login", { reason: "invalid_filter", field: "user_filter" });
  },
  group_base: () => {
    if (groupFilter !== "" && groupBase === "")
      throw invalid("group_base: enter the entry below which the groups are", { reason: "required", field: "group_base" });
  },
  group_filter: () => {
    if (groupFilter !== "" && !/%[sd]/.test(groupFilter))
      throw invalid("group_filter must contain %d for the user's entry, or %s for the login", { reason: "invalid_filter", field: "group_filter" });
  },
});

async function checkFilters({ userFilter, adminFilter, restrictedFilter, groupFilter }: LdapSettings): Promise<void> {
  const filters = { user_filter: userFilter, admin_filter: adminFilter, restricted_filter: restrictedFilter, group_filter: groupFilter };
  for (const [field, filter] of Object.entries(filters)) if (filter !== "" || field === "user_filter") await checkFilter(field, filter);
}

function checkCertificate(authority: string): void {
  try {
    new X509Certificate(authority);
  } catch (error) {
    throw invalid("authority must be one or more certificates in PEM format", { reason: "invalid_certificate", field: "authority", cause: error });
  }
}

const oidcChecks = ({ issuer, clientId, scopes, nameClaim, groupsClaim, requiredGroup, adminGroup, restrictedGroup }: OidcSettings): FieldChecks => ({
  issuer: () => {
    if (!URL.canParse(issuer) || !/^https?:\/\//.test(issuer))
      throw invalid("issuer must be an http or https address", { reason: "invalid_url", field: "issuer" });
    const { search, hash, username } = new URL(issuer);
    if (search !== "" || hash !== "" || username !== "")
      throw invalid("issuer must not have a query, fragment or user name", { reason: "invalid_url", field: "issuer" });
  },
  client_id: () => {
    if (clientId === "") throw invalid("client_id: enter the id of this server at the provider", { reason: "required", field: "client_id" });
  },
  scopes: () => {
    if (scopes.some((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)))
      throw invalid("scopes must not contain spaces or quotes", { reason: "wrong_format", field: "scopes" });
  },
  name_claim: () => {
    if (nameClaim === "") throw invalid("name_claim: enter the claim that account names are derived from", { reason: "required", field: "name_claim" });
  },
  groups_claim: () => {
    if (groupsClaim === "" && `${requiredGroup}${adminGroup}${restrictedGroup}` !== "")
      throw invalid("groups_claim: enter the claim that lists the user's groups", { reason: "required", field: "groups_claim" });
  },
});
