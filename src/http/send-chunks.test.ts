import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { ClientGone, sendPieces } from "./send-chunks.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** Responds with the chunks. @returns the response when its headers arrive, and the outcome of sending */
async function ask(pieces: AsyncIterable<Uint8Array>): Promise<{ readonly answer: IncomingMessage; readonly outcome: Promise<unknown> }> {
  const sent = Promise.withResolvers<unknown>();
  server = createServer((_request, response) => {
    sendPieces(response, { status: 200, headers: { "x-kind": "pieces" }, body: { pieces } })
      .then(() => sent.resolve("whole"))
      .catch((error: unknown) => {
        sent.resolve(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(503).end();
      });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const requested = httpRequest({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, agent: false }).end();
  const [answer] = (await once(requested, "response")) as [IncomingMessage];
  return { answer, outcome: sent.promise };
}

/** Chunks that share one buffer: each is overwritten by the next one. */
async function* inOneBuffer(count: number, onEnd: () => void = () => undefined): AsyncGenerator<Uint8Array> {
  const room = Buffer.alloc(65_536);
  try {
    for (let at = 0; at < count; at += 1) yield room.fill(at % 251);
  } finally {
    onEnd();
  }
}

test("sends a body of any size with one buffer, however slowly it is read", async () => {
  const { answer, outcome } = await ask(inOneBuffer(300));
  expect(answer).toMatchObject({ statusCode: 200, headers: { "x-kind": "pieces" } });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    await new Promise(setImmediate);
  }
  const body = Buffer.concat(chunks);
  expect(body.length).toBe(300 * 65_536);
  for (let at = 0; at < 300; at += 1) expect(body.subarray(at * 65_536, (at + 1) * 65_536).every((byte) => byte === at % 251)).toBe(true);
  expect(await outcome).toBe("whole");
});

test("sends nothing when the source fails before its first chunk", async () => {
  const { answer, outcome } = await ask({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("no answer")) }) });
  expect(answer.statusCode).toBe(503);
  expect(await outcome).toMatchObject({ message: "no answer" });
});

test("stops the source when the client disconnects", async () => {
  let hasEnded = false;
  const { answer, outcome } = await ask(inOneBuffer(Number.POSITIVE_INFINITY, () => (hasEnded = true)));
  answer.once("error", () => undefined).destroy();
  expect(await outcome).toBeInstanceOf(ClientGone);
  expect(hasEnded).toBe(true);
});
