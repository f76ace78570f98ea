import { once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

/** A server that forwards GET requests, and sends pages in small parts: a browser draws a page as often as it can. */
export interface SlowLine extends AsyncDisposable {
  readonly url: string;
}

/** One part is smaller than any list of choices. A browser draws 60 times per second, so most parts are drawn one by one. */
const part = { bytes: 1_000, pauseMs: 12 };

/** The start and the end of a page arrive in small parts. The middle of a very long one, which has further lines of a file, is one part. */
const endBytes = 40_000;

export async function openSlowLine(origin: string): Promise<SlowLine> {
  const server = createServer((incoming, outgoing) => {
    const { "accept-encoding": _encoding, ...headers } = incoming.headers;
    const forwarded = request(new URL(incoming.url ?? "/", origin), { method: incoming.method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      const isPage = answer.headers["content-type"]?.startsWith("text/html") ?? false;
      if (isPage) sendSlowly(answer, outgoing).catch((error: Error) => outgoing.destroy(error));
      else answer.pipe(outgoing);
    });
    forwarded.on("error", (error) => outgoing.destroy(error));
    incoming.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function sendSlowly(source: AsyncIterable<Buffer>, target: ServerResponse): Promise<void> {
  const page = await buffer(source);
  for (let at = 0, next = 0; at < page.length; at = next) {
    next = Math.max(at + part.bytes, at < endBytes ? 0 : page.length - endBytes);
    target.write(page.subarray(at, next));
    await setTimeout(part.pauseMs);
  }
  target.end();
}
