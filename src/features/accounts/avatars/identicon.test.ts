import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createIdenticons, drawIdenticon, identiconSides } from "./identicon.ts";
import { checkPicture } from "./picture.ts";

/** Bits of a two-coloured PNG, row by row. */
function readBits(png: Buffer): boolean[][] {
  const side = png.readUInt32BE(16);
  const at = png.indexOf("IDAT");
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const rowBytes = 1 + Math.ceil(side / 8);
  expect(rows.length).toBe(side * rowBytes);
  return Array.from({ length: side }, (_, y) => Array.from({ length: side }, (_, x) => ((rows[y * rowBytes + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0));
}

describe("generated pictures", () => {
  test.each([identiconSides.min, 33, 100, identiconSides.default, identiconSides.max])("%d pixels: draws five by five mirrored cells", (side) => {
    const png = drawIdenticon("d41d8cd98f00b204e9800998ecf8427e", side);
    expect(checkPicture(png)).toEqual(png);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([side, side]);
    const bits = readBits(png);
    const cell = Math.floor(side / 6);
    const margin = Math.floor((side - 5 * cell) / 2);
    const cells = Array.from({ length: 5 }, (_, row) => Array.from({ length: 5 }, (_, column) => bits[margin + row * cell]?.[margin + column * cell]));
    for (const row of cells) expect(row).toEqual(row.toReversed());
    expect(cells).toEqual([
      [false, true, false, true, false],
      [true, false, true, false, true],
      [true, false, false, false, true],
      [false, false, false, false, false],
      [false, true, false, true, false],
    ]);
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const inside = [x, y].every((at) => at >= margin && at < margin + 5 * cell);
        const expected = inside && cells[Math.floor((y - margin) / cell)]?.[Math.floor((x - margin) / cell)];
        if (bits[y]?.[x] !== expected) expect.fail(`pixel ${x},${y}`);
      }
    }
  });

  test("depend only on the digest and rarely collide", () => {
    const digests = Array.from({ length: 200 }, (_, n) => createHash("md5").update(`user${n}`).digest("hex"));
    const drawn = new Set(digests.map((digest) => drawIdenticon(digest, 64).toString("base64")));
    expect(drawn.size).toBe(200);
    const identicons = createIdenticons(2_000);
    for (const digest of [...digests, ...digests]) expect(identicons(digest, 64).equals(drawIdenticon(digest, 64))).toBe(true);
    expect(identicons("a", 64)).toBe(identicons("a", 64));
  });
});
