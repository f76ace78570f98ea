import { invalid, tooLarge } from "../../../core/errors.ts";
import { type Bytes, bytesOf, type Picture, unreadable } from "./formats/bytes.ts";
import { readGif } from "./formats/gif.ts";
import { readJpeg } from "./formats/jpeg.ts";
import { readPng } from "./formats/png.ts";
import { readWebp } from "./formats/webp.ts";

/**
 * Uploaded pictures are not decoded here: their structure is read, and what it says is bounded. So no picture, however it is made, costs the
 * server more than one look at its bytes, nor a viewer more than one picture of the largest size. Formats that can carry scripts are none.
 */

export const maxPictureBytes = 1_048_576;
export const maxPictureSide = 4_096;
export const maxPictureFrames = 500;
/** Of all frames together. */
const maxPixels = maxPictureSide * maxPictureSide;

export type PictureType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

const readers: Readonly<Record<PictureType, (bytes: Bytes) => Picture>> = {
  "image/png": readPng,
  "image/jpeg": readJpeg,
  "image/gif": readGif,
  "image/webp": readWebp,
};

/** The format that a file's first bytes name; undefined when it is none that is taken. */
export function pictureTypeOf(content: Buffer): PictureType | undefined {
  const start = content.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  return start.startsWith("RIFF") && start.endsWith("WEBP") && start.length === 12 ? "image/webp" : undefined;
}

/**
 * Checks an uploaded picture.
 * @returns the picture's own bytes: what a file carries behind its end is left out
 * @throws ForgeError `too_large` for too many bytes, `invalid` for what is no picture, or one of too many pixels
 */
export function checkPicture(content: Buffer): Buffer {
  if (content.length > maxPictureBytes) throw tooLarge(`the image is larger than the ${maxPictureBytes} bytes taken here`);
  const type = pictureTypeOf(content);
  if (type === undefined) throw unreadable();
  const { width, height, frames, endBytes } = readers[type](bytesOf(content));
  if (width === 0 || height === 0) throw unreadable();
  if (width > maxPictureSide || height > maxPictureSide) {
    throw invalid(`the image is ${width} x ${height} pixels, and at most ${maxPictureSide} x ${maxPictureSide} are taken`);
  }
  if (frames > maxPictureFrames || width * height * frames > maxPixels) {
    throw invalid(`the image has ${frames} frames of ${width} x ${height} pixels: at most ${maxPictureFrames} frames and ${maxPixels} pixels are taken`);
  }
  return content.subarray(0, endBytes);
}
