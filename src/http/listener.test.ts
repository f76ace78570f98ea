import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { createListener, type HttpListener } from "./listener.ts";

let listener: HttpListener | undefined;
afterEach(() => listener?.close());

async function listening(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<HttpListener> {
  listener = createListener(handle);
  await listener.listen({ host: "127.0.0.1", port: 0 });
  return listener;
}

test("a place that somebody has is not taken twice", async () => {
  const first = await listening((_request, response) => response.end());
  const second = createListener(() => undefined);
  await expect(second.listen({ host: "127.0.0.1", port: first.port() })).rejects.toMatchObject({ code: "EADDRINUSE" });
  // It never listened, so there is nothing to wait for.
  await second.close();
});

test.each([
  ["what is no HTTP", "GET / HTTP/9.9 what\r\n\r\n", "400 Bad Request"],
  ["a head that does not end", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(40_000)}`, "431 Request Header Fields Too Large"],
])("%s is refused, and its connection ended", async (_what, sent, status) => {
  const server = await listening((_request, response) => response.end());
  const socket = connect(server.port(), "127.0.0.1");
  socket.write(sent);
  expect(await text(socket)).toBe(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
});

test("a client that asks again while the server closes is answered, and told to go", async () => {
  const held: ServerResponse[] = [];
  const server = await listening((_request, response) => void held.push(response));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () => httpRequest({ host: "127.0.0.1", port: server.port(), agent }).end();
  const answered = async (asked: ReturnType<typeof ask>) => {
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
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
