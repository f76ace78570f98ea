import { readFileSync } from "node:fs";
import { operator } from "../../access/actor.ts";
import { ConfigError } from "../../config/config.ts";
import { createSealer } from "../../core/sealer.ts";
import type { LdapSettings, SourceView } from "../../features/accounts/auth-sources/model.ts";
import {
  checkSource,
  createSource,
  editSource,
  getSourceByName,
  listSources,
  removeSource,
  type SourceDeps,
} from "../../features/accounts/auth-sources/service/sources.ts";
import { defaultLdapSettings, defaultOidcSettings } from "../../features/accounts/auth-sources/settings.ts";
import { loadSecretKey } from "../secret-key.ts";
import { type Command, type CommandContext, defineCommand } from "./command.ts";

const shared = {
  "secret-file": { value: "PATH", help: "file with the bind password or client secret and no other content" },
  "auto-register": { help: "create accounts for unknown users when they first sign in" },
} as const;

export const sourceCommands: readonly Command[] = [
  defineCommand({
    words: "source add-ldap",
    operands: ["NAME", "HOST"],
    summary: "add an LDAP directory for signing in",
    flags: {
      ...shared,
      port: { value: "N", help: "port; default: 636 for ldaps, 389 otherwise" },
      security: { value: "KIND", help: "ldaps, starttls or none; default: ldaps" },
      "authority-file": { value: "PATH", help: "certificates of the trusted CA, instead of the system's" },
      insecure: { help: "do not verify the directory's certificate" },
      "bind-dn": { value: "DN", help: "DN of the entry that the server binds as to search" },
      "user-base": { value: "DN", help: "DN of the entry below which users are searched" },
      "user-dn": { value: "DN", help: "DN of a user's entry, %s for the login: bind directly instead of searching" },
      "user-filter": { value: "FILTER", help: "filter for users who may sign in, %s for the login; default: (uid=%s)" },
      "admin-filter": { value: "FILTER", help: "filter for site administrators" },
      "restricted-filter": { value: "FILTER", help: "filter for restricted users" },
      "group-base": { value: "DN", help: "DN of the entry below which groups are searched" },
      "group-filter": { value: "FILTER", help: "filter for groups whose members may sign in, %d for the user's DN" },
      "name-attribute": { value: "NAME", help: "attribute with the user name; default: uid" },
      "full-name-attribute": { value: "NAME", help: "attribute with the full name; default: cn" },
      "email-attribute": { value: "NAME", help: "attribute with the email address; default: mail" },
    },
    async run(context, [name = "", host = ""], flags) {
      const security = readSecurity(flags.security);
      const standard = defaultLdapSettings(security);
      const source = await createSource(depsOf(context), operator, {
        kind: "ldap",
        name,
        isActive: true,
        autoRegister: flags["auto-register"] === true,
        secret: secretOf(flags["secret-file"]),
        settings: {
          host,
          port: flags.port === undefined ? standard.port : readPort(flags.port),
          security,
          authority: flags["authority-file"] === undefined ? "" : readText(flags["authority-file"]),
          verifiesCertificate: flags.insecure !== true,
          bindDn: flags["bind-dn"] ?? "",
          userBase: flags["user-base"] ?? "",
          userDn: flags["user-dn"] ?? "",
          userFilter: flags["user-filter"] ?? standard.userFilter,
          adminFilter: flags["admin-filter"] ?? "",
          restrictedFilter: flags["restricted-filter"] ?? "",
          groupBase: flags["group-base"] ?? "",
          groupFilter: flags["group-filter"] ?? "",
          nameAttribute: flags["name-attribute"] ?? standard.nameAttribute,
          fullNameAttribute: flags["full-name-attribute"] ?? standard.fullNameAttribute,
          emailAttribute: flags["email-attribute"] ?? standard.emailAttribute,
        },
      });
      return `added ${source.name}; run \`hearth admin source check ${source.name}\` to test it\n`;
    },
  }),

  defineCommand({
    words: "source add-oidc",
    operands: ["NAME", "ISSUER", "CLIENT-ID"],
    summary: "add an OpenID Connect provider for signing in",
    flags: {
      ...shared,
      scopes: { value: "LIST", help: "scopes to request besides openid, separated by commas; default: profile,email" },
      "name-claim": { value: "NAME", help: "claim with the user name; default: preferred_username" },
      "groups-claim": { value: "NAME", help: "claim with the user's groups" },
      "required-group": { value: "GROUP", help: "only members of this group may sign in" },
      "admin-group": { value: "GROUP", help: "members of this group are site administrators" },
      "restricted-group": { value: "GROUP", help: "members of this group are restricted" },
      "trust-email": { help: "treat email addresses as verified if the provider does not say" },
      "link-by-email": { help: "link existing accounts by their verified email address, without confirmation by the user" },
    },
    async run(context, [name = "", issuer = "", clientId = ""], flags) {
      const source = await createSource(depsOf(context), operator, {
        kind: "oidc",
        name,
        isActive: true,
        autoRegister: flags["auto-register"] === true,
        secret: secretOf(flags["secret-file"]),
        settings: {
          issuer,
          clientId,
          scopes: flags.scopes?.split(",") ?? defaultOidcSettings.scopes,
          nameClaim: flags["name-claim"] ?? defaultOidcSettings.nameClaim,
          groupsClaim: flags["groups-claim"] ?? "",
          requiredGroup: flags["required-group"] ?? "",
          adminGroup: flags["admin-group"] ?? "",
          restrictedGroup: flags["restricted-group"] ?? "",
          trustsEmail: flags["trust-email"] === true,
          linksByEmail: flags["link-by-email"] === true,
        },
      });
      return `added ${source.name}; register /user/oauth2/${source.name}/callback below the server's root URL at the provider\n`;
    },
  }),

  defineCommand({
    words: "source list",
    operands: [],
    summary: "list sources: id, name, kind, host, whether users can sign in with it",
    flags: {},
    async run({ db }) {
      const { items } = await listSources({ db }, { page: 1, limit: 1_000, offset: 0 });
      return items.map(lineOf).join("");
    },
  }),

  defineCommand({
    words: "source check",
    operands: ["NAME"],
    summary: "test the connection to a source",
    flags: {},
    async run(context, [name = ""]) {
      const source = await getSourceByName(context, name);
      await checkSource(depsOf(context), source.id);
      return `the connection to ${source.name} works\n`;
    },
  }),

  defineCommand({
    words: "source set-active",
    operands: ["NAME", "yes|no"],
    summary: "enable or disable signing in with a source",
    flags: {},
    async run(context, [name = "", answer = ""]) {
      if (answer !== "yes" && answer !== "no") throw new ConfigError(`write yes or no, not ${answer}`);
      const source = await getSourceByName(context, name);
      await editSource(depsOf(context), operator, source.id, { isActive: answer === "yes" });
      return `${answer === "yes" ? "enabled" : "disabled"} signing in with ${source.name}\n`;
    },
  }),

  defineCommand({
    words: "source remove",
    operands: ["NAME"],
    summary: "delete a source without users",
    flags: {},
    async run(context, [name = ""]) {
      const source = await getSourceByName(context, name);
      await removeSource(context, operator, source.id);
      return `removed ${source.name}\n`;
    },
  }),
];

const depsOf = ({ db, config }: CommandContext): SourceDeps => ({ db, sealer: createSealer(loadSecretKey(config)) });

const secretOf = (path: string | undefined): string => (path === undefined ? "" : readText(path).replace(/\r?\n$/, ""));

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

function readSecurity(text = "ldaps"): LdapSettings["security"] {
  if (text === "ldaps" || text === "starttls" || text === "none") return text;
  throw new ConfigError(`--security must be ldaps, starttls or none, not ${text}`);
}

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new ConfigError(`--port must be a number, not ${text}`);
  return Number(text);
}

function lineOf(source: SourceView): string {
  const place = source.kind === "ldap" ? `${source.settings.host}:${source.settings.port}` : source.settings.issuer;
  return `${[source.id, source.name, source.kind, place, source.isActive ? "active" : "inactive"].join("\t")}\n`;
}
