import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { createListener, type HttpListener } from "./listener.ts";

let listener: HttpListener | undefined;
afterEach(() => listener?.close());

async function listening(handle: (request: IncomingMessage, response: ServerResponse) => void, readerMs?: number, probeMs?: number): Promise<HttpListener> {
  listener = createListener(handle, { readerMs, probeMs });
  await listener.listen({ host: "127.0.0.1", port: 0 });
  return listener;
}

test("a port in use is an error", async () => {
  const first = await listening((_request, response) => response.end());
  const second = createListener(() => undefined);
  await expect(second.listen({ host: "127.0.0.1", port: first.port() })).rejects.toMatchObject({ code: "EADDRINUSE" });
  // It never listened, so this resolves immediately.
  await second.close();
});

test.each([
  ["an invalid protocol version", "GET / HTTP/9.9 what\r\n\r\n", "400 Bad Request"],
  ["two Host headers", "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", "400 Bad Request"],
  ["a head that does not end", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(40_000)}`, "431 Request Header Fields Too Large"],
])("a request with %s is rejected, and its connection closed", async (_what, sent, status) => {
  const server = await listening((_request, response) => response.end());
  const socket = connect(server.port(), "127.0.0.1");
  socket.write(sent);
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status}\\r\\nconnection: close\\r\\n`, "i"));
});

test("a request during the shutdown is answered with connection: close", async () => {
  const held: ServerResponse[] = [];
  const server = await listening((_request, response) => void held.push(response));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () => httpRequest({ host: "127.0.0.1", port: server.port(), agent }).end();
  const answered = async (requested: ReturnType<typeof ask>) => {
    const [answer] = (await once(requested, "response")) as [IncomingMessage];
    return { connection: answer.headers.connection, body: await text(answer) };
  };
  const [first, second] = [ask(), ask()];
  await expect.poll(() => held.length).toBe(1);
  held[0]?.end("one");
  expect(await answered(first)).toEqual({ connection: "keep-alive", body: "one" });
  await expect.poll(() => held.length).toBe(2);
  const closed = server.close();
  held[1]?.end("two");
  expect((await answered(second)).body).toBe("two");
  await closed;
  agent.destroy();
});

const pipelinedRequests = (count: number): string => Array.from({ length: count }, (_, at) => `GET /${at} HTTP/1.1\r\nHost: x\r\n\r\n`).join("");

test("20,000 pipelined requests of one connection are handled one after another, and do not delay another connection", async () => {
  const total = 20_000;
  let active = 0;
  let most = 0;
  let flooded = 0;
  const floodedBefore: number[] = [];
  const server = await listening((request, response) => {
    if (request.url === "/other") {
      floodedBefore.push(flooded);
      response.end();
      return;
    }
    flooded += 1;
    active += 1;
    most = Math.max(most, active);
    setImmediate(() => {
      active -= 1;
      response.end(request.url);
    });
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const askOther = async (): Promise<void> => {
    const [answer] = (await once(httpRequest({ host: "127.0.0.1", port: server.port(), path: "/other", agent }).end(), "response")) as [IncomingMessage];
    await text(answer);
  };
  await askOther();
  const socket = connect(server.port(), "127.0.0.1");
  const answers = text(socket);
  socket.write(pipelinedRequests(total));
  await expect.poll(() => flooded).toBeGreaterThan(0);
  for (let count = 0; count < 10; count++) await askOther();
  // Each of the ten requests takes a few turns of the event loop, in each of which the other connection has one request.
  const [, first = 0] = floodedBefore;
  expect((floodedBefore.at(-1) ?? total) - first).toBeLessThan(100);
  await expect.poll(() => flooded, { timeout: 30_000 }).toBe(total);
  socket.end();
  const bodies = [...(await answers).matchAll(/\r\n\r\n\/(\d+)/g)].map(([, at]) => Number(at));
  expect(bodies).toEqual(Array.from({ length: total }, (_, at) => at));
  expect(most).toBe(1);
  agent.destroy();
}, 60_000);

test("a connection with many unanswered requests is not read until they are handled", async () => {
  let first: ServerResponse | undefined;
  let handled = 0;
  const server = await listening((_request, response) => {
    handled += 1;
    if (first === undefined) first = response;
    else response.end();
  });
  const socket = connect(server.port(), "127.0.0.1");
  const requests = pipelinedRequests(200_000);
  socket.write(requests);
  await expect.poll(() => first?.req.socket.isPaused()).toBe(true);
  for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
  expect(first?.req.socket.bytesRead).toBeLessThan(requests.length / 10);
  expect(handled).toBe(1);
  // The disconnection is detected when the responses to the requests that were read are written.
  socket.destroy();
  first?.end();
  await expect.poll(() => first?.req.socket.destroyed).toBe(true);
});

test("the disconnection of a client with many waiting requests is noticed before the first of them is answered", async () => {
  let first: ServerResponse | undefined;
  let handled = 0;
  const server = await listening(
    (_request, response) => {
      handled += 1;
      first ??= response;
    },
    undefined,
    20,
  );
  const socket = connect(server.port(), "127.0.0.1");
  socket.write(pipelinedRequests(200_000));
  await expect.poll(() => first?.req.socket.isPaused()).toBe(true);
  socket.destroy();
  await expect.poll(() => first?.destroyed).toBe(true);
  expect(handled).toBe(1);
});

test("a client that does not read its response is disconnected, and one that waits for it is not", async () => {
  const closed: string[] = [];
  const server = await listening((request, response) => {
    response.once("close", () => closed.push(`${request.url} ${response.writableFinished}`));
    if (request.url === "/large") response.end(Buffer.alloc(64_000_000));
    else setTimeout(() => response.end("late"), 400);
  }, 100);
  const idle = connect(server.port(), "127.0.0.1").pause();
  idle.write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  const patient = connect(server.port(), "127.0.0.1");
  patient.write("GET /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  expect(await text(patient)).toContain("late");
  await expect.poll(() => closed.toSorted()).toEqual(["/large false", "/late true"]);
  idle.destroy();
});
