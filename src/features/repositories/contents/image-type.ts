import { isText } from "./text-detection.ts";

/** Pictures that every browser shows. */
export type ImageType = `image/${"png" | "jpeg" | "gif" | "webp" | "svg+xml"}`;

const vector = /\.svg$/i;

/**
 * The type of a picture, by its first bytes: what is none has none, whatever its name says. A vector graphic is text that is called so; it can hold
 * scripts, which run neither in an `img` nor under the policy that all files are sent with (`http/file-answer.ts`).
 */
export function imageTypeOf(path: string, beginning: Buffer): ImageType | undefined {
  const start = beginning.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  if (start.startsWith("RIFF") && start.endsWith("WEBP") && start.length === 12) return "image/webp";
  return vector.test(path) && isText(beginning) ? "image/svg+xml" : undefined;
}

/** Whether a file is called as such pictures are. */
export const isNamedImage = (path: string): boolean => /\.(?:png|jpe?g|gif|webp|svg)$/i.test(path);
