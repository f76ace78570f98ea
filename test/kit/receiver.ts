import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A received request. */
export interface Received {
  readonly method: string;
  /** Including its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A receiver of webhooks on the loopback interface. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** In the order of arrival, whatever the response. */
  readonly received: Received[];
  /** Requests with one path. */
  at(path: string): readonly Received[];
  /** The response from now on; default: 200. Undefined cuts the connection; `silence` keeps it open. */
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
