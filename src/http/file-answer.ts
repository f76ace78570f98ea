import { Readable } from "node:stream";
import type { RawReply } from "./answers.ts";

/**
 * Responses with files whose content is user-supplied. The content is treated as data only: the server sets the type, and browsers neither
 * sniff another type nor execute any of it.
 */

/** Browsers may display the file but not run scripts or load resources. */
const inertPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Validators for conditional requests (RFC 9110, 8.8). */
export interface Validators {
  /** Strong validator, without quotes. */
  readonly etag: string;
  /** Modification time of the content. Undefined if unknown. */
  readonly lastModifiedMs?: number | undefined;
  /** The URL may have had other content in the meantime, so only a copy with exactly this date is valid. */
  readonly isReplaceable?: boolean;
}

export interface FileResponseInput extends Validators {
  readonly contentType: "text/plain; charset=utf-8" | "application/octet-stream" | `image/${"png" | "jpeg" | "gif" | "webp" | "svg+xml"}`;
  readonly disposition: "inline" | "attachment";
  readonly name: string;
  readonly cacheControl: string;
}

export const fileHeaders = (file: FileResponseInput): Record<string, string | number> => ({
  "content-type": file.contentType,
  "content-disposition": contentDisposition(file.disposition, file.name),
  "access-control-expose-headers": "Content-Disposition",
  "content-security-policy": inertPolicy,
  "x-content-type-options": "nosniff",
  "cache-control": file.cacheControl,
  ...validatorHeaders(file),
});

const validatorHeaders = ({ etag, lastModifiedMs }: Validators): Record<string, string> => ({
  etag: `"${etag}"`,
  ...(lastModifiedMs !== undefined && { "last-modified": new Date(lastModifiedMs).toUTCString() }),
});

/** The 304 response for a client with a valid copy. */
export const unchangedReply = (file: Validators & Pick<FileResponseInput, "cacheControl">): RawReply => ({
  status: 304,
  headers: { ...validatorHeaders(file), "cache-control": file.cacheControl },
});

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Whether a client's copy is still valid: `If-None-Match` decides, and `If-Modified-Since` in its absence (RFC 9110, 13.2.2). */
export function isUnchanged(headers: RequestHeaders, { etag, lastModifiedMs, isReplaceable = false }: Validators): boolean {
  if (headers["if-none-match"] !== undefined) return isFresh(headers["if-none-match"], etag);
  const since = readHttpDate(headers["if-modified-since"]);
  if (since === undefined || lastModifiedMs === undefined) return false;
  const madeMs = Math.floor(lastModifiedMs / 1000) * 1000;
  return isReplaceable ? madeMs === since : madeMs <= since;
}

/** The requested range, unless it refers to another version (RFC 9110, If-Range). */
export function rangeFor(headers: RequestHeaders, { etag, lastModifiedMs }: Validators): string | string[] | undefined {
  const condition = headers["if-range"];
  const isSame = condition === undefined || condition === `"${etag}"` || (lastModifiedMs !== undefined && condition === new Date(lastModifiedMs).toUTCString());
  return isSame ? headers.range : undefined;
}

/** Parses an HTTP date (RFC 9110, 5.6.7). @returns undefined for any other value */
function readHttpDate(header: string | string[] | undefined): number | undefined {
  const time = typeof header === "string" && /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

const attributeChars = /[^A-Za-z0-9!#$&+.^_`|~-]/g;

/**
 * Content-Disposition (RFC 6266): a plain name unquoted, any other name quoted in ASCII and again in UTF-8. No character of a name can end
 * the header.
 */
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

/**
 * Parses a single byte range (RFC 9110, Range).
 * @returns undefined for the whole file, also for unreadable ranges; `unsatisfiable` for a range beyond the end
 */
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
  /** A function reads only the requested part, in chunks that are valid until the next one is requested. */
  readonly body: Buffer | Readable | ((part: ByteRange | undefined) => AsyncIterable<Uint8Array>);
}

/** A response with a file or the requested part of it. */
export function fileReply(input: FileResponseInput, { sizeBytes, body }: FileBody, range: string | string[] | undefined): RawReply {
  const headers = { ...fileHeaders(input), "accept-ranges": "bytes" };
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

/** Streams part of a source without buffering: bytes before the part are discarded, bytes after it are not read. */
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
