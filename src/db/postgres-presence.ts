import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Client } from "pg";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Tx } from "./db.ts";
import { convertPostgresError, databaseUnavailable } from "./errors.ts";
import { firstCompatible, type Migration } from "./migrations/migration.ts";
import type { PostgresServers } from "./postgres-servers.ts";
import { newPresenceId, type Presence } from "./presence.ts";

/** First key of the advisory locks of processes; the second key is the process's id. */
const lockClass = 7_405_313;
/** First key of the shared advisory locks of processes; the second key is the number of migrations that their program knows. */
const programClass = 7_405_314;
const timeoutMs = 5_000;
/**
 * The server closes a connection whose other end has disappeared after about 20 seconds, which frees its lock. No effect on Unix sockets.
 */
const keepalives = "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3";
/** A notice can be lost anyway, and does not wait for the disk. */
const listens = "set synchronous_commit = off; listen hearth";
const sendNotices = "select pg_notify('hearth', notice) from unnest($1::text[]) as notice";
/** Notices of this time are sent together, and equal ones once. */
const noticesMs = 20;

export interface PostgresPresenceOptions {
  readonly servers: PostgresServers;
  readonly log: Log;
  /** The number of migrations that this program knows. */
  readonly program: number;
  /** Called when the schema turns out not to support this program any more. */
  readonly onExcluded?: (error: Error) => void;
  /** Called with each notice of another process. */
  readonly onNotice?: (text: string) => void;
}

/**
 * Takes session-level advisory locks on a separate connection. PostgreSQL releases them when the connection ends, so they last exactly as
 * long as the connection.
 * @throws ForgeError `unavailable`
 */
export async function openPostgresPresence({ servers, log, program, onExcluded, onNotice }: PostgresPresenceOptions): Promise<Presence> {
  const listeners = new Set<(isHeld: boolean) => void>();
  let held: { readonly client: Client; readonly id: number } | undefined;
  let holding: Promise<void> | undefined;
  let lastId = newPresenceId();
  let isClosed = false;
  const notices = new Set<string>();
  let isSending = false;

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
      client.on("notification", ({ processId, payload = "" }) => {
        if (processId !== (connected as Client & { readonly processID?: number }).processID) onNotice?.(payload);
      });
      await client.query(`${keepalives}; ${listens}`);
      let id = newPresenceId();
      while (!(await tryLock(client, id))) id = newPresenceId();
      const exclusion = await findExclusion(client, program);
      if (exclusion !== undefined) {
        onExcluded?.(exclusion);
        throw exclusion;
      }
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

  const send = async (): Promise<void> => {
    isSending = true;
    while (notices.size > 0) {
      await sleep(noticesMs);
      const [client, texts] = [held?.client, [...notices]];
      notices.clear();
      await client?.query(sendNotices, [texts]).catch((error: unknown) => lose(client, error));
    }
    isSending = false;
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
    notifyOthers(text) {
      if (held === undefined) return;
      notices.add(text);
      if (!isSending) void send();
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

/**
 * Takes the lock of this program's version and then reads the schema: a migration that excludes it either sees the lock, or is seen here.
 * @returns the error if the schema does not support the program
 * @throws ForgeError `unavailable` while such a migration runs
 */
async function findExclusion(client: Client, program: number): Promise<Error | undefined> {
  const { rows: locks } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock_shared($1::int, $2::int) as taken", [programClass, program]);
  if (locks[0]?.taken !== true) throw unavailable("a newer version of Hearth is changing the database schema: try again when it has started");
  const { rows: schemas } = await client.query<{ oldest: string }>("select coalesce(max(oldest_program), 0) as oldest from migrations");
  if (Number(schemas[0]?.oldest) <= program) return undefined;
  return unavailable(
    `a newer version of Hearth has changed the database schema, which does not support this version (${program}) any more: start the newer version`,
  );
}

/**
 * For the transaction of a migration that older programs cannot use: while one is running, it rejects; until the transaction ends, none can
 * start.
 * @throws ForgeError `unavailable`
 */
export async function excludeOlderPrograms(tx: Tx, { id, name }: Migration, oldestProgram: number): Promise<void> {
  const { rows: running } = await sql<{ processes: number }>`
    select count(distinct pid) as processes from pg_locks p
    where p.locktype = 'advisory' and p.granted and p.objsubid = 2 and p.classid = ${lockClass}::bigint::oid
      and p.database = (select oid from pg_database where datname = current_database())
      and not exists (
        select 1 from pg_locks v
        where v.pid = p.pid and v.locktype = 'advisory' and v.granted and v.objsubid = 2
          and v.classid = ${programClass}::bigint::oid and v.objid::bigint >= ${oldestProgram}::bigint
      )`.execute(tx.sql);
  const processes = Number(running[0]?.processes);
  if (processes > 0)
    throw unavailable(
      `migration ${id} (${name}) removes something that ${processes === 1 ? "1 running server of an older version still uses: stop it" : `${processes} running servers of an older version still use: stop them`}, then start this version again`,
    );
  const { rows: free } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${programClass}::int, version::int) as taken
    from generate_series(${firstCompatible}::int, ${oldestProgram - 1}::int) as version`.execute(tx.sql);
  if (free.some(({ taken }) => !taken)) throw unavailable("a server of an older version is starting: stop it, then start this version again");
}

const selectHeld = `select objid::bigint as id from pg_locks
  where locktype = 'advisory' and granted and objsubid = 2 and classid = $1::bigint::oid
    and database = (select oid from pg_database where datname = current_database())`;
