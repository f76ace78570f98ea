import { expect, test } from "vitest";
import { type Segment, sealSegment, unsealSegment } from "./segment.ts";

const page = (byte: number): Buffer => Buffer.alloc(4_096, byte);
const segment: Segment = {
  generation: "000001",
  number: 7,
  previous: "ab".repeat(32),
  groups: [
    {
      timeMs: 5,
      databasePages: 3,
      pages: new Map([
        [1, page(1)],
        [3, page(2)],
      ]),
    },
    { timeMs: 9, databasePages: 2, pages: new Map([[1, page(3)]]) },
  ],
  embedded: [
    { path: "files/aa/a", content: Buffer.from("first") },
    { path: "files/bb/b", content: Buffer.alloc(0) },
  ],
  stored: ["files/cc/c"],
};

test("a segment is read as it was written", async () => {
  const { bytes, digest } = await sealSegment(segment);
  expect(await unsealSegment(bytes)).toEqual({ ...segment, digest });
  const empty = { ...segment, groups: [], embedded: [], stored: [] };
  expect(await unsealSegment((await sealSegment(empty)).bytes)).toMatchObject(empty);
});

test("every truncation and every changed byte is noticed", async () => {
  const { bytes } = await sealSegment(segment);
  for (let length = 0; length < bytes.length; length += 1) expect(await unsealSegment(bytes.subarray(0, length)), String(length)).toBeUndefined();
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 0x10;
    expect(await unsealSegment(changed), String(at)).toBeUndefined();
  }
});
