import { type Bytes, type Picture, unreadable } from "./bytes.ts";

/** Walks the blocks of a GIF (versions 87a and 89a). */
export function readGif(bytes: Bytes): Picture {
  const width = bytes.u16le(6);
  const height = bytes.u16le(8);
  let at = 13 + colourTableBytes(bytes.u8(10));
  for (let frames = 0; ; ) {
    switch (bytes.u8(at)) {
      case 0x21:
        at = skipSubBlocks(bytes, at + 2);
        break;
      case 0x2c:
        frames += 1;
        at = skipImage(bytes, at, width, height);
        break;
      case 0x3b:
        if (frames === 0) throw unreadable();
        return { width, height, frames, endBytes: at + 1 };
      default:
        throw unreadable();
    }
  }
}

/** Size in bytes of the colour table announced by a descriptor's flags. */
const colourTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

function skipImage(bytes: Bytes, at: number, width: number, height: number): number {
  if (bytes.u16le(at + 1) + bytes.u16le(at + 5) > width || bytes.u16le(at + 3) + bytes.u16le(at + 7) > height) throw unreadable();
  const data = at + 10 + colourTableBytes(bytes.u8(at + 9));
  const codeSize = bytes.u8(data);
  if (codeSize < 1 || codeSize > 8) throw unreadable();
  return skipSubBlocks(bytes, data + 1);
}

/** @returns the end of the chain of sub-blocks */
function skipSubBlocks(bytes: Bytes, from: number): number {
  let at = from;
  for (let size = bytes.u8(at); size !== 0; size = bytes.u8(at)) at += 1 + size;
  return at + 1;
}
