import type { IncomingMessage } from "node:http";
import { invalid, malformed, tooLarge, unsupportedMedia } from "../core/errors.ts";

/**
 * Reads a body into memory, refusing early what is declared larger than the limit and counting what is not declared.
 * @throws ForgeError `too_large`, `unsupported_media` for a compressed body, `malformed` when the client goes away
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw unsupportedMedia("a compressed request body is not taken here: send it as it is");
  }
  const over = () => tooLarge(`the request body is larger than the ${limitBytes} bytes taken here`);
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) throw over();
  // Events, not the iterator: leaving an iteration would destroy the socket before the refusal is sent.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) {
        request.removeAllListeners("data");
        request.resume();
        reject(over());
      } else chunks.push(chunk);
    });
    const breakOff = (cause?: Error): void => reject(malformed("the request body ended early", { cause }));
    request.once("end", () => {
      // Every request closes, and a refusal that nobody hears of costs as much as one that is sent.
      request.off("close", breakOff);
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    });
    request.once("error", breakOff);
    request.once("close", breakOff);
  });
}

/** A body's fields. A form's values are text, and lists of texts where a name is repeated, whatever the field's type; the schema's reader turns them into what the field holds. */
export interface ParsedBody {
  readonly values: Readonly<Record<string, unknown>>;
  readonly isForm: boolean;
}

/**
 * Parses a body by its media type (wire facts 1.2). An empty body and `null` count as `{}`; a DELETE may have no body at all.
 * @throws ForgeError `invalid` for a missing or foreign media type and for what is no JSON object
 */
export function parseBody(bytes: Buffer, contentType: string | undefined, method: string): ParsedBody {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "" && bytes.length === 0 && method === "DELETE") return { values: {}, isForm: false };
  if (type === "") throw invalid("[]: Empty Content-Type");
  if (type === "application/x-www-form-urlencoded") {
    return { values: readForm(bytes.toString("utf8")), isForm: true };
  }
  if (type !== "application/json") throw invalid("[]: Unsupported Content-Type");
  const text = bytes.toString("utf8").trim();
  if (text === "" || text === "null") return { values: {}, isForm: false };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(`[]: the body is no JSON: ${error instanceof Error ? error.message : "it cannot be read"}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid(`[]: the body must be a JSON object, not ${Array.isArray(value) ? "an array" : `a ${typeof value}`}`);
  }
  return { values: value as Record<string, unknown>, isForm: false };
}

function readForm(text: string): Readonly<Record<string, string | readonly string[]>> {
  const given = Map.groupBy(new URLSearchParams(text), ([name]) => name);
  return Object.fromEntries([...given].map(([name, pairs]) => [name, pairs.length === 1 ? (pairs[0]?.[1] ?? "") : pairs.map(([, value]) => value)]));
}
