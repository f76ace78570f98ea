import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { connectionBacklog } from "../core/backlog.ts";
import { handleInTurn, startFairly } from "./turns.ts";

/** Accepts connections and passes each request to the handler. */
export interface HttpListener {
  readonly handle: RequestListener;
  /** @param at port 0 selects a free one @throws Error with a `code` if the address is not available */
  listen(at: { readonly host: string; readonly port: number }): Promise<void>;
  /** The port that it listens on. */
  port(): number;
  /** Replaces the certificate for new connections, if the listener was created with one. */
  renew(certificate: Certificate): void;
  /** Stops accepting connections, and resolves when the last one has ended; each ends after its current response. */
  close(): Promise<void>;
}

/** Limits of a connection. Sizes of bodies are limited where they are read, after the authorization. */
const connectionOptions = { keepAliveTimeout: 75_000, headersTimeout: 60_000, requestTimeout: 0, maxHeaderSize: 32_768 };
const idleSweepMs = 50;

/** Maximum time for which a client may stop reading a pending response. */
const defaultReaderMs = 300_000;

/** Node.js uses the first of several `Host` headers, but a proxy may have used another one (RFC 9112, 3.2). */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  return hosts > 1;
}

/** Statuses for requests that cannot be parsed, by Node.js's error code. */
const refusals: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};
/** Maximum time for sending one of these statuses. */
const farewellMs = 5_000;

function refuse({ code = "" }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(`HTTP/1.1 ${refusals[code] ?? "400 Bad Request"}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.setTimeout(farewellMs, () => socket.destroy());
}

/** A certificate and its private key, in PEM. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface ListenerOptions {
  /** Maximum time for which a client may stop reading a pending response. */
  readonly readerMs?: number | undefined;
  /** Interval of the checks whether a client with many waiting requests is still connected. */
  readonly probeMs?: number | undefined;
  /** Makes the listener use TLS. */
  readonly certificate?: Certificate | undefined;
}

export function createListener(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  { readerMs = defaultReaderMs, probeMs, certificate }: ListenerOptions = {},
): HttpListener {
  let isClosing = false;
  const begin: RequestListener = (request, response) => {
    if (isClosing) response.shouldKeepAlive = false;
    if (hasSeveralHosts(request.rawHeaders)) {
      response.writeHead(400, { connection: "close" }).end();
      return;
    }
    const { socket } = request;
    // Without pending bytes, the client waits for this server.
    response.setTimeout(readerMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    handle(request, response);
  };
  const inTurn = handleInTurn(startFairly(begin), probeMs);
  const secure = certificate && createTlsServer({ ...connectionOptions, ...certificate }, inTurn);
  const server = secure ?? createServer(connectionOptions, inTurn);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuse(error, socket as Socket));
  return {
    handle,
    async listen({ host, port }) {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen({ host, port, backlog: connectionBacklog }, () => {
          server.off("error", reject);
          resolve();
        });
      });
    },
    port: () => (server.address() as AddressInfo).port,
    renew: (next) => secure?.setSecureContext({ ...next }),
    async close() {
      if (!server.listening) return;
      isClosing = true;
      // Idle connections are closed immediately, and others when they become idle: a client might keep them open forever.
      const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearInterval(sweep);
    },
  };
}
