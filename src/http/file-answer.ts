import { Readable } from "node:stream";
import type { RawReply } from "./answers.ts";

/**
 * Answers that carry a file whose content somebody else wrote. It is data, whatever it says: the server names the type, browsers neither
 * guess another one nor run any of it.
 */

/** What a browser may do with a file that it shows: nothing. */
const inertPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export interface FileFacts {
  readonly contentType: "text/plain; charset=utf-8" | "application/octet-stream" | `image/${"png" | "jpeg" | "gif" | "webp" | "svg+xml"}`;
  readonly disposition: "inline" | "attachment";
  readonly name: string;
  /** Strong: the same tag, the same bytes. Without its quotes. */
  readonly etag: string;
  readonly cacheControl: string;
}

export const fileHeaders = (file: FileFacts): Record<string, string | number> => ({
  "content-type": file.contentType,
  "content-disposition": contentDisposition(file.disposition, file.name),
  "access-control-expose-headers": "Content-Disposition",
  "content-security-policy": inertPolicy,
  "x-content-type-options": "nosniff",
  "cache-control": file.cacheControl,
  etag: `"${file.etag}"`,
});

const attributeChars = /[^A-Za-z0-9!#$&+.^_`|~-]/g;

/** RFC 6266: a plain name as it is, any other one quoted in ASCII and once more in UTF-8. No character of a name can end the header. */
export function contentDisposition(disposition: "inline" | "attachment", name: string): string {
  if (name !== "" && !/[^A-Za-z0-9!#$&+.^_`|~-]/.test(name)) return `${disposition}; filename=${name}`;
  const wellFormed = name.toWellFormed();
  const ascii = wellFormed.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const utf8 = wellFormed.replace(attributeChars, (character) => (character > "\x7f" ? character : percent(character)));
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encodeNonAscii(utf8)}`;
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
const encodeNonAscii = (text: string): string => text.replace(/[\u0080-\u{10ffff}]+/gu, (part) => encodeURIComponent(part));

/** Whether the client has this version (RFC 9110, If-None-Match). */
export function isFresh(header: string | string[] | undefined, etag: string): boolean {
  if (typeof header !== "string") return false;
  return header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === `"${etag}"`);
}

export interface ByteRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/** One range of bytes (RFC 9110, Range); undefined for the whole, which is also the answer to what cannot be read, `unsatisfiable` for one behind the end. */
export function readRange(header: string | string[] | undefined, sizeBytes: number): ByteRange | "unsatisfiable" | undefined {
  const match = typeof header === "string" ? /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) : null;
  if (match === null || (match[1] === "" && match[2] === "")) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "") return Number(last) === 0 || sizeBytes === 0 ? "unsatisfiable" : { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes - 1 };
  const start = Number(first);
  if (start >= sizeBytes) return "unsatisfiable";
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return end < start ? undefined : { start, end };
}

export interface FileBody {
  readonly sizeBytes: number;
  /** A function reads no more than the part that is asked for, in pieces that are each good until the next one is asked for. */
  readonly body: Buffer | Readable | ((part: ByteRange | undefined) => AsyncIterable<Uint8Array>);
}

/** A file, or the part of it that the request asks for. */
export function fileReply(facts: FileFacts, { sizeBytes, body }: FileBody, range: string | string[] | undefined): RawReply {
  const headers = { ...fileHeaders(facts), "accept-ranges": "bytes" };
  const part = readRange(range, sizeBytes);
  if (part === undefined)
    return { status: 200, headers: { ...headers, "content-length": sizeBytes }, body: typeof body === "function" ? { pieces: body(undefined) } : body };
  if (part === "unsatisfiable") {
    if (body instanceof Readable) body.destroy();
    return { status: 416, headers: { "content-range": `bytes */${sizeBytes}`, "x-content-type-options": "nosniff" } };
  }
  const { start, end } = part;
  return {
    status: 206,
    headers: { ...headers, "content-length": end - start + 1, "content-range": `bytes ${start}-${end}/${sizeBytes}` },
    body: typeof body === "function" ? { pieces: body(part) } : Buffer.isBuffer(body) ? body.subarray(start, end + 1) : sliceStream(body, part),
  };
}

/** Nothing of a stream is kept: what lies before the part flows by, and what lies behind it is never asked for. */
function sliceStream(source: Readable, { start, end }: ByteRange): Readable {
  const slice = async function* (): AsyncGenerator<Buffer> {
    let at = 0;
    for await (const chunk of source as AsyncIterable<Buffer>) {
      const from = Math.max(0, start - at);
      const to = Math.min(chunk.length, end + 1 - at);
      if (to > from) yield chunk.subarray(from, to);
      at += chunk.length;
      if (at > end) return;
    }
  };
  return Readable.from(slice(), { objectMode: false });
}
