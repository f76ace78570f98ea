import { crc32, deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ForgeError } from "../../../core/errors.ts";
import { drawIdenticon } from "./identicon.ts";
import { checkPicture, maxPictureBytes, pictureTypeOf } from "./picture.ts";

// Minimal pictures, built by hand from their formats' specifications.

const u16 = (value: number): Buffer => Buffer.from([value & 255, value >> 8]);
const u16be = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const u24 = (value: number): Buffer => Buffer.from([value & 255, (value >> 8) & 255, value >> 16]);
const u32be = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const u32 = (value: number): Buffer => Buffer.from(u32be(value)).reverse();
const text = (value: string): Buffer => Buffer.from(value, "latin1");

function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([text(type), data]);
  return Buffer.concat([u32be(data.length), named, u32be(crc32(named))]);
}
const pngHeader = (width: number, height: number, rest = [8, 2, 0, 0, 0]): Buffer =>
  Buffer.concat([text("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", Buffer.concat([u32be(width), u32be(height), Buffer.from(rest)]))]);
const frameControl = (width: number, height: number): Buffer =>
  pngChunk("fcTL", Buffer.concat([u32be(0), u32be(width), u32be(height), u32be(0), u32be(0), Buffer.alloc(6)]));
const png = (width: number, height: number, frames: readonly Buffer[] = []): Buffer =>
  Buffer.concat([pngHeader(width, height), ...frames, pngChunk("IDAT", deflateSync(Buffer.alloc(64))), pngChunk("IEND", Buffer.alloc(0))]);

const gifFrame = (width: number, height: number): Buffer =>
  Buffer.concat([text("\x21\xf9\x04\0\0\0\0\0\x2c"), u16(0), u16(0), u16(width), u16(height), text("\0\x02\x02\x44\x01\0")]);
const gif = (width: number, height: number, frames: readonly Buffer[] = [gifFrame(width, height)]): Buffer =>
  Buffer.concat([text("GIF89a"), u16(width), u16(height), text("\x80\0\0"), Buffer.alloc(6), ...frames, text("\x3b")]);

const segment = (marker: number, data: Buffer): Buffer => Buffer.concat([Buffer.from([0xff, marker]), u16be(data.length + 2), data]);
const frameHeader = (marker: number, width: number, height: number): Buffer =>
  segment(marker, Buffer.concat([text("\x08"), u16be(height), u16be(width), text("\x01\x01\x11\0")]));
const scan = Buffer.concat([segment(0xda, text("\x01\x01\0\0\x3f\0")), Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56])]);
const jpegOf = (...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([text("\xff\xd8"), segment(0xe0, text("JFIF\0\x01\x01\0\0\x01\0\x01\0\0")), ...parts, text("\xff\xd9")]);
const jpeg = (width: number, height: number): Buffer => jpegOf(frameHeader(0xc0, width, height), scan);

const riffChunk = (type: string, data: Buffer): Buffer => Buffer.concat([text(type), u32(data.length), data, Buffer.alloc(data.length & 1)]);
const webpOf = (...chunks: readonly Buffer[]): Buffer => {
  const body = Buffer.concat([text("WEBP"), ...chunks]);
  return Buffer.concat([text("RIFF"), u32(body.length), body]);
};
const lossy = (width: number, height: number): Buffer =>
  riffChunk("VP8 ", Buffer.concat([text("\x10\0\0\x9d\x01\x2a"), u16(width), u16(height), text("\0\0\0")]));
const lossless = (width: number, height: number): Buffer => riffChunk("VP8L", Buffer.concat([text("\x2f"), u32((width - 1) | ((height - 1) << 14))]));
const canvas = (width: number, height: number): Buffer => riffChunk("VP8X", Buffer.concat([Buffer.alloc(4), u24(width - 1), u24(height - 1)]));
const webpFrame = (width: number, height: number, inner: Buffer): Buffer =>
  riffChunk("ANMF", Buffer.concat([u24(0), u24(0), u24(width - 1), u24(height - 1), u24(100), text("\0"), inner]));

const refusal = (content: Buffer): ForgeError => {
  try {
    checkPicture(content);
  } catch (error) {
    if (error instanceof ForgeError) return error;
    throw error;
  }
  throw new Error("the picture was taken");
};
const damaged = "the image is not a PNG, JPEG, GIF or WebP file, or it is damaged";

const good: readonly (readonly [string, Buffer, string])[] = [
  ["a PNG", png(20, 10), "image/png"],
  ["an animated PNG", png(20, 10, [frameControl(20, 10), frameControl(5, 5)]), "image/png"],
  ["a drawn picture", drawIdenticon("d41d8cd98f00b204e9800998ecf8427e", 64), "image/png"],
  ["the largest PNG", png(4096, 4096), "image/png"],
  ["a GIF", gif(20, 10), "image/gif"],
  ["an animated GIF", gif(20, 10, [gifFrame(20, 10), gifFrame(3, 3)]), "image/gif"],
  ["a JPEG", jpeg(20, 10), "image/jpeg"],
  ["a progressive JPEG", jpegOf(frameHeader(0xc2, 20, 10), scan, segment(0xc4, text("table")), scan), "image/jpeg"],
  ["a lossy WebP", webpOf(lossy(20, 10)), "image/webp"],
  ["a lossless WebP", webpOf(lossless(20, 10)), "image/webp"],
  ["a WebP with a canvas", webpOf(canvas(20, 10), riffChunk("ALPH", text("abc")), lossy(20, 10)), "image/webp"],
  [
    "an animated WebP",
    webpOf(canvas(20, 10), riffChunk("ANIM", Buffer.alloc(6)), webpFrame(20, 10, lossy(20, 10)), webpFrame(4, 4, lossless(4, 4))),
    "image/webp",
  ],
];

describe("valid pictures", () => {
  test.each(good)("%s", (_, content, type) => {
    expect(pictureTypeOf(content)).toBe(type);
    expect(checkPicture(content).equals(content)).toBe(true);
  });

  test.each(good)("%s: drops bytes after its end", (_, content) => {
    const hiding = Buffer.concat([content, text("PK\x03\x04<script>alert(1)</script>")]);
    expect(checkPicture(hiding).equals(content)).toBe(true);
  });

  test.each(good)("%s: rejects every truncation", (_, content) => {
    for (let length = 0; length < content.length; length += 1)
      expect(refusal(content.subarray(0, length))).toMatchObject({ code: "invalid", message: damaged });
  });
});

describe("invalid pictures", () => {
  test.each([
    ["nothing", ""],
    ["text", "notanimage"],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["TIFF", "II*\0\x08\0\0\0"],
    ["BMP", "BM\x3a\0\0\0\0\0\0\0"],
    ["an icon", "\0\0\x01\0\x01\0\x10\x10"],
    ["AVIF", "\0\0\0\x20ftypavif\0\0\0\0"],
    ["a sound", "RIFF\x24\0\0\0WAVEfmt "],
    ["a first line alone", "GIF89a/*<script>*/=1"],
  ])("%s", (_, content) => {
    expect(refusal(text(content))).toMatchObject({ code: "invalid", message: damaged });
  });

  const broken = (content: Buffer, at: number, value: number): Buffer => {
    const copy = Buffer.from(content);
    copy[at] = value;
    return copy;
  };
  test.each([
    ["a PNG whose checksum is wrong", broken(png(20, 10), 19, 21)],
    ["a PNG of a colour type that there is not", Buffer.concat([pngHeader(20, 10, [8, 5, 0, 0, 0]), png(20, 10).subarray(33)])],
    ["a PNG with two headers", Buffer.concat([pngHeader(20, 10), pngHeader(20, 10).subarray(8), png(20, 10).subarray(33)])],
    ["a PNG without data", Buffer.concat([pngHeader(20, 10), pngChunk("IEND", Buffer.alloc(0))])],
    ["a PNG with a frame beyond its edge", png(20, 10, [frameControl(21, 10)])],
    ["a PNG without width", png(0, 10)],
    ["a GIF without an image", gif(20, 10, [])],
    ["a GIF with an image beyond its edge", gif(20, 10, [gifFrame(20, 11)])],
    ["a JPEG without a frame", jpegOf(scan)],
    ["a JPEG without a scan", jpegOf(frameHeader(0xc0, 20, 10))],
    ["a JPEG with two frames", jpegOf(frameHeader(0xc0, 20, 10), frameHeader(0xc0, 20, 10), scan)],
    ["a lossless JPEG", jpegOf(frameHeader(0xc3, 20, 10), scan)],
    ["a JPEG whose height comes later", jpegOf(frameHeader(0xc0, 20, 0), scan)],
    ["a JPEG of a hundred and one scans", jpegOf(frameHeader(0xc2, 20, 10), ...Array.from({ length: 101 }, () => scan))],
    ["a WebP without a picture", webpOf(canvas(20, 10))],
    ["a WebP larger than its canvas", webpOf(canvas(20, 10), lossy(4000, 10))],
    ["a WebP with a frame larger than it says", webpOf(canvas(20, 10), webpFrame(4, 4, lossless(20, 10)))],
    ["a WebP with a frame beyond the canvas", webpOf(canvas(20, 10), webpFrame(21, 4, lossless(4, 4)))],
    ["a WebP that begins in the middle of a film", webpOf(riffChunk("VP8 ", text("\x11\0\0\x9d\x01\x2a\x14\0\x0a\0")))],
  ])("%s", (_, content) => {
    expect(refusal(content)).toMatchObject({ code: "invalid", message: damaged });
  });
});

describe("pictures that are too large", () => {
  const tooWide = (width: number, height: number): string => `the image is ${width} x ${height} pixels; the maximum is 4096 x 4096`;
  test.each([
    ["PNG", png(65_500, 65_500), tooWide(65_500, 65_500)],
    ["GIF", gif(4_097, 1), tooWide(4_097, 1)],
    ["JPEG", jpeg(1, 65_535), tooWide(1, 65_535)],
    ["lossy WebP", webpOf(lossy(16_383, 16_383)), tooWide(16_383, 16_383)],
    ["WebP canvas", webpOf(canvas(16_777_216, 2), lossy(1, 1)), tooWide(16_777_216, 2)],
  ])("%s", (_, content, message) => {
    expect(refusal(content)).toMatchObject({ code: "invalid", message });
  });

  test("limits frames and the pixels of all frames together", () => {
    const frames = (count: number, frame: Buffer): Buffer[] => Array.from({ length: count }, () => frame);
    expect(checkPicture(gif(180, 180, frames(500, gifFrame(180, 180)))).length).toBeGreaterThan(0);
    expect(refusal(gif(1, 1, frames(501, gifFrame(1, 1)))).message).toContain("501 frames");
    expect(refusal(gif(4096, 4096, frames(2, gifFrame(4096, 4096)))).message).toContain("2 frames of 4096 x 4096");
    expect(refusal(png(4096, 4096, frames(2, frameControl(1, 1)))).message).toContain("2 frames");
    expect(refusal(webpOf(canvas(4096, 4096), ...frames(2, webpFrame(1, 1, lossless(1, 1))))).message).toContain("2 frames");
    const many = gif(1, 1, frames(100_000, gifFrame(1, 1)));
    expect(refusal(many)).toMatchObject({ code: "too_large" });
  });

  test("limits bytes before reading any", () => {
    expect(refusal(Buffer.alloc(maxPictureBytes + 1))).toMatchObject({ code: "too_large", message: "the image is larger than the maximum of 1048576 bytes" });
    expect(refusal(Buffer.alloc(maxPictureBytes))).toMatchObject({ code: "invalid" });
  });
});
