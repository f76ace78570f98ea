import { isUtf8 } from "node:buffer";

/**
 * File names are bytes in git and strings in the server. A byte that is not part of valid UTF-8 is escaped as one private-use character,
 * U+10FE00 plus the byte; so are the bytes of those characters themselves if a name contains them. Thus every name has exactly one string,
 * every such string maps back to its bytes, and all strings pass through JSON, URLs and databases.
 */

const slash = 0x2f;
const escapeBase = 0x10fe00;
/** The surrogate pairs of U+10FE80 to U+10FEFF. */
const escaped = /\udbff[\ude80-\udeff]/;
const escapedAll = /\udbff[\ude80-\udeff]/g;

export function decodeName(bytes: Buffer): string {
  if (isUtf8(bytes)) {
    const text = bytes.toString("utf8");
    return escaped.test(text) ? text.replace(escapedAll, (character) => escapeBytes(Buffer.from(character))) : text;
  }
  let text = "";
  let start = 0;
  while (start < bytes.length) {
    const length = validSequence(bytes, start);
    const part = bytes.subarray(start, start + Math.max(1, length));
    text += length === 0 ? escapeBytes(part) : part.toString("utf8").replace(escapedAll, (character) => escapeBytes(Buffer.from(character)));
    start += part.length;
  }
  return text;
}

export function encodeName(name: string): Buffer {
  if (!escaped.test(name)) return Buffer.from(name, "utf8");
  const parts: Buffer[] = [];
  let end = 0;
  for (const match of name.matchAll(escapedAll)) {
    parts.push(Buffer.from(name.slice(end, match.index)), Buffer.of((match[0].codePointAt(0) ?? escapeBase) - escapeBase));
    end = match.index + match[0].length;
  }
  parts.push(Buffer.from(name.slice(end)));
  return Buffer.concat(parts);
}

/** Whether {@link decodeName} can return this string: no lone surrogate, no escape that hides valid UTF-8. */
export function isCanonicalName(name: string): boolean {
  return name.isWellFormed() && (!escaped.test(name) || decodeName(encodeName(name)) === name);
}

/** Tree order of names: bytewise, a directory as if its name ended in a slash. */
export function compareTreeNames(a: string, aIsTree: boolean, b: string, bIsTree: boolean): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  const left = at < a.length ? a.charCodeAt(at) : aIsTree ? slash : 0;
  const right = at < b.length ? b.charCodeAt(at) : bIsTree ? slash : 0;
  // Bytes of non-ASCII characters are all above ASCII; between two such characters UTF-16 order differs from byte order.
  if (left < 0x80 || right < 0x80) return left - right;
  return Buffer.compare(encodeName(a), encodeName(b));
}

function escapeBytes(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCodePoint(escapeBase + byte);
  return text;
}

/** Length of the valid UTF-8 sequence at `start`, 0 if there is none. */
function validSequence(bytes: Buffer, start: number): number {
  const first = bytes[start] ?? 0;
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  return length > 0 && start + length <= bytes.length && isUtf8(bytes.subarray(start, start + length)) ? length : 0;
}
