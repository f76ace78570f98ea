import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { findPostgres, startPostgres } from "../test/kit/postgres-cluster.ts";
import { ensureGateway, startGateway } from "../test/kit/s3-gateway.ts";
import { type RunningServer, startServer } from "../tools/server.ts";
import { type DelayedLine, openDelayedLine } from "./delayed-line.ts";
import { resetPeak, settle, treeCpuMs } from "./process-tree.ts";
import { openTarget, type Target } from "./target.ts";

export interface ClusterNode {
  readonly server: RunningServer;
  readonly target: Target;
  /** Waits until all nodes are idle, and deletes the packs that this one has fetched. A node that starts runs waiting jobs, which need packs. */
  wipe(): Promise<void>;
}

export interface NodeOptions {
  readonly name?: string;
  /** Delay of each direction between the node and its database. */
  readonly delayMs?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Nodes on PostgreSQL, which syncs each commit, and an S3 service. */
export interface Cluster extends AsyncDisposable {
  startNode(options?: NodeOptions): Promise<ClusterNode>;
  /** Transactions of PostgreSQL so far, on all connections; a statement without a transaction counts as one. */
  transactions(): Promise<number>;
  /** Transactions of PostgreSQL so far that were undone, nearly all because of a collision. */
  rollbacks(): Promise<number>;
  /** CPU time of PostgreSQL so far. */
  databaseCpuMs(): number;
  nodeCount(): number;
  /** Average time of a round trip to PostgreSQL with this delay of each direction. */
  roundTripMs(delayMs: number): Promise<number>;
  /** Requests to the bucket so far. */
  bucketRequests(): number;
}

export async function startCluster(): Promise<Cluster> {
  const binaries = findPostgres();
  if (binaries === undefined) throw new Error("postgres and initdb are needed");
  await ensureGateway();
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-nodes-"));
  chmodSync(folder, 0o711);
  const postgres = await startPostgres(binaries, join(folder, "pg"), { settings: ["shared_buffers=256MB", "fsync=on", "full_page_writes=on"] });
  const gateway = await startGateway();
  const line = await countRequests(Number(/:(\d+)\//.exec(gateway.environment.HEARTH_STORAGE_URL ?? "")?.[1]));
  const [secret, token] = [randomBytes(32).toString("hex"), randomBytes(20).toString("hex")];
  const servers: RunningServer[] = [];
  const targets: Target[] = [];
  const lines: DelayedLine[] = [];
  const withClient = async <T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const urlOver = async (delayMs: number): Promise<string> => {
    const opened = await openDelayedLine({ target: join(folder, "pg", ".s.PGSQL.5432"), delayMs });
    lines.push(opened);
    return `postgres://hearth@127.0.0.1:${opened.port}/postgres`;
  };
  const countTransactions = (expression: string): Promise<number> => {
    const text = `select ${expression} as count from pg_stat_database where datname = 'postgres'`;
    return withClient(postgres.urlOf("postgres"), async (client) => Number((await client.query<{ count: string }>(text)).rows[0]?.count));
  };
  return {
    bucketRequests: line.count,
    databaseCpuMs: () => treeCpuMs(Number(readFileSync(join(folder, "pg", "data", "postmaster.pid"), "utf8").split("\n")[0])),
    nodeCount: () => servers.length,
    transactions: () => countTransactions("xact_commit + xact_rollback"),
    rollbacks: () => countTransactions("xact_rollback"),
    async roundTripMs(delayMs) {
      return withClient(await urlOver(delayMs), async (client) => {
        const times = 100;
        const began = performance.now();
        for (let at = 0; at < times; at += 1) await client.query("select 1");
        return (performance.now() - began) / times;
      });
    },
    async startNode({ name, delayMs, settings } = {}) {
      const data = mkdtempSync(join(folder, "node-"));
      const server = await startServer({
        folder: data,
        settings: {
          HEARTH_DATABASE_URL: delayMs === undefined ? postgres.urlOf("postgres") : await urlOver(delayMs),
          HEARTH_SECRET_KEY: secret,
          HEARTH_ADMIN_TOKEN: token,
          HEARTH_METRICS: "true",
          HEARTH_WEBHOOK_ALLOWED_HOSTS: "loopback",
          ...gateway.environment,
          HEARTH_STORAGE_URL: (gateway.environment.HEARTH_STORAGE_URL ?? "").replace(/:\d+\//, `:${line.port}/`),
          ...settings,
        },
      });
      servers.push(server);
      const target = await openTarget({ name: name ?? `node ${servers.length}`, url: server.url, token, hasCounters: true, pid: server.pid });
      targets.push(target);
      return {
        server,
        target,
        async wipe() {
          for (const { pid } of servers) await settle(pid);
          const root = join(data, "data", "repositories");
          for (const shard of readdirSync(root)) if (/^[0-9a-f]{2}$/.test(shard)) rmSync(join(root, shard), { recursive: true, force: true });
          resetPeak(server.pid);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const { http } of targets) http.close();
      for (const server of servers) await server.stop();
      for (const opened of lines) await opened.close();
      line.close();
      await gateway[Symbol.asyncDispose]();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Forwards requests to a port, and counts them. */
async function countRequests(port: number): Promise<{ readonly port: number; readonly count: () => number; readonly close: () => void }> {
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    count += 1;
    const forwarded = request({ host: "127.0.0.1", port, method: incoming.method, path: incoming.url, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
