import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** `silent`: connections stay open and no byte passes, as in a network partition. `refused`: they are reset. */
export type LineState = "open" | "silent" | "refused";

/** A TCP connection to a server that can be interrupted. */
export interface TcpLine extends AsyncDisposable {
  readonly port: number;
  /** Port on the loopback interface, or path of a socket. */
  target: number | string;
  /** Pieces that clients have sent so far. Bytes that arrive together are one piece. */
  packets(): number;
  set(state: LineState): void;
}

export async function openTcpLine(first: number | string): Promise<TcpLine> {
  let state: LineState = "open";
  let packets = 0;
  const sockets = new Set<Socket>();
  const line = { target: first };
  const keep = (socket: Socket, other: () => Socket): void => {
    sockets.add(socket);
    socket.on("data", (chunk) => {
      if (!other().write(chunk)) socket.pause();
    });
    socket.on("drain", () => {
      if (state === "open") other().resume();
    });
    socket.on("end", () => other().end());
    socket.on("error", () => other().destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      other().destroy();
    });
    if (state === "silent") socket.pause();
  };
  const server = createServer({ allowHalfOpen: true }, (incoming) => {
    if (state === "refused") return incoming.destroy();
    const outgoing =
      typeof line.target === "string"
        ? connect({ path: line.target, allowHalfOpen: true })
        : connect({ port: line.target, host: "127.0.0.1", allowHalfOpen: true });
    incoming.on("data", () => {
      packets += 1;
    });
    keep(incoming, () => outgoing);
    keep(outgoing, () => incoming);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    get target() {
      return line.target;
    },
    set target(next) {
      line.target = next;
    },
    packets: () => packets,
    set(next) {
      state = next;
      for (const socket of sockets) {
        if (next === "silent") socket.pause();
        else if (next === "open") socket.resume();
        else socket.destroy();
      }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
