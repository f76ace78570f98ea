import { Readable } from "node:stream";
import { brotliDecompressSync, createBrotliDecompress, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { PreparedReply } from "./answers.ts";
import { acceptedEncoding, encodeReply } from "./content-encoding.ts";

test.each([
  ["br, gzip", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["GZIP ; Q=0.5", "gzip"],
  ["br;q=0.1, gzip;q=0.8", "gzip"],
  ["br;q=0, gzip;q=0", undefined],
  ["*", "br"],
  ["*;q=0.5, br;q=0", "gzip"],
  ["deflate, identity", undefined],
  ["br;q=x", undefined],
  ["", undefined],
  [undefined, undefined],
] as const)("chooses the encoding for Accept-Encoding: %s", (header, expected) => expect(acceptedEncoding(header)).toBe(expected));

const html = { "content-type": "text/html; charset=utf-8" };
const long = "<p>Water the beds.</p>".repeat(200);
const reply = (body: PreparedReply["body"], headers: PreparedReply["headers"] = html, status = 200): PreparedReply => ({ status, headers, body });
const textOf = ({ headers, body }: PreparedReply): string =>
  (headers["content-encoding"] === "br" ? brotliDecompressSync : gunzipSync)(body as Buffer).toString();

test.each(["br", "gzip"])("compresses a page with %s, and names the header that the choice depends on", (encoding) => {
  const sent = encodeReply(reply(long, { ...html, vary: "Cookie", "content-length": 4_400 }), encoding, false);
  expect(sent.headers).toEqual({ ...html, vary: "Accept-Encoding, Cookie", "content-encoding": encoding });
  expect((sent.body as Buffer).length).toBeLessThan(200);
  expect(textOf(sent)).toBe(long);
});

test("sends the same headers for HEAD, without a length", () => {
  const head = encodeReply(reply(undefined, { ...html, "content-length": 4_400 }), "br", true);
  expect(head).toEqual({ status: 200, headers: { ...html, vary: "Accept-Encoding", "content-encoding": "br" }, body: undefined });
});

test.each<readonly [string, PreparedReply]>([
  ["a short response", reply("<p>Short</p>")],
  ["an image", reply(Buffer.alloc(5_000), { "content-type": "image/png" })],
  ["a git response", reply(Buffer.alloc(5_000), { "content-type": "application/x-git-upload-pack-result" })],
  ["events that arrive one by one", reply(Readable.from([]), { "content-type": "text/event-stream" })],
  ["exact bytes with a strong validator", reply(Buffer.alloc(5_000), { "content-type": "text/plain", etag: '"abc"' })],
  ["a part of a file", reply(Buffer.alloc(5_000), { "content-type": "text/plain", "content-range": "bytes 0-4999/9000" }, 206)],
  ["what is compressed already", reply(Buffer.alloc(5_000), { "content-type": "text/css", "content-encoding": "gzip" })],
  ["a response without a body", reply(undefined, {}, 304)],
])("sends %s unchanged", (_what, given) => expect(encodeReply(given, "br, gzip", false)).toBe(given));

test("a client that accepts no encoding gets the page as it is, with the header for caches", () => {
  expect(encodeReply(reply(long), undefined, false)).toEqual(reply(long, { ...html, vary: "Accept-Encoding" }));
});

test("a large page arrives in pieces that a browser can show before the rest", async () => {
  const large = Array.from({ length: 20_000 }, (_, at) => `<p>${at} ${Math.sin(at)}</p>`).join("");
  const { body } = encodeReply(reply(large), "br", false);
  expect(body).toBeInstanceOf(Readable);
  const shown: number[] = [];
  const decompress = createBrotliDecompress();
  let text = "";
  decompress.on("data", (chunk: Buffer) => {
    text += chunk;
  });
  for await (const chunk of body as Readable) {
    await new Promise((resolve) => decompress.write(chunk, resolve));
    shown.push(text.length);
  }
  await new Promise((resolve) => decompress.end(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(text).toBe(large);
  expect(shown[0]).toBeGreaterThan(0);
  expect(shown[0]).toBeLessThan(large.length / 4);
});

test("the failure of a source reaches the reader", async () => {
  const broken = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(long);
    throw new Error("the disk is gone");
  };
  const { body } = encodeReply(reply({ pieces: broken() }), "gzip", false);
  const read = async (): Promise<void> => {
    for await (const _chunk of body as Readable);
  };
  await expect(read()).rejects.toThrow("the disk is gone");
});
