import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it came. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Takes what webhooks send, on the loopback. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** In the order in which they came, whatever was answered. */
  readonly received: Received[];
  /** Of one path. */
  at(path: string): readonly Received[];
  /** What is answered from here on; 200 until then. Nothing: the connection is cut; silence: it stays open. */
  answers: (request: Received) => ReceiverAnswer | "silence" | undefined;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answers: Receiver["answers"] = () => ({ status: 200, body: "ok" });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      const answer = answers(one);
      if (answer === undefined) request.socket.destroy();
      else if (answer !== "silence") response.writeHead(answer.status, answer.headers).end(answer.body ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: (path) => received.filter((request) => request.path === path),
    get answers() {
      return answers;
    },
    set answers(next) {
      answers = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
