import { connect, isIP, type Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { Client, Entry } from "ldapts";
import { invalid, unavailable } from "../../../../core/errors.ts";
import type { ExternalPerson, LdapSettings } from "../model.ts";
import { loadLdapts } from "./ldapts.ts";
import { fillDn, fillFilter } from "./template.ts";

/** A directory user whose password was correct. */
export interface DirectoryPerson extends ExternalPerson {
  /** The user's name in the directory, independent of how they typed it. */
  readonly loginName: string;
}

export interface DirectoryDeps {
  readonly settings: LdapSettings;
  /** The password of `bindDn`. */
  readonly secret: string;
}

/** Longer than any name or address. */
const maxLength = 255;
/** Time limit for connecting and for each response. */
const connectTimeoutMs = 5_000;
const answerTimeoutMs = 10_000;
/** Maximum size of all responses of a connection for one user. A user needs about a kilobyte. */
const maxAnswerBytes = 1024 * 1024;
/** The same for each further user that is looked up over the connection. */
const bytesPerLookUp = 64 * 1024;
/** Interval between checks of the size. */
const sizeCheckMs = 20;
/** Time limit for closing the connection. */
const farewellMs = 1_000;

/** RFC 4511, 4.1.10. */
const referralCode = 10;

/** Bind results that concern the user: wrong password, locked or expired account. Every other failure is the directory's. */
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
 * Checks a user's password against a directory.
 * @returns undefined for a wrong password, and for users that the settings do not admit
 * @throws ForgeError `unavailable` when the directory cannot be reached or refuses the server itself
 */
export function signInToDirectory(deps: DirectoryDeps, login: string, password: string): Promise<DirectoryPerson | undefined> {
  // RFC 4513, 5.1.2: a bind with a name and no password succeeds without authentication.
  if (login === "" || password === "") return Promise.resolve(undefined);
  return withDirectory(deps.settings, async (client) => {
    const { settings } = deps;
    const entry = settings.userDn === "" ? await findAndBind(client, deps, login, password) : await bindDirectly(client, settings, login, password);
    return entry && describe(client, deps, entry, login);
  });
}

/** Whether the server can search for users without their passwords: with its own bind DN, or anonymously. */
export const canLookUp = ({ userDn, bindDn }: LdapSettings): boolean => userDn === "" || bindDn !== "";

/**
 * Looks up users by login, over one connection and with the server's own rights.
 * @returns the directory's data per login; null for a user that it does not know or no longer admits. Logins that match more than
 * one entry are omitted
 * @throws ForgeError `unavailable` as {@link signInToDirectory}
 */
export const lookUpPeople = (deps: DirectoryDeps, logins: readonly string[]): Promise<ReadonlyMap<string, DirectoryPerson | null>> =>
  withDirectory({ ...deps.settings, maxBytes: maxAnswerBytes + logins.length * bytesPerLookUp }, async (client) => {
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
 * Connects, binds as the server and searches the user base, as a sign-in does.
 * @throws ForgeError `unavailable`, with the directory's message as its cause
 */
export const checkDirectory = (deps: DirectoryDeps): Promise<void> =>
  withDirectory(deps.settings, async (client) => {
    const { userDn, userBase } = deps.settings;
    await bindServer(client, deps);
    // With `userDn` the server itself may have no right to search. It then reads the root entry, and any result is fine.
    const requested = client.search(userDn === "" ? userBase : "", { scope: "base", filter: "(objectClass=*)", attributes: ["1.1"] });
    await (userDn === ""
      ? requested
      : requested.catch((error: { readonly code?: unknown }) => (typeof error.code === "number" ? undefined : Promise.reject(error))));
  });

/** @throws ForgeError `invalid` for a filter with invalid syntax */
export async function checkFilter(field: string, template: string): Promise<void> {
  const { FilterParser } = await loadLdapts();
  try {
    FilterParser.parseString(fillFilter(template, { login: "x", dn: "cn=x" }));
  } catch (error) {
    throw invalid(`${field}: ${template} is not a search filter (RFC 4515), such as (uid=%s)`, { reason: "invalid_filter", field, cause: error });
  }
}

async function withDirectory<T>(settings: LdapSettings & { readonly maxBytes?: number }, ask: (client: Client) => Promise<T>): Promise<T> {
  const { Client: LdapClient } = await loadLdapts();
  const { host, port, security, maxBytes = maxAnswerBytes } = settings;
  const tls = tlsOptions(settings);
  const connection = connectOnce(maxBytes);
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
    const details = { cause: error, meta: { host, port } };
    // A referral is never followed: the other server would get the password of the server or of a user.
    if ((error as { readonly code?: unknown }).code === referralCode)
      throw unavailable(`the directory ${host} refers to another server: enter the server that holds the users`, { ...details, reason: "directory_referral" });
    throw unavailable(`the directory ${host} cannot be reached at the moment`, { ...details, retryAfter: 30 });
  } finally {
    // Not awaited: on a broken connection the client would wait until its timeout.
    void client
      .unbind()
      .catch(() => undefined)
      .finally(connection.destroy);
    // A directory that keeps sending would otherwise keep the connection open.
    setTimeout(connection.destroy, farewellMs).unref();
  }
}

/**
 * The client reconnects automatically after a connection ends. The new connection is neither bound nor upgraded to TLS, so only one
 * connection is allowed. The client also collects messages of any length, and copies all that it has for each chunk, so the size is
 * checked here.
 */
function connectOnce(maxBytes: number): { readonly connect: typeof connect; destroy(): void } {
  let socket: Socket | undefined;
  const connectFirst = (...given: Parameters<typeof connect>): Socket => {
    if (socket !== undefined) throw new Error("the directory has closed the connection");
    const opened = connect(...given);
    const check = setInterval(() => opened.bytesRead > maxBytes && opened.destroy(new Error("the directory sends too much")), sizeCheckMs);
    opened.once("close", () => clearInterval(check));
    socket = opened;
    return opened;
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
  // With two matching entries it is unclear which user is meant.
  const [entry] = entries;
  if (entry === undefined || entries.length > 1 || !(await bindPerson(client, entry.dn, password))) return undefined;
  // The following searches use the server's rights again.
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

/**
 * Returns at most two entries, enough to detect an ambiguous match. References to other servers are ignored: most directories add them to
 * each search, and an entry behind one is unknown here.
 */
async function search(client: Client, settings: LdapSettings, base: string, scope: "base" | "sub", filter: string): Promise<readonly Entry[]> {
  const attributes = [settings.nameAttribute, settings.fullNameAttribute, settings.emailAttribute].filter((name) => name !== "");
  try {
    const { searchEntries } = await client.search(base, { scope, filter, attributes: attributes.length === 0 ? ["1.1"] : attributes, sizeLimit: 2 });
    return searchEntries;
  } catch (error) {
    // In a base search, an entry that the server may not see counts as not found.
    if (scope === "base" && (error as Error).name === "NoSuchObjectError") return [];
    throw error;
  }
}

/** The first value of an attribute. Directories may spell attribute names in another case. */
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
