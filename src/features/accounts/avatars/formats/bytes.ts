import { type ForgeError, invalid } from "../../../../core/errors.ts";

/** Bounds-checked reads of a file. Reads outside of it throw, so parsers do not check lengths themselves. */
export interface Bytes {
  readonly buffer: Buffer;
  u8(at: number): number;
  u16be(at: number): number;
  u16le(at: number): number;
  u24le(at: number): number;
  u32be(at: number): number;
  u32le(at: number): number;
  ascii(at: number, length: number): string;
  /** @throws ForgeError `invalid` when the file ends before `end` */
  requires(end: number): void;
}

export const unreadable = (): ForgeError => invalid("the image is not a PNG, JPEG, GIF or WebP file, or it is damaged", { reason: "invalid_image" });

/** Every read method throws {@link unreadable} beyond the end of the file. */
export function bytesOf(buffer: Buffer): Bytes {
  const requires = (end: number): void => {
    if (end > buffer.length) throw unreadable();
  };
  const number =
    (size: number, read: (at: number) => number) =>
    (at: number): number => {
      requires(at + size);
      return read(at);
    };
  return {
    buffer,
    u8: number(1, (at) => buffer.readUInt8(at)),
    u16be: number(2, (at) => buffer.readUInt16BE(at)),
    u16le: number(2, (at) => buffer.readUInt16LE(at)),
    u24le: number(3, (at) => buffer.readUIntLE(at, 3)),
    u32be: number(4, (at) => buffer.readUInt32BE(at)),
    u32le: number(4, (at) => buffer.readUInt32LE(at)),
    ascii(at, length) {
      requires(at + length);
      return buffer.toString("latin1", at, at + length);
    },
    requires,
  };
}

/** A picture's properties, read from the file's structure without decoding pixels. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** 1 for a still picture. */
  readonly frames: number;
  /** Where the picture's own structure ends; later bytes are not part of it. */
  readonly endBytes: number;
}
