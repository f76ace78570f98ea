import type { Pool, PoolClient } from "pg";
import { convertPostgresError, isLostConnection } from "./errors.ts";
import type { PostgresServers, ServerClient } from "./postgres-servers.ts";

export type Connection = PoolClient & ServerClient;

/** Lends a connection to one statement. */
export type Lend = <T>(work: (client: Connection) => Promise<T>) => Promise<T>;

/** The connections of a pool. Every method throws ForgeError `unavailable` if no server accepts a connection, or none is free in time. */
export interface Connections {
  /** A connection for the caller alone. Tries each server once. */
  take(): Promise<Connection>;
  /** Returns a connection without an open transaction. A lost one is closed. */
  giveBack(client: Connection, isLost: boolean): void;
  readonly use: Lend;
  /** @returns a function that lends one connection to the statements that begin in the same turn of the event loop, so that they are sent and answered together */
  createSharing(): Lend;
}

/** A connection that several statements use. */
interface Shared {
  readonly client: Promise<Connection>;
  /** Number of statements, and of those that have not ended. */
  joined: number;
  active: number;
  isLost: boolean;
}

/** A statement should not wait for many others, which can be those of another request. */
const maxSharing = 4;

/**
 * A connection that was given back is kept until the end of the turn of the event loop, because a request usually sends its next statement at
 * once. The pool would stop and start timers, listeners and the socket each time.
 */
export function createConnections(pool: Pool, servers: PostgresServers): Connections {
  const kept: Connection[] = [];
  const releaseKept = (): void => {
    for (const client of kept.splice(0)) client.release();
  };

  const take = async (): Promise<Connection> => {
    const client = kept.pop();
    if (client !== undefined) return client;
    for (let attempt = 1; ; attempt += 1) {
      const server = servers.preferred();
      try {
        return (await pool.connect()) as Connection;
      } catch (error) {
        // A full pool is waited for only once.
        if (isPoolTimeout(error)) throw convertPostgresError(error);
        servers.reject(server);
        if (attempt >= servers.count) throw convertPostgresError(error);
      }
    }
  };

  const giveBack = (client: Connection, isLost: boolean): void => {
    if (isLost || pool.waitingCount > 0) client.release(isLost);
    else if (kept.push(client) === 1) setImmediate(releaseKept);
  };

  const createSharing = (): Lend => {
    let shared: Shared | undefined;
    const join = (): Shared => {
      if (shared === undefined) {
        process.nextTick(() => {
          shared = undefined;
        });
      }
      if (shared === undefined || shared.joined >= maxSharing || shared.active === 0) shared = { client: take(), joined: 0, active: 0, isLost: false };
      shared.joined += 1;
      shared.active += 1;
      return shared;
    };
    return async (work) => {
      const joined = join();
      let client: Connection | undefined;
      try {
        client = await joined.client;
        client.collect();
        return await work(client);
      } catch (error) {
        joined.isLost ||= isLostConnection(error);
        throw error;
      } finally {
        joined.active -= 1;
        if (client !== undefined && joined.active === 0) giveBack(client, joined.isLost);
      }
    };
  };

  return {
    take,
    giveBack,
    async use(work) {
      const client = await take();
      let isLost = false;
      try {
        return await work(client);
      } catch (error) {
        isLost = isLostConnection(error);
        throw error;
      } finally {
        giveBack(client, isLost);
      }
    },
    createSharing,
  };
}

const isPoolTimeout = (error: unknown): boolean => error instanceof Error && error.message === "timeout exceeded when trying to connect";
