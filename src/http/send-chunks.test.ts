import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { ClientGone, sendPieces } from "./send-chunks.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** Answers with the pieces. @returns the answer as it begins, and what became of the sending */
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
  const asked = httpRequest({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, agent: false }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return { answer, outcome: sent.promise };
}

/** Pieces that all lie in one buffer: each is overwritten by the next. */
async function* inOneBuffer(count: number, onEnd: () => void = () => undefined): AsyncGenerator<Uint8Array> {
  const room = Buffer.alloc(65_536);
  try {
    for (let at = 0; at < count; at += 1) yield room.fill(at % 251);
  } finally {
    onEnd();
  }
}

test("one buffer is enough for a body of any size, however slowly it is taken", async () => {
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

test("what fails before its first piece has sent nothing", async () => {
  const { answer, outcome } = await ask({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("no answer")) }) });
  expect(answer.statusCode).toBe(503);
  expect(await outcome).toMatchObject({ message: "no answer" });
});

test("a client that leaves ends the making", async () => {
  let hasEnded = false;
  const { answer, outcome } = await ask(inOneBuffer(Number.POSITIVE_INFINITY, () => (hasEnded = true)));
  answer.once("error", () => undefined).destroy();
  expect(await outcome).toBeInstanceOf(ClientGone);
  expect(hasEnded).toBe(true);
});
