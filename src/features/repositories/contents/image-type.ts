import { isText } from "./text-detection.ts";

/** Image types that all browsers support. */
export type ImageType = `image/${"png" | "jpeg" | "gif" | "webp" | "svg+xml"}`;

const vector = /\.svg$/i;

/**
 * The image type by the first bytes, regardless of the name. SVG is recognized as text with that extension. It can contain scripts, which
 * run neither in an `img` nor under the content security policy of raw files (`http/file-answer.ts`).
 */
export function imageTypeOf(path: string, beginning: Buffer): ImageType | undefined {
  const start = beginning.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  if (start.startsWith("RIFF") && start.endsWith("WEBP") && start.length === 12) return "image/webp";
  return vector.test(path) && isText(beginning) ? "image/svg+xml" : undefined;
}

/** Whether a file name has the extension of such an image. */
export const isNamedImage = (path: string): boolean => /\.(?:png|jpe?g|gif|webp|svg)$/i.test(path);
