import { connect, isIP, type Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { Client, Entry } from "ldapts";
import { invalid, unavailable } from "../../../../core/errors.ts";
import type { ExternalPerson, LdapSettings } from "../model.ts";
import { fillDn, fillFilter } from "./template.ts";

/** Somebody whom a directory knows and whose password was right. */
export interface DirectoryPerson extends ExternalPerson {
  /** What the directory calls him: the same however he typed it. */
  readonly loginName: string;
}

export interface DirectoryDeps {
  readonly settings: LdapSettings;
  /** Of `bindDn`. */
  readonly secret: string;
}

/** Longer than any name or address. */
const maxLength = 255;
/** How long a directory may take to be connected to, and to answer one question. */
const connectTimeoutMs = 5_000;
const answerTimeoutMs = 10_000;
/** How long a directory may take to end the connection. */
const farewellMs = 1_000;

/** Answers to a bind that speak of the person: a wrong password, a locked or expired account. Whatever else fails is the directory's. */
const refusals: ReadonlySet<string> = new Set([
  "InvalidCredentialsError",
  "NoSuchObjectError",
  "InappropriateAuthError",
  "UnwillingToPerformError",
  "ConstraintViolationError",
  "InsufficientAccessError",
  "InvalidDNSyntaxError",
]);

/**
 * Asks a directory whether a password is somebody's.
 * @returns undefined when it is not, and for whoever the settings do not admit
 * @throws ForgeError `unavailable` when the directory is out of reach or refuses the server itself
 */
export function signInToDirectory(deps: DirectoryDeps, login: string, password: string): Promise<DirectoryPerson | undefined> {
  // RFC 4513, 5.1.2: a bind with a name and no password succeeds, and proves nothing.
  if (login === "" || password === "") return Promise.resolve(undefined);
  return withDirectory(deps.settings, async (client) => {
    const { settings } = deps;
    const entry = settings.userDn === "" ? await findAndBind(client, deps, login, password) : await bindDirectly(client, settings, login, password);
    return entry && describe(client, deps, entry, login);
  });
}

/** Whether the server can look for people without their passwords: it has a name of its own there, or searches as nobody. */
export const canLookUp = ({ userDn, bindDn }: LdapSettings): boolean => userDn === "" || bindDn !== "";

/**
 * Looks for people by their logins, over one connection and with the server's own rights.
 * @returns what the directory says of each; null for whoever it does not know or does not admit any longer. Logins that more than one entry answers to are left out
 * @throws ForgeError `unavailable` as {@link signInToDirectory}
 */
export const lookUpPeople = (deps: DirectoryDeps, logins: readonly string[]): Promise<ReadonlyMap<string, DirectoryPerson | null>> =>
  withDirectory(deps.settings, async (client) => {
    const { settings } = deps;
    const { userDn, userBase, userFilter } = settings;
    await bindServer(client, deps);
    const people = new Map<string, DirectoryPerson | null>();
    for (const login of logins) {
      const filter = fillFilter(userFilter, { login });
      const found = userDn === "" ? search(client, settings, userBase, "sub", filter) : search(client, settings, fillDn(userDn, { login }), "base", filter);
      const [entry, ...others] = await found;
      if (others.length > 0) continue;
      people.set(login, (entry && (await describe(client, deps, entry, login))) ?? null);
    }
    return people;
  });

/**
 * Connects, signs the server itself in and looks for where people are, as a person's sign-in would begin.
 * @throws ForgeError `unavailable`, with the directory's words as its cause
 */
export const checkDirectory = (deps: DirectoryDeps): Promise<void> =>
  withDirectory(deps.settings, async (client) => {
    const { userDn, userBase } = deps.settings;
    await bindServer(client, deps);
    // Where people bind at once the server itself may have no right to look: then it asks the directory who it is, and any answer will do.
    const asked = client.search(userDn === "" ? userBase : "", { scope: "base", filter: "(objectClass=*)", attributes: ["1.1"] });
    await (userDn === "" ? asked : asked.catch((error: { readonly code?: unknown }) => (typeof error.code === "number" ? undefined : Promise.reject(error))));
  });

/** @throws ForgeError `invalid` for a filter that no directory would understand */
export async function checkFilter(field: string, template: string): Promise<void> {
  const { FilterParser } = await import("ldapts");
  try {
    FilterParser.parseString(fillFilter(template, { login: "x", dn: "cn=x" }));
  } catch (error) {
    throw invalid(`${field}: ${template} is no search filter (RFC 4515), such as (uid=%s)`, { cause: error });
  }
}

async function withDirectory<T>(settings: LdapSettings, ask: (client: Client) => Promise<T>): Promise<T> {
  const { Client: LdapClient } = await import("ldapts");
  const { host, port, security } = settings;
  const tls = tlsOptions(settings);
  const connection = connectOnce();
  const client = new LdapClient({
    url: `${security === "ldaps" ? "ldaps" : "ldap"}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
    timeout: answerTimeoutMs,
    connectTimeout: connectTimeoutMs,
    ...(security === "ldaps" && { tlsOptions: tls }),
    createConnection: connection.connect,
  });
  try {
    if (security === "starttls") await client.startTLS({ ...tls, host, ...(isIP(host) === 0 && { servername: host }) });
    return await ask(client);
  } catch (error) {
    throw unavailable(`the directory ${host} cannot be asked at the moment`, { cause: error, retryAfter: 30, meta: { host, port } });
  } finally {
    // Not waited for: where the connection has broken, the client would wait for its end until its time is over.
    void client
      .unbind()
      .catch(() => undefined)
      .finally(connection.destroy);
    // A directory that keeps sending would otherwise keep the connection.
    setTimeout(connection.destroy, farewellMs).unref();
  }
}

/** The client connects anew by itself where a connection has ended: nobody has signed in on that one, and TLS that was begun on the first is not there. */
function connectOnce(): { readonly connect: typeof connect; destroy(): void } {
  let socket: Socket | undefined;
  const connectFirst = (...given: Parameters<typeof connect>): Socket => {
    if (socket !== undefined) throw new Error("the directory has ended the connection");
    socket = connect(...given);
    return socket;
  };
  return { connect: connectFirst as typeof connect, destroy: () => socket?.destroy() };
}

const tlsOptions = ({ authority, verifiesCertificate }: LdapSettings): ConnectionOptions => ({
  minVersion: "TLSv1.2",
  rejectUnauthorized: verifiesCertificate,
  ...(authority !== "" && { ca: authority }),
});

async function bindServer(client: Client, { settings, secret }: DirectoryDeps): Promise<void> {
  if (settings.bindDn !== "") await client.bind(settings.bindDn, secret);
}

async function findAndBind(client: Client, deps: DirectoryDeps, login: string, password: string): Promise<Entry | undefined> {
  const { settings } = deps;
  await bindServer(client, deps);
  const entries = await search(client, settings, settings.userBase, "sub", fillFilter(settings.userFilter, { login }));
  // Two people of one login: neither is the one who is meant.
  const [entry] = entries;
  if (entry === undefined || entries.length > 1 || !(await bindPerson(client, entry.dn, password))) return undefined;
  // What follows is asked with the server's rights again.
  await bindServer(client, deps);
  return entry;
}

async function bindDirectly(client: Client, settings: LdapSettings, login: string, password: string): Promise<Entry | undefined> {
  const dn = fillDn(settings.userDn, { login });
  if (!(await bindPerson(client, dn, password))) return undefined;
  const [entry] = await search(client, settings, dn, "base", fillFilter(settings.userFilter, { login }));
  return entry;
}

async function bindPerson(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (refusals.has((error as Error).name)) return false;
    throw error;
  }
}

async function describe(client: Client, { settings }: DirectoryDeps, entry: Entry, login: string): Promise<DirectoryPerson | undefined> {
  const placed = { login, dn: entry.dn };
  const { groupFilter, groupBase, adminFilter, restrictedFilter } = settings;
  if (groupFilter !== "" && (await search(client, settings, groupBase, "sub", fillFilter(groupFilter, placed))).length === 0) return undefined;
  const isFoundBy = async (filter: string): Promise<boolean | undefined> =>
    filter === "" ? undefined : (await search(client, settings, entry.dn, "base", fillFilter(filter, placed))).length > 0;
  const loginName = settings.nameAttribute === "" ? login : attributeOf(entry, settings.nameAttribute);
  if (loginName === "") return undefined;
  return {
    loginName,
    name: loginName,
    fullName: attributeOf(entry, settings.fullNameAttribute),
    email: attributeOf(entry, settings.emailAttribute),
    isAdmin: await isFoundBy(adminFilter),
    isRestricted: await isFoundBy(restrictedFilter),
  };
}

/** At most two entries: whether there is one, and whether it is the only one. */
async function search(client: Client, settings: LdapSettings, base: string, scope: "base" | "sub", filter: string): Promise<readonly Entry[]> {
  const attributes = [settings.nameAttribute, settings.fullNameAttribute, settings.emailAttribute].filter((name) => name !== "");
  try {
    const { searchEntries } = await client.search(base, { scope, filter, attributes: attributes.length === 0 ? ["1.1"] : attributes, sizeLimit: 2 });
    return searchEntries;
  } catch (error) {
    // Where the entry itself is asked about, one that cannot be seen is one that is not found.
    if (scope === "base" && (error as Error).name === "NoSuchObjectError") return [];
    throw error;
  }
}

/** The first value of an attribute, whose name a directory may spell in its own case. */
function attributeOf(entry: Entry, attribute: string): string {
  if (attribute === "") return "";
  const wanted = attribute.toLowerCase();
  for (const [name, values] of Object.entries(entry)) {
    if (name.toLowerCase() !== wanted) continue;
    const value = Array.isArray(values) ? values[0] : values;
    return value === undefined ? "" : value.toString().replaceAll("\0", "").trim().slice(0, maxLength);
  }
  return "";
}
