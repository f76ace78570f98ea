import { crc32, deflateSync } from "node:zlib";

export type Rgb = readonly [red: number, green: number, blue: number];

/**
 * Writes a square PNG in two colours, one bit per pixel.
 * @param rowAt the packed bits of a row, the leftmost pixel in the highest bit; set bits show the second colour
 */
export function writeTwoColourPng(side: number, colours: readonly [Rgb, Rgb], rowAt: (y: number) => Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit per pixel, with palette. Compression, filter and interlacing have their standard values.
  header.set([1, 3, 0, 0, 0], 8);
  const rowBytes = Math.ceil(side / 8);
  const rows = Buffer.alloc(side * (1 + rowBytes));
  for (let y = 0; y < side; y++) rowAt(y).copy(rows, y * (1 + rowBytes) + 1);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(colours.flat())),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), framed.length - 4);
  return framed;
}
