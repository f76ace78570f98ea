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
  "secret-file": { value: "PATH", help: "a file that holds the bind password or client secret, and nothing else" },
  "auto-register": { help: "whoever it knows gets an account at the first sign-in" },
} as const;

export const sourceCommands: readonly Command[] = [
  defineCommand({
    words: "source add-ldap",
    operands: ["NAME", "HOST"],
    summary: "let people sign in by a directory (LDAP)",
    flags: {
      ...shared,
      port: { value: "N", help: "its port; 636 for ldaps, else 389" },
      security: { value: "KIND", help: "ldaps, starttls or none; ldaps without it" },
      "authority-file": { value: "PATH", help: "certificates of the authority to trust, instead of the system's" },
      insecure: { help: "do not look at the directory's certificate" },
      "bind-dn": { value: "DN", help: "the entry by which this server signs in to search" },
      "user-base": { value: "DN", help: "the entry below which people are searched for" },
      "user-dn": { value: "DN", help: "a person's entry, %s for the login: it is bound at once, not searched for" },
      "user-filter": { value: "FILTER", help: "who may sign in, %s for the login; (uid=%s) without it" },
      "admin-filter": { value: "FILTER", help: "which of them administrate this server" },
      "restricted-filter": { value: "FILTER", help: "which of them are restricted" },
      "group-base": { value: "DN", help: "the entry below which groups are searched for" },
      "group-filter": { value: "FILTER", help: "the groups that let somebody in, %d for his entry" },
      "name-attribute": { value: "NAME", help: "what an account is called after; uid without it" },
      "full-name-attribute": { value: "NAME", help: "the full name; cn without it" },
      "email-attribute": { value: "NAME", help: "the e-mail address; mail without it" },
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
      return `added ${source.name}; \`hearth admin source check ${source.name}\` asks it\n`;
    },
  }),

  defineCommand({
    words: "source add-oidc",
    operands: ["NAME", "ISSUER", "CLIENT-ID"],
    summary: "let people sign in by a provider of OpenID Connect",
    flags: {
      ...shared,
      scopes: { value: "LIST", help: "what is asked for beside openid, separated by commas; profile,email without it" },
      "name-claim": { value: "NAME", help: "what an account is called after; preferred_username without it" },
      "groups-claim": { value: "NAME", help: "what lists somebody's groups" },
      "required-group": { value: "GROUP", help: "only its members may sign in" },
      "admin-group": { value: "GROUP", help: "its members administrate this server" },
      "restricted-group": { value: "GROUP", help: "its members are restricted" },
      "trust-email": { help: "addresses count as verified where the provider does not say" },
      "link-by-email": { help: "an account is found by its verified address, without its owner's doing" },
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
      return `added ${source.name}; register /user/oauth2/${source.name}/callback below the server's address at the provider\n`;
    },
  }),

  defineCommand({
    words: "source list",
    operands: [],
    summary: "list the sources: number, name, kind, where, whether people sign in by it",
    flags: {},
    async run({ db }) {
      const { items } = await listSources({ db }, { page: 1, limit: 1_000, offset: 0 });
      return items.map(lineOf).join("");
    },
  }),

  defineCommand({
    words: "source check",
    operands: ["NAME"],
    summary: "ask a source whether it can be worked with",
    flags: {},
    async run(context, [name = ""]) {
      const source = await getSourceByName(context, name);
      await checkSource(depsOf(context), source.id);
      return `${source.name} answers\n`;
    },
  }),

  defineCommand({
    words: "source set-active",
    operands: ["NAME", "yes|no"],
    summary: "let people sign in by a source, or not any more",
    flags: {},
    async run(context, [name = "", answer = ""]) {
      if (answer !== "yes" && answer !== "no") throw new ConfigError(`say yes or no, not ${answer}`);
      const source = await getSourceByName(context, name);
      await editSource(depsOf(context), operator, source.id, { isActive: answer === "yes" });
      return `people ${answer === "yes" ? "sign" : "do not sign"} in by ${source.name}\n`;
    },
  }),

  defineCommand({
    words: "source remove",
    operands: ["NAME"],
    summary: "remove a source by which nobody signs in",
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
