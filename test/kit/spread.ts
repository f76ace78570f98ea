import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestDialect } from "./databases.ts";
import { type S3Gateway, startGateway } from "./s3-gateway.ts";

/**
 * `HEARTH_TEST_NODES=3` makes each forge on PostgreSQL three nodes that share a bucket, and sends each request to the next one
 * (docs/development.md).
 */
export const spreadNodes = (dialect: TestDialect): number => (dialect.name === "postgres" ? Number(process.env.HEARTH_TEST_NODES ?? 1) : 1);

/** Sends each HTTP request to the next of several servers. */
export interface Spreader extends AsyncDisposable {
  readonly url: string;
  /** Set before the first request. */
  targets: readonly string[];
  /** While it runs, all requests go to the first server. */
  onFirst<T>(work: () => Promise<T>): Promise<T>;
}

export async function openSpreader(): Promise<Spreader> {
  let turn = 0;
  let pinned = 0;
  const spreader = { targets: [] as readonly string[] };
  const server = createServer({ insecureHTTPParser: true }, (incoming, outgoing) => {
    const target = new URL(spreader.targets[pinned > 0 ? 0 : turn++ % spreader.targets.length] ?? "");
    const forwarded = request(
      { host: target.hostname, port: target.port, method: incoming.method, path: incoming.url, headers: incoming.rawHeaders, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
        answer.pipe(outgoing);
        answer.on("error", () => outgoing.destroy());
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get targets() {
      return spreader.targets;
    },
    set targets(next) {
      spreader.targets = next;
    },
    async onFirst(work) {
      pinned += 1;
      try {
        return await work();
      } finally {
        pinned -= 1;
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let gateway: Promise<S3Gateway> | undefined;
let buckets = 0;

/** Settings of a new, empty place in the S3 service of this process. */
export async function newBucket(): Promise<Readonly<Record<string, string>>> {
  gateway ??= startGateway().then((started) => {
    process.once("exit", () => void started.kill());
    return started;
  });
  const { environment } = await gateway;
  buckets += 1;
  return { ...environment, HEARTH_STORAGE_URL: (environment.HEARTH_STORAGE_URL ?? "").replace("/hearth?", `/hearth${buckets}?`) };
}
