import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { handleInTurn } from "./pipelined.ts";

/** Takes connections, and hands over each request that comes on one. */
export interface HttpListener {
  /** What a request is handed to. */
  readonly handle: RequestListener;
  /** @param at with the port 0: one that is free @throws Error with a `code` when the place cannot be had */
  listen(at: { readonly host: string; readonly port: number }): Promise<void>;
  /** Where it listens. */
  port(): number;
  /** Replaces the certificate for new connections; only where the listener was created with one. */
  renew(certificate: Certificate): void;
  /** Takes no more connections, and resolves when the last one has ended: each ends with the answer that is under way on it. */
  close(): Promise<void>;
}

/** What bounds a connection. The sizes of bodies are bounded where they are read, once the caller's right is known. */
const connectionOptions = { keepAliveTimeout: 75_000, headersTimeout: 60_000, requestTimeout: 0, maxHeaderSize: 32_768 };
const idleSweepMs = 50;

/** How long a client may take none of the response that waits for it. */
const defaultReaderMs = 300_000;

/** Node.js keeps the first of several `Host` headers, while a proxy in front may have used another one (RFC 9112, 3.2). */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  return hosts > 1;
}

/** What a connection is told that brings no request, by the code of what Node.js found. */
const refusals: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};
/** So long it may take to hear that. */
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
  /** How long a client may take none of a response that waits for it. */
  readonly readerMs?: number | undefined;
  /** Between two looks whether a client with many waiting requests is still connected. */
  readonly probeMs?: number | undefined;
  /** Connections use TLS. */
  readonly certificate?: Certificate | undefined;
}

export function createListener(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  { readerMs = defaultReaderMs, probeMs, certificate }: ListenerOptions = {},
): HttpListener {
  let isClosing = false;
  const inTurn = handleInTurn((request, response) => {
    if (isClosing) response.shouldKeepAlive = false;
    if (hasSeveralHosts(request.rawHeaders)) {
      response.writeHead(400, { connection: "close" }).end();
      return;
    }
    const { socket } = request;
    // Without bytes that wait, it is this server that has nothing to send yet.
    response.setTimeout(readerMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    handle(request, response);
  }, probeMs);
  const secure = certificate && createTlsServer({ ...connectionOptions, ...certificate }, inTurn);
  const server = secure ?? createServer(connectionOptions, inTurn);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuse(error, socket as Socket));
  return {
    handle,
    async listen({ host, port }) {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen({ host, port }, () => {
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
      // A connection that is idle ends at once, and one that is used then as soon as it is idle: its client might keep it for ever.
      const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearInterval(sweep);
    },
  };
}
