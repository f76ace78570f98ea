import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isForgeError } from "../../core/errors.ts";
import { createPktReader, decodePkts, delimPkt, encodePkt, encodePkts, flushPkt, maxPktPayloadBytes, type Pkt, pktText, responseEndPkt } from "./pkt-line.ts";
import { decodeSideBand, encodeSideBand, sideBand, terminalText } from "./side-band.ts";

async function* chunked(data: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let offset = 0;
  for (let turn = 0; offset < data.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield data.subarray(offset, offset + size);
    offset += size;
  }
}

const malformedCode = (error: unknown): boolean => isForgeError(error, "malformed");

describe("packets", () => {
  test("are framed as gitprotocol-common specifies", () => {
    expect(encodePkt("a\n").toString()).toBe("0006a\n");
    expect(encodePkt("").toString()).toBe("0004");
    expect(encodePkts(["foobar\n", Buffer.from("x")]).toString()).toBe("000bfoobar\n0005x");
    expect(encodePkts(["foobar\n", "ü", ""]).toString()).toBe("000bfoobar\n0006ü0004");
    expect(encodePkt("ü").toString()).toBe("0006ü");
    expect(encodePkt(Buffer.alloc(maxPktPayloadBytes)).subarray(0, 4).toString()).toBe("fff0");
    expect(() => encodePkt(Buffer.alloc(maxPktPayloadBytes + 1))).toThrow(RangeError);
    expect(() => encodePkts(["a".repeat(maxPktPayloadBytes + 1)])).toThrow(RangeError);
  });

  test("are reassembled however the stream splits them", async () => {
    const packet = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ kind: "data" as const, data: Buffer.from(bytes) })),
      fc.constantFrom("flush" as const, "delim" as const, "response-end" as const).map((kind) => ({ kind })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(packet, { maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 8 }),
        async (packets, sizes) => {
          const marks = { flush: flushPkt, delim: delimPkt, "response-end": responseEndPkt };
          const wire = Buffer.concat(packets.map((each) => (each.kind === "data" ? encodePkt(each.data) : marks[each.kind])));
          const reader = createPktReader(chunked(wire, sizes));
          const seen: Pkt[] = [];
          for (let pkt = await reader.next(); pkt !== undefined; pkt = await reader.next()) seen.push(pkt);
          expect(seen).toEqual(packets);
          expect([...decodePkts(wire)]).toEqual(packets);
          expect(reader.consumedBytes()).toBe(wire.length);
        },
      ),
    );
  });

  test("leave the bytes after them unread", async () => {
    const pack = Buffer.from("PACK and whatever 0004 follows");
    const wire = Buffer.concat([encodePkt("command"), flushPkt, pack]);
    for (const size of [1, 3, 7, 13, 1000]) {
      const reader = createPktReader(chunked(wire, [size]), { maxBytes: 20 });
      expect(await reader.next()).toEqual({ kind: "data", data: Buffer.from("command") });
      expect(await reader.next()).toEqual({ kind: "flush" });
      const rest: Buffer[] = [];
      for await (const chunk of reader.rest()) rest.push(chunk);
      expect(Buffer.concat(rest).equals(pack)).toBe(true);
    }
  });

  test("packets that are truncated, mislabelled or too many are rejected", async () => {
    for (const wire of ["00", "0009abc", "zzzz", "0003", "ffff", "-001", "fff1"]) {
      await expect(createPktReader(chunked(Buffer.from(wire), [2])).next()).rejects.toSatisfy(malformedCode);
      expect(() => [...decodePkts(Buffer.from(wire))]).toThrow();
    }
    const reader = createPktReader(chunked(encodePkts(["12345678", "12345678"]), [5]), { maxBytes: 20 });
    await reader.next();
    await expect(reader.next()).rejects.toSatisfy(malformedCode);
  });

  test("stop reading their source when the rest is abandoned", async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        yield encodePkt("first");
        while (true) yield Buffer.from("x");
      } finally {
        closed = true;
      }
    }
    const reader = createPktReader(endless());
    await reader.next();
    for await (const _ of reader.rest()) break;
    expect(closed).toBe(true);
  });

  test("lose one final newline as text", () => {
    expect(pktText(Buffer.from("want x\n"))).toBe("want x");
    expect(pktText(Buffer.from("want x"))).toBe("want x");
    expect(pktText(Buffer.from("a\n\n"))).toBe("a\n");
    expect(pktText(Buffer.alloc(0))).toBe("");
  });
});

describe("side bands", () => {
  test("split data larger than a packet and reassemble it", () => {
    const data = Buffer.alloc(150_000, "abcdefg");
    for (const mode of ["side-band-64k", "side-band"] as const) {
      const frames = [...encodeSideBand(sideBand.data, data, mode)];
      expect(Math.max(...frames.map((frame) => frame.length))).toBe(mode === "side-band" ? 1000 : 65520);
      const parts = [...decodePkts(Buffer.concat(frames))].map((pkt) => (pkt.kind === "data" ? decodeSideBand(pkt.data) : undefined));
      expect(parts.every((part) => part?.band === 1)).toBe(true);
      expect(Buffer.concat(parts.map((part) => part?.data ?? Buffer.alloc(0))).equals(data)).toBe(true);
    }
    expect([...encodeSideBand(sideBand.progress, "")]).toEqual([]);
    expect(() => decodeSideBand(Buffer.from([4]))).toThrow();
    expect(() => decodeSideBand(Buffer.alloc(0))).toThrow();
  });

  test("contain no terminal control characters", () => {
    expect(terminalText("a\u001b[2Jb\rc\td\n\u202ee\u0000\u009b")).toBe("a[2Jbc\td\ne");
  });
});
