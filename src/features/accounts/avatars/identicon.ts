import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type Rgb, writeTwoColourPng } from "./png-writer.ts";

export const identiconSides = { min: 16, max: 512, default: 256 } as const;

const cells = 5;
const background: Rgb = [240, 240, 240];

/**
 * The picture of an account without an upload: five by five mirrored cells in one colour. It depends only on the digest, so every
 * digest has one, and it does not reveal which accounts exist.
 * @param side in pixels, within {@link identiconSides}
 */
export function drawIdenticon(digest: string, side: number): Buffer {
  const chance = createHash("sha256").update(digest).digest();
  const cell = Math.floor(side / (cells + 1));
  const margin = Math.floor((side - cells * cell) / 2);
  const isFilled = (row: number, column: number): boolean => ((chance[row * 3 + Math.min(column, cells - 1 - column)] ?? 0) & 1) === 1;
  const blank = Buffer.alloc(Math.ceil(side / 8));
  const rows = Array.from({ length: cells }, (_, row) => {
    const bits = Buffer.from(blank);
    for (let x = 0; x < cells * cell; x++) {
      const at = margin + x;
      if (isFilled(row, Math.floor(x / cell))) bits[at >> 3] = (bits[at >> 3] ?? 0) | (0x80 >> (at & 7));
    }
    return bits;
  });
  const foreground = colourOf(chance.readUInt16BE(30) % 360);
  return writeTwoColourPng(side, [background, foreground], (y) => rows[Math.floor((y - margin) / cell)] ?? blank);
}

/** A colour of the hue, dark enough for contrast. */
function colourOf(hue: number): Rgb {
  const [saturation, lightness] = [0.5, 0.48];
  const strength = (turn: number): number => {
    const k = (turn + hue / 30) % 12;
    return Math.round(255 * (lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [strength(0), strength(8), strength(4)];
}

export type Identicons = (digest: string, side: number) => Buffer;

/** Draws identicons and caches the most recently used ones. */
export function createIdenticons(maxBytes = 4_194_304): Identicons {
  const drawn = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: (picture) => picture.length + 300 });
  return (digest, side) => {
    const key = `${digest} ${side}`;
    const known = drawn.get(key);
    if (known !== undefined) return known;
    const picture = drawIdenticon(digest, side);
    drawn.set(key, picture);
    return picture;
  };
}
