import { isForgeError } from "../../core/errors.ts";
import { foldName } from "../../core/names.ts";
import type { Batch } from "../../db/row-batch.ts";
import type { LdapSettings, OidcSettings, SourceSettings } from "../../features/accounts/auth-sources/model.ts";
import { checkSettings } from "../../features/accounts/auth-sources/service/check-settings.ts";
import { sealSecret } from "../../features/accounts/auth-sources/service/secret.ts";
import { defaultLdapSettings, defaultOidcSettings } from "../../features/accounts/auth-sources/settings.ts";
import type { Conversion } from "./context.ts";
import { recordOf } from "./json.ts";
import { sourceName } from "./names.ts";
import { openSecret } from "./secrets.ts";
import { type ForeignRow, flagOf, millisOf, numberOf, textOf } from "./source.ts";

/** Imported sources, by id. */
export type ImportedSources = ReadonlyMap<number, SourceSettings["kind"]>;

/** The numbers of Gitea. */
const types = { ldap: 2, simpleLdap: 5, oauth2: 6 } as const;
const namesOfTypes: Readonly<Record<number, string>> = { 3: "SMTP", 4: "PAM", 6: "OAuth2", 7: "SSPI" };
const securities = ["none", "ldaps", "starttls"] as const;

type Settings = Readonly<Record<string, unknown>>;

interface ConvertedSource {
  readonly source: SourceSettings;
  readonly secret: string;
  /** Requirements for users that Hearth cannot check. */
  readonly lost?: string | undefined;
}

const textIn = (settings: Settings, name: string): string => {
  const value = settings[name];
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
};

/** LDAP directories and OpenID Connect providers, with sealed secrets. */
export async function convertAuthSources(conversion: Conversion, batch: Batch): Promise<ImportedSources> {
  const { source, report, sealer } = conversion;
  const kinds = new Map<number, SourceSettings["kind"]>();
  const rows = await source.database.all("select * from login_source order by id");
  const taken = new Set<string>();
  for (const row of rows) {
    const [id, type, name] = [numberOf(row.id), numberOf(row.type), textOf(row.name)];
    const converted = type === types.oauth2 ? readProvider(row) : type === types.ldap || type === types.simpleLdap ? readDirectory(conversion, row) : undefined;
    const problem = converted === undefined ? "Hearth has no sources of this kind" : await problemOf(converted.source);
    if (converted === undefined || problem !== undefined) {
      report.without("authentication sources that Hearth does not have: their users need a password", `${name} (${namesOfTypes[type] ?? "LDAP"}): ${problem}`);
      continue;
    }
    const ownName = sourceName({ id, name }, taken, report);
    if (converted.lost !== undefined)
      report.without("authentication sources that are inactive until their requirements are set again", `${name}: ${converted.lost}`);
    kinds.set(id, converted.source.kind);
    batch.add("authentication_sources", {
      id,
      kind: converted.source.kind,
      name: ownName,
      name_folded: foldName(ownName),
      is_active: converted.lost === undefined ? flagOf(row.is_active) : 0,
      auto_register: converted.source.kind === "ldap" || source.places.registersUsers ? 1 : 0,
      settings: JSON.stringify(converted.source.settings),
      sealed_secret: sealSecret(sealer, id, converted.secret),
      created_ms: millisOf(row.created_unix),
      updated_ms: millisOf(row.updated_unix),
    });
    listUnused(conversion, name, recordOf(row.cfg));
  }
  report.count("authentication sources", kinds.size);
  return kinds;
}

async function problemOf(source: SourceSettings): Promise<string | undefined> {
  try {
    await checkSettings(source);
    return undefined;
  } catch (error) {
    if (isForgeError(error, "invalid")) return error.message;
    throw error;
  }
}

/** Settings that do not decide who may sign in. */
function listUnused({ report }: Conversion, name: string, settings: Settings): void {
  const unused = {
    "teams that follow groups of authentication sources": textIn(settings, "GroupTeamMap"),
    "SSH keys from authentication sources": textIn(settings, "AttributeSSHPublicKey") || textIn(settings, "SSHPublicKeyClaimName"),
    "pictures from authentication sources": textIn(settings, "AttributeAvatar"),
  };
  for (const [subject, value] of Object.entries(unused)) if (value !== "") report.without(subject, name);
}

/** `%[1]s` is the same value again. */
const placeholders = (template: string): string => template.replaceAll("%[1]s", "%s");

function readDirectory({ source, report }: Conversion, row: ForeignRow): ConvertedSource {
  const settings = recordOf(row.cfg);
  const security = securities[Number(settings.SecurityProtocol)] ?? "ldaps";
  const defaults = defaultLdapSettings(security);
  const isSimple = numberOf(row.type) === types.simpleLdap;
  const sealed = textIn(settings, "BindPasswordEncrypt");
  const secret = sealed === "" ? textIn(settings, "BindPassword") : openSecret(source.places.secretKey, sealed);
  if (secret === undefined) report.without("passwords of authentication sources that SECRET_KEY does not open: set them again", textOf(row.name));
  const { groupFilter, lost } = readGroups(settings);
  const [first, last] = [textIn(settings, "AttributeName"), textIn(settings, "AttributeSurname")];
  const read: LdapSettings = {
    ...defaults,
    host: textIn(settings, "Host"),
    port: Number(settings.Port) || defaults.port,
    security,
    verifiesCertificate: settings.SkipVerify !== true,
    bindDn: isSimple ? "" : textIn(settings, "BindDN"),
    userBase: textIn(settings, "UserBase"),
    userDn: isSimple ? placeholders(textIn(settings, "UserDN")) : "",
    userFilter: placeholders(textIn(settings, "Filter")),
    adminFilter: placeholders(textIn(settings, "AdminFilter")),
    restrictedFilter: placeholders(textIn(settings, "RestrictedFilter")),
    groupBase: groupFilter === "" ? "" : textIn(settings, "GroupDN"),
    groupFilter,
    nameAttribute: textIn(settings, "AttributeUsername"),
    // A name of two attributes is usually also in this one.
    fullNameAttribute: first !== "" && last !== "" ? "cn" : first || last || defaults.fullNameAttribute,
    emailAttribute: textIn(settings, "AttributeMail") || defaults.emailAttribute,
  };
  return { source: { kind: "ldap", settings: read }, secret: secret ?? "", lost };
}

/** Gitea requires a group only with a filter for groups. */
function readGroups(settings: Settings): { readonly groupFilter: string; readonly lost?: string } {
  const filter = textIn(settings, "GroupFilter");
  if (settings.GroupsEnabled !== true || filter === "") return { groupFilter: "" };
  const [listed, member] = [textIn(settings, "UserUID"), textIn(settings, "GroupMemberUID")];
  const isName = listed !== "" && listed.toLowerCase() === textIn(settings, "AttributeUsername").toLowerCase();
  if (listed !== "" && listed.toLowerCase() !== "dn" && !isName)
    return { groupFilter: "", lost: `members of the groups (${filter}) are listed by ${listed}, which is neither the name of the entry nor of the user` };
  return { groupFilter: `(&(${filter.replace(/^\((.*)\)$/s, "$1")})(${member}=${isName ? "%s" : "%d"}))` };
}

/** A provider with a discovery document. Others have protocols of their own. */
function readProvider(row: ForeignRow): ConvertedSource | undefined {
  const settings = recordOf(row.cfg);
  const address = textIn(settings, "OpenIDConnectAutoDiscoveryURL");
  if (textIn(settings, "Provider") !== "openidConnect") return undefined;
  const [required, value, groups] = [textIn(settings, "RequiredClaimName"), textIn(settings, "RequiredClaimValue"), textIn(settings, "GroupClaimName")];
  const isGroup = required !== "" && value !== "" && (groups === "" || groups === required);
  const read: OidcSettings = {
    ...defaultOidcSettings,
    issuer: address.replace(/\/\.well-known\/openid-configuration$/, ""),
    clientId: textIn(settings, "ClientID"),
    scopes: [...new Set([...defaultOidcSettings.scopes, ...(Array.isArray(settings.Scopes) ? settings.Scopes.map(String) : [])])].filter(
      (scope) => scope !== "openid" && scope !== "",
    ),
    groupsClaim: isGroup ? required : groups,
    requiredGroup: isGroup ? value : "",
    adminGroup: textIn(settings, "AdminGroup"),
    restrictedGroup: textIn(settings, "RestrictedGroup"),
  };
  return {
    source: { kind: "oidc", settings: read },
    secret: textIn(settings, "ClientSecret"),
    lost: required === "" || isGroup ? undefined : `the claim ${required} is required`,
  };
}

interface LinkedAccounts {
  readonly kinds: ReadonlyMap<number, "user" | "organization">;
  readonly names: ReadonlyMap<number, string>;
}

/** Identities of users at OpenID Connect providers. Gitea stores the first one of an account with the account. */
export async function addIdentities({ source, report }: Conversion, accounts: LinkedAccounts, sources: ImportedSources, batch: Batch): Promise<void> {
  const { database } = source;
  const used = new Set<string>();
  let id = 0;
  const add = (row: ForeignRow, label: string): void => {
    const [accountId, sourceId, subject] = [numberOf(row.user_id), numberOf(row.source_id), textOf(row.subject)];
    const keys = [`${sourceId} subject ${subject}`, `${sourceId} account ${accountId}`];
    const isOwn = used.has(`${sourceId} ${accountId} ${subject}`);
    if (isOwn || sources.get(sourceId) === "ldap") return;
    if (accounts.kinds.get(accountId) !== "user" || sources.get(sourceId) !== "oidc" || subject === "" || keys.some((key) => used.has(key))) {
      report.without(
        "identities at providers that Hearth does not have, or without an account of their own",
        accounts.names.get(accountId) ?? `user ${accountId}`,
      );
      return;
    }
    for (const key of [...keys, `${sourceId} ${accountId} ${subject}`]) used.add(key);
    id += 1;
    const seen = millisOf(row.last_login_unix);
    batch.add("external_identities", {
      id,
      account_id: accountId,
      source_id: sourceId,
      subject,
      label,
      created_ms: millisOf(row.created_unix),
      last_used_ms: seen,
    });
  };
  const columns = "u.created_unix, u.last_login_unix";
  for (const row of await database.all(
    `select u.id as user_id, u.login_source as source_id, u.login_name as subject, u.name, ${columns} from "user" u where u.login_type = ${types.oauth2} and u.login_source > 0 order by u.id`,
  ))
    add(row, textOf(row.name));
  for (const row of await database.all(
    `select e.user_id, e.login_source_id as source_id, e.external_id as subject, e.nick_name, e.name as given_name, e.email, ${columns}
      from external_login_user e left join "user" u on u.id = e.user_id order by e.login_source_id, e.user_id, e.external_id`,
  ))
    add(row, textOf(row.nick_name) || textOf(row.email) || textOf(row.given_name));
  report.count("identities at providers", batch.size("external_identities"));
}
