import { type Bytes, type Picture, unreadable } from "./bytes.ts";

/** Baseline, extended and progressive frames, which browsers show. */
const startsOfFrame = new Set([0xc0, 0xc1, 0xc2]);
/** Lossless, hierarchical and arithmetic frames, standalone markers, and a second start. */
const refused = new Set([0x00, 0x01, 0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xd8]);
/** Each scan of a progressive picture covers all of its pixels, so a small file with many scans keeps a viewer busy for long. */
const maxScans = 100;

/** Walks the segments of a JPEG (ITU-T T.81, annex B). */
export function readJpeg(bytes: Bytes): Picture {
  let size: { readonly width: number; readonly height: number } | undefined;
  let scans = 0;
  for (let at = 2; ; ) {
    if (bytes.u8(at) !== 0xff) throw unreadable();
    const marker = bytes.u8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) {
      if (size === undefined || scans === 0) throw unreadable();
      return { ...size, frames: 1, endBytes: at + 2 };
    }
    if (refused.has(marker) || (marker >= 0xd0 && marker <= 0xd7)) throw unreadable();
    const length = bytes.u16be(at + 2);
    if (length < 2) throw unreadable();
    if (startsOfFrame.has(marker)) {
      if (size !== undefined || length < 8) throw unreadable();
      size = { height: bytes.u16be(at + 5), width: bytes.u16be(at + 7) };
    }
    at += 2 + length;
    if (marker === 0xda) {
      scans += 1;
      if (scans > maxScans) throw unreadable();
      at = skipScan(bytes, at);
    }
  }
}

/** @returns the position of the next marker after a scan's coded data */
function skipScan({ buffer }: Bytes, from: number): number {
  for (let at = buffer.indexOf(0xff, from); at !== -1; at = buffer.indexOf(0xff, at + 1)) {
    const next = buffer[at + 1];
    const isCoded = next === 0x00 || (next !== undefined && next >= 0xd0 && next <= 0xd7);
    if (!isCoded && next !== 0xff) return at;
  }
  throw unreadable();
}
