import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBody } from "./read-body.ts";

const server = createServer();

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

/** Sends the text as it is. @returns the request as the server sees it, and the client's end */
async function ask(text: string) {
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const heard = once(server, "request");
  client.write(text);
  const [request, response] = (await heard) as [IncomingMessage, { end(): void }];
  return { client, request, response };
}

test("a body is read whole, and nothing waits for the end of its connection", async () => {
  const { client, request, response } = await ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab");
  const body = readBody(request, 10);
  client.write("cd");
  expect((await body).toString()).toBe("abcd");
  expect(request.listenerCount("close")).toBe(0);
  response.end();
  client.destroy();
});

test("a client that goes away ends the reading", async () => {
  const { client, request } = await ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab");
  const body = readBody(request, 10);
  client.destroy();
  await expect(body).rejects.toMatchObject({ code: "malformed" });
});

test.each([
  ["declared", "Content-Length: 11\r\n\r\n"],
  ["not declared", "Transfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n"],
])("a body that is too large is refused, %s", async (_how, text) => {
  const { client, request } = await ask(`POST / HTTP/1.1\r\nHost: x\r\n${text}`);
  await expect((async () => readBody(request, 10))()).rejects.toMatchObject({ code: "too_large" });
  client.destroy();
});
