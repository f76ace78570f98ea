import { invalid, tooLarge } from "../../../core/errors.ts";
import { type Bytes, bytesOf, type Picture, unreadable } from "./formats/bytes.ts";
import { readGif } from "./formats/gif.ts";
import { readJpeg } from "./formats/jpeg.ts";
import { readPng } from "./formats/png.ts";
import { readWebp } from "./formats/webp.ts";

/**
 * Uploaded pictures are not decoded: only their structure is read, and its values are bounded. A picture costs the server one pass
 * over its bytes and a viewer at most one picture of the maximum size. Formats that can carry scripts are rejected.
 */

export const maxPictureBytes = 1_048_576;
export const maxPictureSide = 4_096;
export const maxPictureFrames = 500;
/** Sum over all frames. */
const maxPixels = maxPictureSide * maxPictureSide;

export type PictureType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

const readers: Readonly<Record<PictureType, (bytes: Bytes) => Picture>> = {
  "image/png": readPng,
  "image/jpeg": readJpeg,
  "image/gif": readGif,
  "image/webp": readWebp,
};

/** The format by a file's first bytes; undefined if it is not supported. */
export function pictureTypeOf(content: Buffer): PictureType | undefined {
  const start = content.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  return start.startsWith("RIFF") && start.endsWith("WEBP") && start.length === 12 ? "image/webp" : undefined;
}

/**
 * Validates an uploaded picture.
 * @returns the picture's own bytes, without anything after its end
 * @throws ForgeError `too_large` for too many bytes, `invalid` for an invalid picture or too many pixels
 */
export function checkPicture(content: Buffer): Buffer {
  if (content.length > maxPictureBytes) throw tooLarge(`the image is larger than the maximum of ${maxPictureBytes} bytes`, { reason: "image_too_large" });
  const type = pictureTypeOf(content);
  if (type === undefined) throw unreadable();
  const { width, height, frames, endBytes } = readers[type](bytesOf(content));
  if (width === 0 || height === 0) throw unreadable();
  if (width > maxPictureSide || height > maxPictureSide) {
    throw invalid(`the image is ${width} x ${height} pixels; the maximum is ${maxPictureSide} x ${maxPictureSide}`, { reason: "image_too_large" });
  }
  if (frames > maxPictureFrames || width * height * frames > maxPixels) {
    throw invalid(`the image has ${frames} frames of ${width} x ${height} pixels; the maximum is ${maxPictureFrames} frames and ${maxPixels} pixels`, {
      reason: "image_too_large",
    });
  }
  return content.subarray(0, endBytes);
}
