import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createS3Fetch } from "./s3-fetch.ts";

/** Answers at once, and sends one byte of the body every few milliseconds. */
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-length": 1_000_000 });
  const timer = setInterval(() => response.write("x"), 5);
  response.once("close", () => clearInterval(timer));
});
let url = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/files/a`;
});
afterAll(() => void server.close());

test("ends content that comes too slowly", async () => {
  const { content } = await createS3Fetch(60_000, { bytesPerSecond: 1_000_000, windowMs: 200, idleMs: 60_000 })(url);
  await expect(text(content)).rejects.toThrow("the service sends too slowly");
});

test("ends a short answer that is not complete in time", async () => {
  await expect(createS3Fetch(200)(url, { method: "PUT", body: "content" })).rejects.toThrow("no response within 200 ms");
});
