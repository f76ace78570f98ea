import { isUtf8 } from "node:buffer";

/** Bytes needed to detect the type of content. */
export const probeBytes = 1024;

/** Control characters that do not occur in text (WHATWG MIME Sniffing, binary data bytes). */
const binary = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** Whether the content is text, by its first bytes: UTF-8 without control characters. */
export function isText(beginning: Buffer): boolean {
  const probe = beginning.subarray(0, probeBytes);
  if (binary.test(probe.toString("latin1"))) return false;
  // The probe may end within a character.
  for (let cut = 0; cut < 4 && cut <= probe.length; cut++) {
    if (isUtf8(probe.subarray(0, probe.length - cut))) return cut === 0 || probe.length === probeBytes;
  }
  return false;
}

/** Whether a text has more lines than a limit. The line after a final line break does not count. */
export function hasMoreLines(data: Buffer, limit: number): boolean {
  let lines = 0;
  for (let at = 0; at < data.length; lines += 1) {
    if (lines === limit) return true;
    const end = data.indexOf(0x0a, at);
    at = end < 0 ? data.length : end + 1;
  }
  return false;
}
