import { readFileSync } from "node:fs";
import { Client, type ClientConfig } from "pg";
import type { PostgresAddress, PostgresHost, PostgresTls } from "../config/postgres-url.ts";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";

/** The servers of an address: one primary, which accepts writes, and its standbys. */
export interface PostgresServers {
  readonly count: number;
  /** The class of clients that connect to the preferred server. */
  readonly Client: new (
    config?: ClientConfig,
  ) => ServerClient;
  /** The server that accepted the last connection, or after a {@link reject} the next one. */
  preferred(): PostgresHost;
  /** Makes the next server the preferred one, if this one still is. */
  reject(server: PostgresHost): void;
  /** A connection to the primary, outside of any pool. The caller ends it. @throws an error of `pg`, or {@link requirePrimary}'s */
  connect(config: ClientConfig): Promise<ServerClient>;
}

/** A client that knows its server. */
export interface ServerClient extends Client {
  readonly server: PostgresHost;
  /** Id of the server's process for this connection; behind a pooler, a number of the pooler. */
  readonly processID: number | null;
  /** Everything that is sent until the end of this turn of the event loop becomes one packet. */
  collect(): void;
}

/** The oldest version that the tests run on. */
const oldestVersion = 15;

export function createPostgresServers(address: PostgresAddress, log: Log): PostgresServers {
  const common = { user: address.user, password: address.password, database: address.database, ssl: tlsOptions(address.tls) };
  const { hosts } = address;
  let at = 0;
  const preferred = (): PostgresHost => hosts[at] as PostgresHost;

  class HostClient extends Client {
    readonly server: PostgresHost;
    declare readonly processID: number | null;
    #isCollecting = false;

    constructor(config?: ClientConfig) {
      const server = preferred();
      super({ ...config, ...common, host: server.host, port: server.port, keepAlive: true, keepAliveInitialDelayMillis: 10_000 });
      this.server = server;
    }

    collect(): void {
      if (this.#isCollecting) return;
      const { stream } = this.connection;
      stream.cork();
      this.#isCollecting = true;
      process.nextTick(() => {
        this.#isCollecting = false;
        stream.uncork();
      });
    }
  }

  const reject = (server: PostgresHost): void => {
    if (hosts.length === 1 || preferred() !== server) return;
    at = (at + 1) % hosts.length;
    log.debug({ rejected: nameOf(server), next: nameOf(preferred()) }, "trying the next PostgreSQL server");
  };

  return {
    count: hosts.length,
    Client: HostClient,
    preferred,
    reject,
    async connect(config) {
      for (let attempt = 1; ; attempt += 1) {
        const client = new HostClient(config);
        client.on("error", () => undefined);
        try {
          await client.connect();
          await requirePrimary(client);
          return client;
        } catch (error) {
          reject(client.server);
          void client.end().catch(() => undefined);
          if (attempt >= hosts.length) throw error;
        }
      }
    },
  };
}

/**
 * Checks the server of a new connection with one statement.
 * @returns whether a connection pooler is between this process and the server
 * @throws ForgeError `unavailable` if the server is a standby, or too old
 */
export async function requirePrimary(client: ServerClient): Promise<{ readonly isPooled: boolean }> {
  const { rows } = await client.query<{ standby: boolean; pid: number; version: number }>(
    "select pg_is_in_recovery() as standby, pg_backend_pid() as pid, current_setting('server_version_num')::int / 10000 as version",
  );
  const { standby, pid, version } = rows[0] ?? { standby: false, pid: client.processID, version: oldestVersion };
  const name = nameOf(client.server);
  if (version < oldestVersion) throw unavailable(`PostgreSQL ${version} at ${name} is too old: Hearth needs version ${oldestVersion} or newer`);
  if (standby) throw unavailable(`PostgreSQL at ${name} is a standby, which accepts no writes: promote it, or name the primary`, { retryAfter: 5 });
  return { isPooled: pid !== client.processID };
}

/**
 * Hearth keeps prepared statements, settings and advisory locks in its sessions, which a pooler in transaction mode gives to other clients.
 * Such a pooler lets two clients that are connected at the same time use one process of the server.
 * @throws ForgeError `unavailable`
 */
export async function requireOwnSessions(servers: PostgresServers, config: ClientConfig): Promise<void> {
  const clients = [await servers.connect(config), await servers.connect(config)];
  try {
    const seen = new Map<number, Client>();
    for (const client of [...clients, ...clients]) {
      const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
      const pid = rows[0]?.pid ?? 0;
      if ((seen.get(pid) ?? client) !== client || (seen.size === clients.length && !seen.has(pid))) throw unavailable(sharedSessions);
      seen.set(pid, client);
    }
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

const sharedSessions =
  "a connection pooler shares its connections between clients after each transaction, but Hearth needs sessions of its own: set pool_mode = session for this database, or connect to PostgreSQL directly";

const nameOf = ({ host, port }: PostgresHost): string => `${host}:${port}`;

/** @throws an error of the file system for a missing certificate */
export function tlsOptions({ mode, rootCertificate, certificate, key }: PostgresTls): ClientConfig["ssl"] {
  if (mode === "disable") return false;
  return {
    ...(rootCertificate !== undefined && { ca: readFileSync(rootCertificate, "utf8") }),
    ...(certificate !== undefined && { cert: readFileSync(certificate, "utf8") }),
    ...(key !== undefined && { key: readFileSync(key, "utf8") }),
    rejectUnauthorized: mode !== "require",
    ...(mode === "verify-ca" && { checkServerIdentity: () => undefined }),
  };
}
