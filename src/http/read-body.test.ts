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

/** Sends the raw text. @returns the request on the server's side, and the client socket */
async function ask(text: string) {
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const heard = once(server, "request");
  client.write(text);
  const [request, response] = (await heard) as [IncomingMessage, { end(): void }];
  return { client, request, response };
}

test("reads the whole body without waiting for the connection to end", async () => {
  const { client, request, response } = await ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab");
  const body = readBody(request, 10);
  client.write("cd");
  expect((await body).toString()).toBe("abcd");
  expect(request.listenerCount("close")).toBe(0);
  response.end();
  client.destroy();
});

test("rejects when the client disconnects", async () => {
  const { client, request } = await ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab");
  const body = readBody(request, 10);
  client.destroy();
  await expect(body).rejects.toMatchObject({ code: "malformed" });
});

test.each([
  ["declared", "Content-Length: 11\r\n\r\n"],
  ["not declared", "Transfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n"],
])("rejects a body that is too large, %s", async (_how, text) => {
  const { client, request } = await ask(`POST / HTTP/1.1\r\nHost: x\r\n${text}`);
  await expect((async () => readBody(request, 10))()).rejects.toMatchObject({ code: "too_large" });
  client.destroy();
});
