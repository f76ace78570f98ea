import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A git server of another site, backed by the local git. */
export interface Remote extends AsyncDisposable {
  /** `http://127.0.0.1:port`; repositories are below it by their paths in the root. */
  readonly url: string;
  /** Received requests, in order. */
  readonly requests: readonly { readonly method: string; readonly url: string; readonly headers: IncomingMessage["headers"] }[];
}

export interface RemoteOptions {
  /** The directory of the repositories. */
  readonly root: string;
  /** False: the server does not support protocol version 2. */
  readonly knowsVersion2?: boolean;
  /** The required `Authorization` header. */
  readonly authorization?: string;
  /** Handles a request itself; returns true if it did. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Git responses wait until this has resolved. */
  readonly hold?: (request: IncomingMessage) => Promise<void>;
}

export async function startRemote({ root, knowsVersion2 = true, authorization, intercept, hold }: RemoteOptions): Promise<Remote> {
  const requests: { method: string; url: string; headers: IncomingMessage["headers"] }[] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
    if (intercept?.(request, response)) return;
    if (authorization !== undefined && request.headers.authorization !== authorization) {
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
      return;
    }
    void (hold?.(request) ?? Promise.resolve()).then(() => runBackend(root, knowsVersion2, request, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The environment of git-http-backend, as in its manual. */
function runBackend(root: string, knowsVersion2: boolean, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://remote.invalid");
  const protocol = request.headers["git-protocol"];
  const child = spawn("git", ["-c", "http.receivepack=true", "http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      REMOTE_USER: "somebody",
      ...(knowsVersion2 && typeof protocol === "string" && { GIT_PROTOCOL: protocol }),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => {});
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  let isBody = false;
  child.stdout.on("data", (chunk: Buffer) => {
    if (isBody) {
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    isBody = true;
    const lines = head.toString("latin1", 0, end).split("\r\n");
    const status = lines.find((line) => line.startsWith("Status: "));
    response.statusCode = status === undefined ? 200 : Number(status.slice(8, 11));
    for (const line of lines) if (!line.startsWith("Status: ")) response.setHeader(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2));
    response.write(head.subarray(end + 4));
  });
  child.once("close", () => response.end());
}
