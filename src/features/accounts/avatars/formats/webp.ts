import { type Bytes, type Picture, unreadable } from "./bytes.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Walks the chunks of a WebP (RFC 9649): simple, lossless and extended ones, animations included. */
export function readWebp(bytes: Bytes): Picture {
  const endBytes = 8 + bytes.u32le(4);
  bytes.requires(endBytes);
  const [first] = chunksBetween(bytes, 12, endBytes);
  if (first === undefined) throw unreadable();
  if (first.type !== "VP8X") return { ...readBitstream(bytes, first), frames: 1, endBytes };
  if (first.size < 10) throw unreadable();
  const canvas = { width: bytes.u24le(first.at + 4) + 1, height: bytes.u24le(first.at + 7) + 1 };
  let frames = 0;
  for (const chunk of chunksBetween(bytes, 12, endBytes)) {
    if (chunk.type === "ANMF") checkFrame(bytes, chunk, canvas);
    else if (isBitstream(chunk)) checkWithin(readBitstream(bytes, chunk), canvas);
    else continue;
    frames += 1;
  }
  if (frames === 0) throw unreadable();
  return { ...canvas, frames, endBytes };
}

interface Chunk {
  readonly type: string;
  /** Offset of its payload. */
  readonly at: number;
  readonly size: number;
}

function* chunksBetween(bytes: Bytes, from: number, end: number): Generator<Chunk> {
  for (let at = from; at < end; ) {
    const chunk = { type: bytes.ascii(at, 4), at: at + 8, size: bytes.u32le(at + 4) };
    if (chunk.at + chunk.size > end) throw unreadable();
    yield chunk;
    at = chunk.at + chunk.size + (chunk.size & 1);
  }
}

const isBitstream = ({ type }: Chunk): boolean => type === "VP8 " || type === "VP8L";

/** The size stored in the coded picture itself (RFC 6386, section 9.1; RFC 9649, section 3.4). */
function readBitstream(bytes: Bytes, chunk: Chunk): Size {
  const { type, at, size } = chunk;
  if (type === "VP8 " && size >= 10) {
    const isKeyFrame = (bytes.u8(at) & 1) === 0;
    if (!isKeyFrame || bytes.u24le(at + 3) !== 0x2a019d) throw unreadable();
    return { width: bytes.u16le(at + 6) & 0x3fff, height: bytes.u16le(at + 8) & 0x3fff };
  }
  if (type === "VP8L" && size >= 5 && bytes.u8(at) === 0x2f) {
    const packed = bytes.u32le(at + 1);
    if (packed >>> 29 !== 0) throw unreadable();
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  throw unreadable();
}

/** A frame of an animation must lie on the canvas, and its payload must have the declared size. */
function checkFrame(bytes: Bytes, { at, size }: Chunk, canvas: Size): void {
  if (size < 16) throw unreadable();
  const frame = { width: bytes.u24le(at + 6) + 1, height: bytes.u24le(at + 9) + 1 };
  checkWithin({ width: 2 * bytes.u24le(at) + frame.width, height: 2 * bytes.u24le(at + 3) + frame.height }, canvas);
  const coded = [...chunksBetween(bytes, at + 16, at + size)].filter(isBitstream);
  if (coded.length !== 1) throw unreadable();
  for (const chunk of coded) checkWithin(readBitstream(bytes, chunk), frame);
}

function checkWithin(inner: Size, outer: Size): void {
  if (inner.width > outer.width || inner.height > outer.height) throw unreadable();
}
