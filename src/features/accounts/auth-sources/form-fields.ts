import type { LdapSettings, OidcSettings, SourceSettings } from "./model.ts";
import { defaultLdapSettings, defaultOidcSettings } from "./settings.ts";

/** Form field names of the settings. */
export const ldapFields = {
  host: "host",
  port: "port",
  security: "security",
  authority: "authority",
  verify_certificate: "verifiesCertificate",
  bind_dn: "bindDn",
  user_base: "userBase",
  user_dn: "userDn",
  user_filter: "userFilter",
  admin_filter: "adminFilter",
  restricted_filter: "restrictedFilter",
  group_base: "groupBase",
  group_filter: "groupFilter",
  name_attribute: "nameAttribute",
  full_name_attribute: "fullNameAttribute",
  email_attribute: "emailAttribute",
} as const satisfies Readonly<Record<string, keyof LdapSettings>>;
export type LdapField = keyof typeof ldapFields;

export const oidcFields = {
  issuer: "issuer",
  client_id: "clientId",
  scopes: "scopes",
  name_claim: "nameClaim",
  groups_claim: "groupsClaim",
  required_group: "requiredGroup",
  admin_group: "adminGroup",
  restricted_group: "restrictedGroup",
  trust_email: "trustsEmail",
  link_by_email: "linksByEmail",
} as const satisfies Readonly<Record<string, keyof OidcSettings>>;
export type OidcField = keyof typeof oidcFields;

/** Values of a filled-in form: strings, and booleans for checkboxes. */
export type Filled = Readonly<Record<string, string | boolean>>;

type Settings = Readonly<Record<string, string | number | boolean | readonly string[]>>;

const fieldsOf = (kind: SourceSettings["kind"]): Readonly<Record<string, string>> => (kind === "ldap" ? ldapFields : oidcFields);
const defaultsOf = (kind: SourceSettings["kind"]): Settings => ({ ...(kind === "ldap" ? defaultLdapSettings() : defaultOidcSettings) });

/** True for a boolean setting. */
export const isSwitch = (kind: SourceSettings["kind"], field: string): boolean => typeof defaultsOf(kind)[fieldsOf(kind)[field] ?? ""] === "boolean";

/** Settings as form values; defaults where none are given. */
export function fillIn(kind: SourceSettings["kind"], given?: LdapSettings | OidcSettings): Filled {
  const settings: Settings = { ...defaultsOf(kind), ...given };
  return Object.fromEntries(
    Object.entries(fieldsOf(kind)).map(([field, name]) => {
      const value = settings[name] ?? "";
      return [field, typeof value === "boolean" ? value : typeof value === "object" ? value.join(" ") : String(value)];
    }),
  );
}

/** The reverse of {@link fillIn}. Text that is not a number becomes NaN, which the validation rejects with the field's name. */
function readSettings(kind: SourceSettings["kind"], filled: Filled): Settings {
  const defaults = defaultsOf(kind);
  return Object.fromEntries(
    Object.entries(fieldsOf(kind)).map(([field, name]) => {
      const [typed, usual] = [filled[field] ?? "", defaults[name]];
      if (typeof usual === "boolean") return [name, typed === true];
      const text = String(typed).trim();
      if (typeof usual === "number") return [name, /^\d{1,5}$/.test(text) ? Number(text) : 0];
      return [name, typeof usual === "object" ? text.split(/\s+/).filter((word) => word !== "") : text];
    }),
  );
}

export const readLdap = (filled: Filled): LdapSettings => readSettings("ldap", filled) as unknown as LdapSettings;
export const readOidc = (filled: Filled): OidcSettings => readSettings("oidc", filled) as unknown as OidcSettings;
