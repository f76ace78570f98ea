import { crc32 } from "node:zlib";
import { type Bytes, type Picture, unreadable } from "./bytes.ts";

/** Bit depths by colour type (PNG, section 11.2.2). */
const depths: Readonly<Record<number, readonly number[]>> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };

/** Walks the chunks of a PNG (W3C Portable Network Graphics, third edition), animated ones included. */
export function readPng(bytes: Bytes): Picture {
  const { width, height } = readHeader(bytes);
  let hasData = false;
  let frames = 0;
  for (let at = 8; ; ) {
    const length = bytes.u32be(at);
    const type = bytes.ascii(at + 4, 4);
    const end = at + 12 + length;
    if (crc32(bytes.buffer.subarray(at + 4, end - 4)) !== bytes.u32be(end - 4)) throw unreadable();
    if (!/^[A-Za-z]{4}$/.test(type) || (type === "IHDR") !== (at === 8)) throw unreadable();
    if (type === "IDAT") hasData = true;
    if (type === "fcTL") {
      frames += 1;
      if (length !== 26 || bytes.u32be(at + 12) + bytes.u32be(at + 20) > width || bytes.u32be(at + 16) + bytes.u32be(at + 24) > height) throw unreadable();
    }
    if (type === "IEND") {
      if (!hasData) throw unreadable();
      return { width, height, frames: Math.max(1, frames), endBytes: end };
    }
    at = end;
  }
}

function readHeader(bytes: Bytes): { readonly width: number; readonly height: number } {
  if (bytes.u32be(8) !== 13 || bytes.ascii(12, 4) !== "IHDR") throw unreadable();
  const [depth, colour, compression, filter, interlace] = [24, 25, 26, 27, 28].map((at) => bytes.u8(at)) as [number, number, number, number, number];
  if (!depths[colour]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) throw unreadable();
  return { width: bytes.u32be(16), height: bytes.u32be(20) };
}
