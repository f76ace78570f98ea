import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, createBrotliCompress, createGzip, gzip, gzipSync } from "node:zlib";
import { arePieces, type PreparedReply, type RawReply, sizeOfBody } from "./answers.ts";

export type Encoding = "br" | "gzip";

/** In order of preference, for clients that accept both equally: Brotli is smaller and cheaper. */
const encodings: readonly Encoding[] = ["br", "gzip"];

/** Further parts of the header are ignored. */
const maxParts = 20;

/** The encoding with the highest weight of an `Accept-Encoding` header (RFC 9110, 12.5.3); undefined to send the content unencoded. */
export function acceptedEncoding(header: string | readonly string[] | undefined): Encoding | undefined {
  if (typeof header !== "string") return undefined;
  const weights = new Map(
    header.split(",", maxParts).map((part) => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith("q="))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight) || 0] as const;
    }),
  );
  let best: Encoding | undefined;
  for (const encoding of encodings) if (weightOf(encoding, weights) > (best === undefined ? 0 : weightOf(best, weights))) best = encoding;
  return best;
}

const weightOf = (encoding: Encoding, weights: ReadonlyMap<string, number>): number => weights.get(encoding) ?? weights.get("*") ?? 0;

const compressible = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:xml|json)\b|image\/svg\+xml)/;

/** Smaller responses fit into one packet either way. */
const leastBytes = 1_400;
/** Larger ones are compressed by other threads, in pieces that are sent as soon as they are complete. */
const wholeBytes = 128 * 1024;
const pieceLength = 64 * 1024;

/** A response with a strong validator, or with part of a file, names exact bytes, so it is sent as it is. */
const isExact = ({ etag, ...headers }: PreparedReply["headers"]): boolean =>
  (typeof etag === "string" && !etag.startsWith("W/")) || headers["content-range"] !== undefined || headers["content-encoding"] !== undefined;

/**
 * Compresses a response if its type benefits from it and the client accepts it.
 * @param isHead the body is left out: the headers are those of GET
 */
export function encodeReply(reply: PreparedReply, accepted: string | readonly string[] | undefined, isHead: boolean): PreparedReply {
  const { headers, body } = reply;
  const sizeBytes = isHead ? Number(headers["content-length"] ?? 0) : (sizeOfBody(body) ?? leastBytes);
  if ((body === undefined && !isHead) || sizeBytes < leastBytes || !compressible.test(String(headers["content-type"])) || isExact(headers)) return reply;
  const vary = withVary(headers.vary);
  const encoding = acceptedEncoding(accepted);
  if (encoding === undefined) return { ...reply, headers: { ...headers, vary } };
  // The length of a compressed response is not known before it is made.
  const { "content-length": _length, ...rest } = headers;
  return { ...reply, headers: { ...rest, vary, "content-encoding": encoding }, body: body === undefined ? undefined : compress(body, encoding) };
}

function withVary(given: string | number | undefined): string {
  if (given === undefined) return "Accept-Encoding";
  return /\baccept-encoding\b/i.test(String(given)) ? String(given) : `Accept-Encoding, ${given}`;
}

function compress(body: NonNullable<RawReply["body"]>, encoding: Encoding): Buffer | Readable {
  if (typeof body === "string" || Buffer.isBuffer(body)) {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    return bytes.length <= wholeBytes ? compressWhole(bytes, encoding) : compressPieces(slicesOf(bytes), encoding);
  }
  return compressPieces(body instanceof Readable ? body : arePieces(body) ? body.pieces : body, encoding);
}

const brotliOptions = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT, [constants.BROTLI_PARAM_LGWIN]: 18 };
/** Levels at which a page of 60 KB takes less than a millisecond. */
const quickBrotli = { ...brotliOptions, [constants.BROTLI_PARAM_QUALITY]: 5 };
const quickGzip = 4;

const compressWhole = (bytes: Buffer, encoding: Encoding): Buffer =>
  encoding === "br"
    ? brotliCompressSync(bytes, { params: { ...quickBrotli, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
    : gzipSync(bytes, { level: quickGzip });

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}

/** Each piece leaves the compressor at once, so that a browser shows the start of a long page while the rest follows. */
function compressPieces(pieces: Readable | Iterable<Uint8Array> | AsyncIterable<Uint8Array>, encoding: Encoding): Readable {
  const compressor =
    encoding === "br"
      ? createBrotliCompress({ params: quickBrotli, flush: constants.BROTLI_OPERATION_FLUSH })
      : createGzip({ level: quickGzip, flush: constants.Z_SYNC_FLUSH });
  // An error of the source reaches the reader of the compressor.
  pipeline(pieces instanceof Readable ? pieces : Readable.from(pieces, { objectMode: true }), compressor, () => undefined);
  return compressor;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Compresses content that is sent often, as small as possible, which takes a tenth of a second of another thread. */
export const compressBest = (text: string, encoding: Encoding): Promise<Buffer> =>
  encoding === "br" ? compressBrotli(text, { params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } }) : compressGzip(text, { level: 9 });
