import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { coalesceChunks } from "./coalesce-chunks.ts";

const sizes = { maxBytes: 10, lingerMs: 5 };

async function textsOf(chunks: AsyncIterable<Buffer>): Promise<string[]> {
  const texts: string[] = [];
  for await (const chunk of chunks) texts.push(chunk.toString());
  return texts;
}

test("combines chunks of any size up to the maximum size", async () => {
  const chunks = ["abc", "", "defghij", "k", "lmnopqrstuvwxyz0123456789ABCDEF", "G"].map((text) => Buffer.from(text));
  const texts = await textsOf(coalesceChunks(Readable.from(chunks, { objectMode: false }), sizes));
  expect(texts.join("")).toBe("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG");
  expect(texts.map(({ length }) => length)).toEqual([10, 10, 10, 10, 3]);
  expect(await textsOf(coalesceChunks(Readable.from([], { objectMode: false }), sizes))).toEqual([]);
});

test("passes data on while waiting for more", async () => {
  const stream = new PassThrough();
  const chunks = coalesceChunks(stream, sizes);
  for (const text of ["one", "two"]) {
    stream.write(text);
    expect((await chunks.next()).value?.toString()).toBe(text);
  }
  stream.end();
  expect(await chunks.next()).toEqual({ done: true, value: undefined });
});

test("throws an error after the data before it, also for a stream that is cut short", async () => {
  const failing = async function* () {
    yield Buffer.from("before");
    throw new Error("broken");
  };
  const chunks = coalesceChunks(Readable.from(failing(), { objectMode: false }), sizes);
  const seen: string[] = [];
  await expect(
    (async () => {
      for await (const chunk of chunks) seen.push(chunk.toString());
    })(),
  ).rejects.toThrow("broken");
  expect(seen).toEqual(["before"]);

  const cut = new PassThrough();
  cut.write("half");
  const half = coalesceChunks(cut, sizes);
  expect((await half.next()).value?.toString()).toBe("half");
  cut.destroy();
  await expect(half.next()).rejects.toThrow("closed before its end");
  await expect(coalesceChunks(cut, sizes).next()).rejects.toThrow("closed before its end");
});

test("destroys a silent stream when the reader stops", async () => {
  const stream = new PassThrough();
  stream.write("one");
  for await (const chunk of coalesceChunks(stream, sizes)) {
    expect(chunk.toString()).toBe("one");
    break;
  }
  expect(stream.destroyed).toBe(true);
});
