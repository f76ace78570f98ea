import { createServer, type Socket } from "node:net";
import { connectionBacklog } from "../core/backlog.ts";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { type ConnectionBounds, createConnectionSlots } from "./bounds.ts";
import { type ServedConnection, serveConnection } from "./connection.ts";
import type { HostKey } from "./host-keys.ts";
import type { SshHandler, SshIdentities } from "./ports.ts";
import { announceSignatureAlgorithms } from "./signature-algorithms.ts";

export interface SshServerOptions {
  readonly hostKeys: readonly HostKey[];
  readonly identities: SshIdentities;
  readonly handler: SshHandler;
  readonly bounds: ConnectionBounds;
  readonly log: Log;
  /** Time from the first byte to authentication. A slow client occupies a slot that others need. */
  readonly signInWithinMs?: number;
}

export interface SshServer {
  /** @returns the port. Rejects with the system's error when it cannot listen there. */
  listen(host: string, port: number): Promise<number>;
  /** Stops accepting connections, waits up to `graceMs` for running commands, then aborts them. */
  close(graceMs: number): Promise<void>;
}

const keepAlive = { keepaliveInterval: 15_000, keepaliveCountMax: 3 };

/**
 * Without weak algorithms (SHA-1, CBC, groups below 2048 bits) and without chacha20-poly1305, which the library computes in WebAssembly,
 * several times slower than AES. Listing it last does not help: the client's order decides, and OpenSSH's client puts it first.
 */
const algorithms = {
  kex: [
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
    "ecdh-sha2-nistp384",
    "ecdh-sha2-nistp521",
    "diffie-hellman-group16-sha512",
    "diffie-hellman-group14-sha256",
  ],
  cipher: ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr", "aes192-ctr", "aes256-ctr"],
  hmac: ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512"],
  compress: ["none"],
} as const;

/** An SSH server that runs one handler. The first client loads the ssh2 library, not the start. */
export function createSshServer({ hostKeys, identities, handler, bounds, log, signInWithinMs = 15_000 }: SshServerOptions): SshServer {
  const places = createConnectionSlots(bounds);
  const sockets = new Set<Socket>();
  const unknown = new Set<Socket>();
  const connections = new Set<ServedConnection>();
  let isClosing = false;

  async function greet(socket: Socket, onKnown: () => void): Promise<void> {
    const { Server } = (await import("ssh2")).default;
    if (socket.destroyed) return;
    const options = { hostKeys: hostKeys.map(({ privateKey }) => privateKey), ident: "Hearth", algorithms, ...keepAlive };
    // One library server per connection, to know the socket of each client.
    const server = new Server(options as unknown as ConstructorParameters<typeof Server>[0], (client) => {
      announceSignatureAlgorithms(client);
      const connection = serveConnection({ identities, handler, log }, client, socket, onKnown);
      connections.add(connection);
      socket.once("close", () => connections.delete(connection));
      if (isClosing) connection.endWhenDone();
    });
    server.injectSocket(socket);
  }

  const listener = createServer({ noDelay: true }, (socket) => {
    const place = places.take(socket.remoteAddress ?? "");
    if (place === undefined) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    unknown.add(socket);
    const late = setTimeout(() => socket.destroy(), signInWithinMs);
    socket.on("error", () => socket.destroy());
    // Each of the commands that share a connection may add listeners to it.
    socket.setMaxListeners(64);
    socket.once("close", () => {
      clearTimeout(late);
      sockets.delete(socket);
      unknown.delete(socket);
      place.leave();
    });
    const onKnown = (): void => {
      clearTimeout(late);
      unknown.delete(socket);
      place.known();
    };
    greet(socket, onKnown).catch((error: unknown) => {
      log.error({ err: error }, "an SSH connection could not be served");
      socket.destroy();
    });
  });

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        listener.once("error", reject);
        listener.listen({ host, port, backlog: connectionBacklog }, () => {
          listener.off("error", reject);
          listener.on("error", (error) => log.error({ err: error }, "the SSH server failed"));
          const address = listener.address();
          resolve(typeof address === "object" && address !== null ? address.port : port);
        });
      }),
    async close(graceMs) {
      isClosing = true;
      if (!listener.listening) return;
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      for (const socket of unknown) socket.destroy();
      for (const connection of connections) connection.endWhenDone();
      const late = setTimeout(() => {
        for (const connection of connections) connection.abort(unavailable("the server is stopping"));
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await closed;
      clearTimeout(late);
    },
  };
}
