import type { Client } from "pg";
import type { Log } from "../core/log.ts";
import { convertPostgresError, databaseUnavailable } from "./errors.ts";
import type { PostgresServers } from "./postgres-servers.ts";
import { newPresenceId, type Presence } from "./presence.ts";

/** First key of the advisory locks of processes; the second key is the process's id. */
const lockClass = 7_405_313;
const timeoutMs = 5_000;
/**
 * The server closes a connection whose other end has disappeared after about 20 seconds, which frees its lock. No effect on Unix sockets.
 */
const keepalives = "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3";

/**
 * Takes a session-level advisory lock on a separate connection. PostgreSQL releases it when the connection ends, so the lock lasts exactly
 * as long as the connection.
 * @throws ForgeError `unavailable`
 */
export async function openPostgresPresence({ servers, log }: { readonly servers: PostgresServers; readonly log: Log }): Promise<Presence> {
  const listeners = new Set<(isHeld: boolean) => void>();
  let held: { readonly client: Client; readonly id: number } | undefined;
  let holding: Promise<void> | undefined;
  let lastId = newPresenceId();
  let isClosed = false;

  const report = (isHeld: boolean): void => {
    for (const listener of listeners) listener(isHeld);
  };

  const lose = (client: Client, error?: unknown): void => {
    // While a statement is running this closes the socket immediately, so an unresponsive server does not block.
    void client.end().catch(() => undefined);
    if (held?.client !== client) return;
    held = undefined;
    if (isClosed) return;
    log.warn({ err: error }, "lost the connection that makes this process visible to the others; its jobs are aborted here and restarted");
    report(false);
  };

  const connect = async (): Promise<void> => {
    let client: Client | undefined;
    try {
      const connected = await servers.connect({ application_name: "hearth presence", connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
      client = connected;
      client.on("error", (error) => lose(connected, error));
      client.on("end", () => lose(connected));
      await client.query(keepalives);
      let id = newPresenceId();
      while (!(await tryLock(client, id))) id = newPresenceId();
      if (isClosed) throw new Error("the database is closed");
      held = { client, id };
      lastId = id;
      report(true);
    } catch (error) {
      if (client !== undefined) lose(client, error);
      throw convertPostgresError(error);
    }
  };

  const hold = async (): Promise<void> => {
    if (held !== undefined) return;
    holding ??= connect().finally(() => {
      holding = undefined;
    });
    await holding;
  };

  await hold();
  return {
    id: () => held?.id ?? lastId,
    isHeld: () => held !== undefined,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hold,
    async listRunning() {
      const client = held?.client;
      if (client === undefined) throw databaseUnavailable(new Error("this process is not visible to the others"));
      try {
        const { rows } = await client.query<{ id: string }>(selectHeld, [lockClass]);
        return new Set(rows.map(({ id }) => Number(id)));
      } catch (error) {
        lose(client, error);
        throw convertPostgresError(error);
      }
    },
    async close() {
      isClosed = true;
      await holding?.catch(() => undefined);
      const client = held?.client;
      held = undefined;
      await client?.end().catch(() => undefined);
    },
  };
}

async function tryLock(client: Client, id: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1::int, $2::int) as taken", [lockClass, id]);
  return rows[0]?.taken === true;
}

const selectHeld = `select objid::bigint as id from pg_locks
  where locktype = 'advisory' and granted and objsubid = 2 and classid = $1::bigint::oid
    and database = (select oid from pg_database where datname = current_database())`;
