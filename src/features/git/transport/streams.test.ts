import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ForgeError } from "../../../core/errors.ts";
import { receivedWhole } from "./api/received-whole.ts";
import { received, taken } from "./streams.ts";

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
const sent = (...chunks: readonly (string | Buffer)[]): PassThrough => {
  const request = new PassThrough();
  for (const chunk of chunks) request.write(chunk);
  return request;
};

describe("request bodies", () => {
  test("are read plain or decompressed", async () => {
    for (const encoding of [undefined, "identity"]) expect(await textOf(received(sent("a", "b").end(), encoding))).toBe("ab");
    for (const encoding of ["gzip", "x-gzip"]) expect(await textOf(received(sent(gzipSync("ab")).end(), encoding))).toBe("ab");
    expect(() => received(sent("a"), "br")).toThrow(expect.objectContaining({ code: "unsupported_media" }));
  });

  test("are malformed if they do not match their encoding", async () => {
    await expect(textOf(received(sent("plain").end(), "gzip"))).rejects.toMatchObject({ code: "malformed" });
    await expect(textOf(received(sent(gzipSync("ab").subarray(0, 15)).end(), "gzip"))).rejects.toMatchObject({ code: "malformed" });
  });

  test("are malformed if their encoding breaks before anyone reads them", async () => {
    const body = received(sent("plain").end(), "gzip");
    // The decompression of the body has failed when a later one has.
    await expect(promisify(gunzip)(Buffer.from("plain"))).rejects.toThrow();
    await setImmediate();
    await expect(textOf(body)).rejects.toMatchObject({ code: "malformed" });
  });

  test.each([undefined, "gzip"])("are aborted when the client stops sending (%s)", async (encoding) => {
    const request = sent(encoding === undefined ? "a" : gzipSync("ab").subarray(0, 12));
    const closed = new Promise((resolve) => request.once("close", resolve));
    await expect(textOf(received(request, encoding, 5))).rejects.toMatchObject({ code: "malformed", message: "the client disconnected during its request" });
    await closed;
  });

  test("may wait for their reader", async () => {
    const request = sent("a");
    const body = received(request, undefined, 5)[Symbol.asyncIterator]();
    expect(String((await body.next()).value)).toBe("a");
    await new Promise((resolve) => setTimeout(resolve, 20));
    request.end("b");
    expect(String((await body.next()).value)).toBe("b");
    expect(await body.next()).toMatchObject({ done: true });
  });

  test.each([undefined, "gzip"])("are drained when their reader stops early (%s)", async (encoding) => {
    const request = new PassThrough({ highWaterMark: 10 });
    const bytes = Buffer.alloc(100_000, "x");
    request.write(encoding === undefined ? bytes : gzipSync(bytes, { level: 0 }));
    const ended = once(request, "end");
    for await (const chunk of received(request, encoding)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    request.end(Buffer.alloc(1_000_000));
    await ended;
  });
});

test("short bodies arrive complete, however they are split", async () => {
  const seen: string[] = [];
  let silenceMs: number | undefined;
  const server = createServer(async (request, response) => {
    // As in a route: after a database lookup.
    await Promise.resolve();
    seen.push(await receivedWhole(request, 10, silenceMs).then(String, (error: ForgeError) => error.code));
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  // All requests share one connection, so a leftover body would be parsed as the next request.
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const ask = async (length: number, ...parts: readonly (string | Buffer)[]): Promise<void> => {
    const isGzip = Buffer.isBuffer(parts[0]);
    const head = `POST / HTTP/1.1\r\nHost: forge.example\r\n${isGzip ? "Content-Encoding: gzip\r\n" : ""}Content-Length: ${length}\r\n\r\n`;
    const [first = "", ...rest] = parts;
    client.write(Buffer.concat([Buffer.from(head), Buffer.from(first)]));
    for (const part of rest) {
      await once(server, "request");
      client.write(part);
    }
    await once(client, "data");
  };
  try {
    const compressed = gzipSync("0000");
    await ask(4, "0000");
    await ask(0);
    await ask(compressed.length, compressed);
    await ask(4, "00", "00");
    await ask(11, "00000000000");
    expect(seen).toEqual(["0000", "", "0000", "0000", "too_large"]);
    // The client stops sending.
    silenceMs = 5;
    client.write("POST / HTTP/1.1\r\nHost: forge.example\r\nContent-Length: 4\r\n\r\n00");
    await once(client, "close");
    expect(seen.at(-1)).toBe("malformed");
  } finally {
    client.destroy();
    server.close();
  }
});

describe("response bodies", () => {
  const answer = async function* (): AsyncGenerator<Buffer, void, undefined> {
    yield Buffer.from("a");
    yield Buffer.from("b");
  };

  test("are sent completely, however slowly they are produced", async () => {
    expect(await textOf(taken(answer(), () => expect.unreachable()))).toBe("ab");
    const slow = async function* (): AsyncGenerator<Buffer, void, undefined> {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield Buffer.from("a");
    };
    expect(await textOf(taken(slow(), () => expect.unreachable(), 5))).toBe("a");
  });

  test("are aborted when the client stops reading", async () => {
    const givenUp = Promise.withResolvers<void>();
    const body = taken(answer(), givenUp.resolve, 5);
    await body.next();
    await givenUp.promise;
    await body.return();
  });
});
