import { setTimeout as sleep } from "node:timers/promises";
import type { QueryResult } from "kysely";
import { type ClientBase, type QueryResult as PgResult, Pool } from "pg";
import type { PostgresAddress } from "../config/postgres-url.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Announcement, createChannels, parseAnnouncement } from "./channels.ts";
import { createCollisionGauge } from "./collision-gauge.ts";
import type { Channel, Db, DbCounters, StatementListener, Tx } from "./db.ts";
import { convertPostgresError, driverError, isLostConnection, isOutdatedPlan, isRetryable, uncertainOutcome, wasNotSent } from "./errors.ts";
import { allMigrations } from "./migrations/all.ts";
import { createConnections, type Lend } from "./postgres-connections.ts";
import { attemptsAlone, type ConnectedAttempt, createTransactionGroups, mayRepeatLost, rollBack, sendAhead } from "./postgres-groups.ts";
import { integerTypes } from "./postgres-integers.ts";
import { openPostgresPresence } from "./postgres-presence.ts";
import { queryNamed } from "./postgres-query.ts";
import { createPostgresServers, requireOwnSessions, requirePrimary, type ServerClient } from "./postgres-servers.ts";
import type { Presence } from "./presence.ts";
import { createQueryBuilder } from "./query-builder.ts";
import { createAttempt } from "./transaction.ts";

export interface PostgresOptions extends PostgresLimits {
  readonly address: PostgresAddress;
  readonly log: Log;
  readonly clock: Clock;
  readonly onStatement?: StatementListener | undefined;
}

export interface PostgresLimits {
  /** Maximum number of connections of this process, besides the one of its presence. */
  readonly poolSize?: number | undefined;
  readonly statementTimeoutMs?: number | undefined;
  /** Maximum time between two statements of a transaction. */
  readonly idleInTransactionMs?: number | undefined;
  /** Maximum time that a statement waits for a connection, free or new. */
  readonly connectTimeoutMs?: number | undefined;
}

export interface PostgresDb extends Db {
  /** Runs `work` while no other process does the same on this database. */
  exclusively(work: () => Promise<void>): Promise<void>;
  /** Creates an index unless it exists, while other connections read and write its table. @param statement `create [unique] index ...` */
  buildIndex(statement: string): Promise<void>;
}

const defaultPoolSize = 10;
const defaultConnectTimeoutMs = 5_000;
const defaultStatementTimeoutMs = 20_000;
/** After the server's own limit, a statement is given up: its server, or the network, does not respond. */
const unresponsiveAfterMs = 5_000;
/** The longest delay of a timer, for statements without a limit. */
const unlimitedMs = 2 ** 31 - 1;
/** Releases the locks of a process that froze during a transaction, before the statements that wait for them are given up. */
const defaultIdleInTransactionMs = 10_000;
const maxAttempts = 12;
const maxWaitMs = 15_000;
const begin = "begin isolation level serializable read write";
/** Maximum pause before another attempt; the actual pause is random. */
const maxPauseMs = 200;
/** Arbitrary key of the migration lock. */
const migrationLock = 7_405_312;
/** Pause between two attempts to take the migration lock. */
const migrationPauseMs = 100;
/** The server keeps each prepared statement per connection, so their number is limited; further statements are sent unprepared. */
const maxNamedStatements = 1_000;

/** Channels whose values other processes wait for. The values of the others are handled by the process that made the change, or are in rows that requests read. */
const shared: ReadonlySet<Channel> = new Set(["actions", "migrations"]);

/** Opens PostgreSQL: pooled connections that can write only inside a transaction, and named prepared statements. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDb> {
  const { log } = options;
  const counters: DbCounters = { statements: 0, transactions: 0 };
  const channels = createChannels();
  /** Set while this process is visible to others. */
  let presence: Presence | undefined;
  /** Names of prepared statements by text. */
  const names = new Map<string, string>();
  let lastName = 0;
  const active = new Set<Promise<unknown>>();
  const servers = createPostgresServers(options.address, log);
  const statementTimeoutMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
  const idleInTransactionMs = options.idleInTransactionMs ?? defaultIdleInTransactionMs;
  const connectTimeoutMs = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
  const clientConfig = { application_name: "hearth", connectionTimeoutMillis: connectTimeoutMs, query_timeout: statementTimeoutMs + unresponsiveAfterMs };
  let ownSessions: Promise<void> | undefined;
  let isClosed = false;
  /** Set when the schema does not support this program any more. */
  let exclusion: Error | undefined;

  /** Prepares a new connection. @throws ForgeError `unavailable` if its server cannot be used */
  const onConnect = async (base: ClientBase): Promise<void> => {
    const client = base as ServerClient;
    try {
      const { isPooled } = await requirePrimary(client);
      ownSessions ??= isPooled ? requireOwnSessions(servers, clientConfig) : undefined;
      await ownSessions;
      await client.query(sessionSettings, [String(statementTimeoutMs), String(idleInTransactionMs)]);
    } catch (error) {
      ownSessions = undefined;
      throw error;
    }
  };
  const pool = new Pool({
    ...clientConfig,
    Client: servers.Client,
    onConnect,
    max: options.poolSize ?? defaultPoolSize,
    idleTimeoutMillis: 60_000,
    types: integerTypes,
    pipeline: true,
  });
  // A broken connection is replaced on next use. A connection in use reports it by its own event. Without a running statement that event
  // has no other listener, and would end the process.
  pool.on("error", (error) => log.warn({ err: error }, "lost an idle connection to PostgreSQL"));
  pool.on("connect", (client) => client.on("error", (error) => log.debug({ err: error }, "lost a connection to PostgreSQL")));

  const connections = createConnections(pool, servers);
  const shareShort = connections.createSharing();

  const nameOf = (text: string): string | undefined => {
    let name = names.get(text);
    if (name === undefined && isPrepared(text) && names.size < maxNamedStatements) {
      name = `s${++lastName}`;
      names.set(text, name);
    }
    return name;
  };
  const execute = async (client: ServerClient, text: string, list: readonly unknown[]): Promise<PgResult> => {
    const values = list as unknown[];
    const name = nameOf(text);
    if (name === undefined) return client.query({ text, values });
    try {
      return await queryNamed(client, { name, text, values });
    } catch (error) {
      if (isOutdatedPlan(error) && names.get(text) === name) names.delete(text);
      throw error;
    }
  };
  const count = (text: string, values: readonly unknown[] = []): void => {
    counters.statements += 1;
    options.onStatement?.(text, values);
  };
  /** Closing waits for running work. */
  const entered = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error("the database is closed");
    if (exclusion !== undefined) throw exclusion;
    const running = work();
    active.add(running);
    try {
      return await running;
    } finally {
      active.delete(running);
    }
  };

  const read = async (text: string, values: readonly unknown[], lend: Lend): Promise<QueryResult<unknown>> => {
    count(text, values);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await lend(async (client) => toResult(await execute(client, text, values)));
      } catch (error) {
        // A pooled connection may have died while idle, and a standby cancels queries that block its recovery; a read can be retried.
        if (attempt > 1 || !(isLostConnection(error) || isRetryable(error))) throw convertPostgresError(error);
      }
    }
  };

  const attemptOn = (client: ServerClient): ConnectedAttempt => {
    // The server runs statements in the order in which they are sent.
    let last: Promise<unknown> = Promise.resolve();
    const inTurn = <R>(text: string, values: readonly unknown[], send: () => Promise<R>): Promise<R> => {
      count(text, values);
      client.collect();
      const result = withConvertedErrors(send);
      last = result.catch(() => undefined);
      return result;
    };
    const attempt = createAttempt({
      dialect: "postgres",
      nowMs: options.clock.now(),
      channels: {
        complete: channels.complete,
        announce(announcement) {
          channels.announce(announcement);
          if (shared.has(announcement.channel)) presence?.notifyOthers(JSON.stringify(announcement));
        },
      },
      run: (text, values) => inTurn(text, values, async () => toResult(await execute(client, text, values))),
      runScript: (text) => inTurn(text, [], () => client.query({ text, ...unlimited })),
    });
    return { ...attempt, idle: () => last };
  };

  async function attemptTransaction<T>(client: ServerClient, work: (tx: Tx) => Promise<T>): Promise<Outcome<T>> {
    const attempt = attemptOn(client);
    // The first statement does not wait for it.
    const begun = sendAhead(client, begin);
    const performed = await attempt.perform(work).then(
      (value) => ({ value }),
      (raised: unknown) => ({ raised }),
    );
    attempt.end();
    const refused = await begun;
    if (refused !== undefined) return { serverError: refused.error, raised: convertPostgresError(refused.error) };
    // Whether to retry depends on the server's error, even if `work` replaced it.
    if ("raised" in performed) return { serverError: attempt.failure()?.error ?? performed.raised, raised: performed.raised };
    try {
      await client.query("commit");
    } catch (error) {
      const isUncertain = isLostConnection(error) && !wasNotSent(error);
      return { serverError: isUncertain ? undefined : error, raised: isUncertain ? uncertainOutcome(error) : convertPostgresError(error) };
    }
    return { value: performed.value, committed: attempt.committed };
  }

  /** @returns undefined if transactions began to run in groups while this one waited for a connection */
  async function attemptOnce<T>(work: (tx: Tx) => Promise<T>): Promise<(Outcome<T> & { readonly isLost: boolean }) | undefined> {
    const client = await connections.take();
    if (groups.isActive()) return void connections.giveBack(client, false);
    const outcome = await attemptTransaction(client, work);
    const isLost = !("value" in outcome) && isLostConnection(driverError(outcome.serverError));
    connections.giveBack(client, !("value" in outcome) && (isLost || !(await rollBack(client))));
    return { ...outcome, isLost };
  }

  const pause = (attempts: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(2 ** attempts, maxPauseMs)));
  const gauge = createCollisionGauge(() => performance.now());
  const groups = createTransactionGroups({ begin, connections, createAttempt: attemptOn, gauge, maxAttempts, maxWaitMs, pause });

  async function tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const sinceMs = performance.now();
    let attempts = 0;
    let losses = 0;
    while (attempts < attemptsAlone && !groups.isActive()) {
      const outcome = await attemptOnce(work);
      if (outcome === undefined) break;
      if ("value" in outcome) {
        gauge.succeeded();
        outcome.committed();
        return outcome.value;
      }
      attempts += 1;
      if (isRetryable(outcome.serverError)) gauge.collided();
      else {
        losses += 1;
        // The attempt had no effect.
        if (!outcome.isLost || !mayRepeatLost({ losses, sinceMs })) throw outcome.raised;
      }
      await pause(attempts);
    }
    return groups.run(work, attempts);
  }

  const db: PostgresDb = {
    dialect: "postgres",
    counters,
    sql: createQueryBuilder("postgres", (text, values, isShort) => entered(() => read(text, values, isShort ? shareShort : connections.use))),
    releaseMemory: () => undefined,
    together() {
      const share = connections.createSharing();
      return { dialect: "postgres", sql: createQueryBuilder("postgres", (text, values) => entered(() => read(text, values, share))) };
    },
    async tx(work) {
      const value = await entered(() => tx(work));
      counters.transactions += 1;
      return value;
    },
    listen: channels.listen,
    beforeCommit: channels.beforeCommit,
    notifyOthers: (channel, value) => presence?.notifyOthers(JSON.stringify({ channel, value } satisfies Announcement)),
    async join() {
      presence = await openPostgresPresence({
        servers,
        log,
        program: allMigrations.length,
        onExcluded: (error) => {
          exclusion = error;
        },
        onNotice: (text) => {
          try {
            const announcement = parseAnnouncement(text);
            if (announcement !== undefined) channels.announce(announcement);
          } catch (error) {
            log.warn({ err: error, notice: text }, "a notice of another process is not understood; its data is found later");
          }
        },
      });
      return presence;
    },
    async exclusively(work) {
      const client = await connections.take();
      try {
        await withConvertedErrors(async () => {
          // A statement that waits for the lock would have a snapshot, and the process with the lock would wait for it to build an index.
          while (!(await hasLock(client))) await sleep(migrationPauseMs);
        });
        await work();
      } finally {
        // Closing the connection releases the lock in every case.
        client.release(true);
      }
    },
    async buildIndex(statement) {
      const [, name = ""] = /^create (?:unique )?index (\w+) on /.exec(statement) ?? [];
      if (name === "") throw new Error(`not a statement that creates an index: ${statement}`);
      const client = await connections.take();
      try {
        await withConvertedErrors(async () => {
          await client.query("set statement_timeout = 0; set default_transaction_read_only = off");
          const run = (text: string): Promise<PgResult> => client.query({ text, ...unlimited });
          // An interrupted build leaves an index that is not valid, and that "if not exists" would keep.
          const { rows } = await run(`select 1 from pg_index where indexrelid = to_regclass('${name}') and not indisvalid`);
          if (rows.length > 0) await run(`drop index concurrently if exists ${name}`);
          await run(statement.replace(" index ", " index concurrently if not exists "));
        });
      } finally {
        client.release(true);
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await Promise.allSettled(active);
      await pool.end();
    },
  };
  await warnOfUnsafeSettings(pool, log);
  return db;
}

/**
 * Whether a statement is prepared, so that its plan may be kept for any values. The selectivity of a pattern depends on its value: such a plan reads the
 * whole table even for a rare word.
 */
export const isPrepared = (text: string): boolean => !text.includes(" like ");

/**
 * Connections can write only inside a transaction. Statements of requests are small: parallel workers and compiled plans would cost more than they save.
 * A plan is compiled for each execution if its estimated cost is high, which takes 20 to 700 ms, and the cost of permissions is overestimated.
 */
const sessionSettings = `select set_config('statement_timeout', $1, false),
  set_config('idle_in_transaction_session_timeout', $2, false),
  set_config('max_parallel_workers_per_gather', '0', false),
  set_config('jit', 'off', false),
  set_config('default_transaction_read_only', 'on', false)`;

async function hasLock(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${migrationLock}) as taken`);
  return rows[0]?.taken === true;
}

/** The driver's type lacks the limit of a single statement. */
const unlimited = { query_timeout: unlimitedMs } as object;

type Outcome<T> = { readonly value: T; committed(): void } | { readonly serverError: unknown; readonly raised: unknown };

async function withConvertedErrors<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw convertPostgresError(error);
  }
}

const toResult = (result: PgResult): QueryResult<unknown> =>
  result.command === "SELECT" ? { rows: result.rows } : { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };

/** Acknowledged changes must survive a power cut: warns if the server is configured otherwise. */
async function warnOfUnsafeSettings(pool: Pool, log: Log): Promise<void> {
  const { rows } = await withConvertedErrors(() =>
    pool.query<{ name: string; setting: string }>(
      "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'",
    ),
  );
  for (const { name } of rows) log.warn({ setting: name }, "PostgreSQL runs with a setting that can lose acknowledged changes in a power cut");
}
