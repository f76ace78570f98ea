import type { AddressInfo } from "node:net";
// @ts-expect-error -- the package has no types
import ldapjs from "ldapjs";

/** An entry of a test directory: its DN, attributes and password. */
export interface DirectoryEntry {
  readonly dn: string;
  readonly password?: string;
  readonly attributes: Readonly<Record<string, string | readonly string[]>>;
}

/** A real LDAP server on the loopback interface. */
export interface TestDirectory extends AsyncDisposable {
  readonly port: number;
  /** The current entries; a test may change them. */
  readonly entries: DirectoryEntry[];
  /** Addresses of other servers that each search returns next to its entries. */
  readonly references: string[];
  /** Bases below which requests are answered with a referral. */
  readonly elsewhere: string[];
  /** Received requests in order: `bind DN`, `search BASE FILTER`. */
  readonly requested: string[];
  /** Stops the server: connections are refused from now on. */
  stop(): Promise<void>;
}

export const peopleBase = "ou=people,dc=example,dc=org";
export const serverDn = "cn=hearth,dc=example,dc=org";
export const serverPassword = "the server's own pass phrase";

/** A user entry with the login in `uid`. */
export const person = (uid: string, password: string, attributes: Readonly<Record<string, string>> = {}): DirectoryEntry => ({
  dn: `uid=${uid},${peopleBase}`,
  password,
  attributes: { objectclass: "person", uid, cn: `The ${uid}`, mail: `${uid}@directory.example.org`, ...attributes },
});

/** @param tls PEM texts: the directory speaks LDAPS (TLS) */
export async function startDirectory(entries: readonly DirectoryEntry[], tls?: { readonly certificate: string; readonly key: string }): Promise<TestDirectory> {
  const kept = [...entries];
  const requested: string[] = [];
  const references: string[] = [];
  const elsewhere: string[] = [];
  const isElsewhere = (dn: string): boolean => elsewhere.some((base) => dn.endsWith(nameOf(base)));
  const server = ldapjs.createServer({ ...tls });
  server.bind("", (request: LdapRequest, response: LdapResponse, next: (error?: unknown) => void) => {
    const dn = nameOf(request.dn);
    requested.push(`bind ${dn}`);
    if (isElsewhere(dn)) return next(new ldapjs.ReferralError());
    // According to RFC 4513, a bind without a password succeeds and proves nothing.
    if (request.credentials === "") response.end();
    else if (dn === nameOf(serverDn) && request.credentials === serverPassword) response.end();
    else if (kept.some((entry) => nameOf(entry.dn) === dn && entry.password === request.credentials)) response.end();
    else return next(new ldapjs.InvalidCredentialsError());
    next();
  });
  server.search("", (request: LdapRequest, response: LdapResponse, next: (error?: unknown) => void) => {
    const base = nameOf(request.dn);
    requested.push(`search ${base} ${request.filter}`);
    if (isElsewhere(base)) return next(new ldapjs.ReferralError());
    for (const address of references) response.send(response.createSearchReference([address]));
    for (const entry of kept) {
      const dn = nameOf(entry.dn);
      const isBelow = request.scope === "base" || request.scope === 0 ? dn === base : dn === base || dn.endsWith(`,${base}`);
      if (isBelow && request.filter.matches(entry.attributes)) response.send({ dn: entry.dn, attributes: entry.attributes });
    }
    response.end();
    next();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { port: (server.server.address() as AddressInfo).port, entries: kept, references, elsewhere, requested, stop, [Symbol.asyncDispose]: stop };
}

interface LdapRequest {
  readonly dn: { toString(): string };
  readonly credentials: string;
  readonly scope: string | number;
  readonly filter: { matches(attributes: object): boolean; toString(): string };
}
interface LdapResponse {
  send(entry: object): void;
  createSearchReference(addresses: readonly string[]): object;
  end(): void;
}

/** DNs are compared case-insensitively and without spaces between their parts. */
const nameOf = (dn: { toString(): string }): string => dn.toString().toLowerCase().replace(/,\s+/g, ",");
