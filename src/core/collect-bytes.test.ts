import { describe, expect, test } from "vitest";
import { collectBytes } from "./collect-bytes.ts";

const chunk = (value: number, sizeBytes: number): Buffer => Buffer.alloc(sizeBytes, value);

describe("collectBytes", () => {
  test.each([
    ["no chunk", []],
    ["one small chunk", [5]],
    ["one large chunk", [100_000]],
    ["small chunks that need several blocks", Array.from({ length: 5_000 }, () => 60)],
    ["small and large chunks in turn", [3, 5_000, 7, 9, 70_000, 1, 4_095, 4_096, 2]],
    ["empty chunks", [0, 4, 0, 4]],
  ])("returns all bytes in their order: %s", (_name, sizes) => {
    const chunks = sizes.map((size, at) => chunk(at % 251, size));
    const collected = collectBytes();
    for (const one of chunks) collected.add(one);
    expect(collected.sizeBytes()).toBe(Buffer.concat(chunks).length);
    expect(collected.bytes().equals(Buffer.concat(chunks))).toBe(true);
  });

  test("keeps no small chunk but the first", () => {
    const chunks = Array.from({ length: 3_000 }, (_, at) => chunk(1 + (at % 200), 60));
    const expected = Buffer.concat(chunks);
    const collected = collectBytes();
    for (const one of chunks) {
      collected.add(one);
      if (one !== chunks[0]) one.fill(0);
    }
    expect(collected.bytes().equals(expected)).toBe(true);
  });

  test("copies every chunk of a body that declares more than 1 MiB", () => {
    const chunks = Array.from({ length: 20 }, (_, at) => chunk(1 + at, 64 * 1024));
    const expected = Buffer.concat(chunks);
    const collected = collectBytes(expected.length);
    for (const one of chunks) {
      collected.add(one);
      one.fill(0);
    }
    expect(collected.bytes().equals(expected)).toBe(true);
  });

  test("returns the bytes so far, and more bytes later", () => {
    const collected = collectBytes();
    for (const value of [1, 2]) collected.add(chunk(value, 2));
    expect([...collected.bytes()]).toEqual([1, 1, 2, 2]);
    collected.add(chunk(3, 1));
    expect([...collected.bytes()]).toEqual([1, 1, 2, 2, 3]);
  });
});
