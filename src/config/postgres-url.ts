/** Addresses and credentials of a PostgreSQL server, which may have standbys. */
export interface PostgresAddress {
  /** In the order in which they are tried; at least one. */
  readonly hosts: readonly PostgresHost[];
  /** Undefined: the name of the operating system's user. */
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Undefined: the name of the user. */
  readonly database: string | undefined;
  readonly tls: PostgresTls;
}

export interface PostgresHost {
  /** A host name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** As in libpq. `require` encrypts without checking the certificate. */
export type PostgresTlsMode = "disable" | "require" | "verify-ca" | "verify-full";

export interface PostgresTls {
  readonly mode: PostgresTlsMode;
  /** Paths of PEM files. `rootCertificate`: undefined for the certificate authorities of Node.js. */
  readonly rootCertificate: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

const tlsModes: readonly string[] = ["disable", "require", "verify-ca", "verify-full"] satisfies PostgresTlsMode[];
const writableSessions: readonly string[] = ["read-write", "primary"];
const parameters = ["host", "port", "user", "password", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey", "target_session_attrs"] as const;
const defaultPort = 5432;

export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//.test(url);

/**
 * Parses `postgres://user:password@host1:5432,host2/name?sslmode=verify-full`, a connection URI of libpq. `host` and `port` may be
 * parameters too, as lists.
 * @throws Error with a message that completes "the URL ...", without any secret
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
export function parsePostgresUrl(text: string): PostgresAddress {
  const [, userInfo = "", authority = "", path = "", query = ""] = /^postgres(?:ql)?:\/\/(?:([^@/?]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(text) ?? [];
  if (!isPostgresUrl(text)) throw new Error("must begin with postgres://");
  const given = new URLSearchParams(query);
  for (const name of given.keys()) {
    if (!(parameters as readonly string[]).includes(name)) throw new Error(`has the unknown parameter ${name}; known are ${parameters.join(", ")}`);
  }
  const parameter = (name: (typeof parameters)[number]): string | undefined => given.get(name) || undefined;
  requireWritable(parameter("target_session_attrs"));
  const colon = userInfo.indexOf(":");
  return {
    hosts: readHosts(authority, parameter("host"), parameter("port")),
    user: parameter("user") ?? (decode(colon < 0 ? userInfo : userInfo.slice(0, colon)) || undefined),
    password: parameter("password") ?? ((colon < 0 ? "" : decode(userInfo.slice(colon + 1))) || undefined),
    database: parameter("dbname") ?? (decode(path) || undefined),
    tls: readTls(parameter),
  };
}

function readHosts(authority: string, hostList: string | undefined, portList: string | undefined): PostgresHost[] {
  const named = authority === "" ? [] : authority.split(",").map(readHost);
  const hosts = hostList === undefined ? named.map(({ host }) => host) : hostList.split(",");
  const ports = portList === undefined ? named.map(({ port }) => port) : portList.split(",").map(readPort);
  if (hosts.length === 0) hosts.push("localhost");
  if (ports.length > 1 && ports.length !== hosts.length) throw new Error(`names ${hosts.length} hosts, but ${ports.length} ports`);
  return hosts.map((host, at) => {
    if (host === "") throw new Error("has an empty host name");
    return { host, port: ports[ports.length === 1 ? 0 : at] ?? defaultPort };
  });
}

function readHost(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain = "", port = ""] = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(\d*))?$/.exec(text) ?? [];
  const host = bracketed ?? decode(plain);
  if (host === "" && text !== "") throw new Error("has a host that is neither host, host:port nor [IPv6 address]:port");
  return { host, port: port === "" ? defaultPort : readPort(port) };
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new Error("has a port that is not a number from 1 to 65535");
  return port;
}

function readTls(parameter: (name: "sslmode" | "sslrootcert" | "sslcert" | "sslkey") => string | undefined): PostgresTls {
  const mode = parameter("sslmode") ?? "disable";
  // `prefer` and `allow` of libpq continue without encryption when the server, or an attacker, refuses it.
  if (!tlsModes.includes(mode)) throw new Error(`has sslmode=${mode}; use ${tlsModes.join(", ")}`);
  const tls = {
    mode: mode as PostgresTlsMode,
    rootCertificate: parameter("sslrootcert") === "system" ? undefined : parameter("sslrootcert"),
    certificate: parameter("sslcert"),
    key: parameter("sslkey"),
  };
  if (tls.mode === "verify-ca" && tls.rootCertificate === undefined)
    throw new Error("has sslmode=verify-ca without sslrootcert, the file of the authority's certificate");
  if ((tls.certificate === undefined) !== (tls.key === undefined)) throw new Error("must set sslcert and sslkey together");
  return tls;
}

function requireWritable(attributes: string | undefined): void {
  if (attributes !== undefined && !writableSessions.includes(attributes))
    throw new Error(`has target_session_attrs=${attributes}; Hearth needs a server that accepts writes, so use read-write or leave it out`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new Error("contains a % that does not begin an encoded character", { cause: error });
  }
}

/** The address as a URL for the programs of PostgreSQL, without the password, which other users of the machine could read. */
export function formatPostgresUrl({ hosts, user, database, tls }: PostgresAddress): string {
  const given = new URLSearchParams({
    host: hosts.map(({ host }) => host).join(","),
    port: hosts.map(({ port }) => port).join(","),
    ...(user !== undefined && { user }),
    sslmode: tls.mode,
    sslrootcert: tls.rootCertificate ?? "",
    sslcert: tls.certificate ?? "",
    sslkey: tls.key ?? "",
    target_session_attrs: "read-write",
  });
  for (const [name, value] of [...given]) if (value === "") given.delete(name);
  // libpq does not decode a plus sign.
  return `postgres:///${encodeURIComponent(database ?? "")}?${given.toString().replaceAll("+", "%20")}`;
}
