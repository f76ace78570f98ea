import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { findPostgres, type PostgresCluster, startPostgres } from "../kit/postgres-cluster.ts";
import { type RunningProgram, startProgram } from "../kit/program.ts";
import { type Receiver, startReceiver } from "../kit/receiver.ts";
import { type S3Gateway, startGateway } from "../kit/s3-gateway.ts";
import { openTcpLine, type TcpLine } from "../kit/tcp-line.ts";

export const adminToken = "c5".repeat(20);

/** A node, and the lines through which it reaches the other components. */
export interface SiteNode {
  readonly name: string;
  /** Undefined while it is down. */
  readonly program: RunningProgram | undefined;
  /** To the two PostgreSQL servers, in the order of its URL. */
  readonly database: readonly [TcpLine, TcpLine];
  readonly storage: TcpLine;
  readonly isPaused: boolean;
  /** Requests in progress. A load balancer gives them up when the node has been paused for {@link noticedMs}, and sends no others. */
  readonly requests: Set<AbortController>;
  readonly isShunned: boolean;
  /** Whether it was paused at some time since then, on the monotonic clock. */
  wasPausedSince(ms: number): boolean;
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
  /** Starts it, and again until it succeeds: other components can be down. */
  start(): Promise<void>;
  /** Deletes its copies of repositories. */
  wipe(): void;
}

/** Nodes on a PostgreSQL server with a synchronous standby and an S3 service. */
export interface Site extends AsyncDisposable {
  readonly nodes: readonly SiteNode[];
  /** Nodes that ended by themselves, one text each. */
  readonly crashes: readonly string[];
  readonly gateway: S3Gateway;
  readonly receiver: Receiver;
  readonly primary: PostgresCluster;
  /** Kills the primary, and makes the standby the primary. */
  promote(): Promise<void>;
  /** Starts a standby, if there is none. */
  addStandby(): Promise<void>;
  /** Runs statements on the primary. */
  query<Row>(text: string): Promise<readonly Row[]>;
}

/** A load balancer notices an unresponsive node after this time. */
const noticedMs = 1_000;

const socketOf = (folder: string): string => join(folder, ".s.PGSQL.5432");
const settings = ["wal_retrieve_retry_interval=200ms", "wal_keep_size=512MB", "hot_standby=on"];

export async function startSite(nodeCount: number): Promise<Site> {
  const binaries = findPostgres();
  if (binaries === undefined) throw new Error("postgres and initdb are needed");
  const folder = mkdtempSync(join(tmpdir(), "hearth-torture-"));
  chmodSync(folder, 0o711);
  const open: AsyncDisposable[] = [];
  const close = async (): Promise<void> => {
    for (const one of open.reverse()) await one[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    let generation = 1;
    const folderOf = (number: number): string => join(folder, `pg${number}`);
    let primary = await startPostgres(binaries, folderOf(1), { settings });
    let primaryFolder = folderOf(1);
    let standby: { readonly cluster: PostgresCluster; readonly folder: string } | undefined;
    open.push({ [Symbol.asyncDispose]: async () => void (await Promise.all([primary.stop(), standby?.cluster.stop()])) });
    const gateway = await startGateway();
    const receiver = await startReceiver();
    open.push(gateway, receiver);
    const nodes: SiteNode[] = [];
    const crashes: string[] = [];
    /** Both lines of a node lead to the servers of the moment: the primary is first or second. */
    const connectLines = (): void => {
      for (const node of nodes) {
        const [first, second] = node.database;
        first.target = socketOf(primaryFolder);
        second.target = socketOf(standby?.folder ?? primaryFolder);
      }
    };
    const addStandby = async (): Promise<void> => {
      if (standby !== undefined) return;
      generation += 1;
      const next = folderOf(generation);
      standby = { cluster: await primary.startStandby(next), folder: next };
      connectLines();
    };
    await addStandby();
    for (let number = 0; number < nodeCount; number += 1) nodes.push(await newNode(`n${number}`, { folder, gateway, open, crashes }));
    connectLines();
    for (const node of nodes) await node.start();
    return {
      nodes,
      crashes,
      gateway,
      receiver,
      get primary() {
        return primary;
      },
      async promote() {
        if (standby === undefined) throw new Error("there is no standby");
        const [old, next] = [primary, standby];
        await old.kill();
        await next.cluster.promote();
        [primary, primaryFolder, standby] = [next.cluster, next.folder, undefined];
        connectLines();
        await old.stop();
      },
      addStandby,
      async query<Row>(text: string) {
        const client = new Client({ connectionString: primary.urlOf("postgres") });
        await client.connect();
        try {
          return (await client.query(text)).rows as Row[];
        } finally {
          await client.end();
        }
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function newNode(
  name: string,
  { folder, gateway, open, crashes }: { readonly folder: string; readonly gateway: S3Gateway; readonly open: AsyncDisposable[]; readonly crashes: string[] },
): Promise<SiteNode> {
  const port = Number(/:(\d+)\//.exec(gateway.environment.HEARTH_STORAGE_URL ?? "")?.[1]);
  const database = [await openTcpLine(0), await openTcpLine(0)] as const;
  const storage = await openTcpLine(port);
  open.push(...database, storage);
  const environment = {
    HEARTH_DATA: join(folder, name),
    HEARTH_DATABASE_URL: `postgres://hearth@127.0.0.1:${database[0].port},127.0.0.1:${database[1].port}/postgres?target_session_attrs=read-write`,
    HEARTH_SECRET_KEY: "ab".repeat(32),
    HEARTH_ADMIN_USERNAME: "chief",
    HEARTH_ADMIN_PASSWORD: "a long pass phrase",
    HEARTH_ADMIN_TOKEN: adminToken,
    HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback",
    HEARTH_ACTIONS_IN_NEW_REPOSITORIES: "true",
    ...gateway.environment,
    HEARTH_STORAGE_URL: (gateway.environment.HEARTH_STORAGE_URL ?? "").replace(`:${port}/`, `:${storage.port}/`),
  };
  let program: RunningProgram | undefined;
  const requests = new Set<AbortController>();
  let isPaused = false;
  let isShunned = false;
  let noticing: NodeJS.Timeout | undefined;
  let resumedMs = Number.NEGATIVE_INFINITY;
  const kill = async (): Promise<void> => {
    const ended = program;
    program = undefined;
    await ended?.kill();
  };
  open.push({ [Symbol.asyncDispose]: kill });
  return {
    name,
    get program() {
      return program;
    },
    database,
    storage,
    kill,
    requests,
    get isPaused() {
      return isPaused;
    },
    get isShunned() {
      return isShunned;
    },
    wasPausedSince: (ms) => isPaused || resumedMs > ms,
    pause() {
      if (program === undefined) return;
      process.kill(program.pid, "SIGSTOP");
      isPaused = true;
      noticing = setTimeout(() => {
        isShunned = true;
        for (const request of requests) request.abort();
      }, noticedMs);
    },
    resume() {
      if (isPaused && program !== undefined) process.kill(program.pid, "SIGCONT");
      clearTimeout(noticing);
      isPaused = false;
      isShunned = false;
      resumedMs = performance.now();
    },
    async start() {
      for (let tries = 1; program === undefined; tries += 1) {
        try {
          const started = await startProgram(environment);
          program = started;
          void started.ended.then(() => {
            if (program !== started) return;
            program = undefined;
            crashes.push(`${name} ended by itself:\n${started.output().slice(-2_000)}`);
          });
        } catch (error) {
          if (tries >= 40) throw error;
          await sleep(500);
        }
      }
    },
    wipe() {
      for (let shard = 0; shard < 256; shard += 1)
        rmSync(join(folder, name, "repositories", shard.toString(16).padStart(2, "0")), { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
