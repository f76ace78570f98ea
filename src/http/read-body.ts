import type { IncomingMessage } from "node:http";
import { JsonCostError, parseBoundedJson } from "../core/bounded-json.ts";
import { collectBytes } from "../core/collect-bytes.ts";
import { invalid, malformed, tooLarge, unsupportedMedia } from "../core/errors.ts";

/**
 * Reads a body into memory. A declared length over the limit is rejected before reading, other bodies while reading.
 * @throws ForgeError `too_large`, `unsupported_media` for a compressed body, `malformed` when the client disconnects
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw unsupportedMedia("compressed request bodies are not supported: send the body uncompressed");
  }
  const over = () => tooLarge(`the request body exceeds the limit of ${limitBytes} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) throw over();
  // Events, not the iterator: leaving an iteration would destroy the socket before the refusal is sent.
  return new Promise((resolve, reject) => {
    const received = collectBytes(Number(request.headers["content-length"] ?? 0));
    request.on("data", (chunk: Buffer) => {
      if (received.sizeBytes() + chunk.length > limitBytes) {
        request.removeAllListeners("data");
        request.resume();
        reject(over());
      } else received.add(chunk);
    });
    const breakOff = (cause?: Error): void => reject(malformed("the request body ended early", { cause }));
    request.once("end", () => {
      // Every request emits "close", and creating an unused error is expensive.
      request.off("close", breakOff);
      resolve(received.bytes());
    });
    request.once("error", breakOff);
    request.once("close", breakOff);
  });
}

/** JSON above this size is not read again without the text that follows it. */
const largeBytes = 1024 * 1024;

/**
 * The fields of a body. Form values are strings, or lists of strings where a name is repeated, whatever the type of the field. The schema
 * decoder converts them.
 */
export interface ParsedBody {
  readonly values: Readonly<Record<string, unknown>>;
  readonly isForm: boolean;
}

export type BodyKind = "json" | "form" | "multipart";

/**
 * The kind of a body by its `Content-Type`: every type that contains `json` is JSON.
 * @param contentType undefined and empty mean that the request has no type
 * @returns undefined for a PATCH or DELETE without type and body, which has no fields
 * @throws ForgeError `invalid` for a missing or unsupported media type
 */
export function bodyKindOf(contentType: string | undefined, method: string, sizeBytes: number): BodyKind | undefined {
  if (contentType === "application/json") return "json";
  const type = contentType?.toLowerCase() ?? "";
  if (type.includes("form-urlencoded")) return "form";
  if (type.includes("multipart/form-data")) return "multipart";
  if (type.includes("json")) return "json";
  if (type.trim() !== "") throw invalid("[]: Unsupported Content-Type");
  if (sizeBytes === 0 && (method === "DELETE" || method === "PATCH")) return undefined;
  throw invalid("[]: Empty Content-Type");
}

/**
 * Parses a JSON object. An empty body and `null` count as `{}`; text after the first value is ignored in bodies of up to 1 MiB.
 * @throws ForgeError `invalid` for other values and for invalid JSON, `too_large` for more values than a request needs
 */
export async function parseJsonBody(bytes: Buffer): Promise<Readonly<Record<string, unknown>>> {
  if (bytes.length === 0) return {};
  const value = await parseFirstValue(bytes);
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw invalid(`[]: the body must be a JSON object, not ${Array.isArray(value) ? "an array" : `a ${typeof value}`}`);
  }
  return value as Record<string, unknown>;
}

async function parseFirstValue(bytes: Buffer): Promise<unknown> {
  try {
    return await parseBoundedJson(bytes);
  } catch (error) {
    if (error instanceof JsonCostError) throw tooLarge("the request body has too many values: send several smaller requests");
    const text = bytes.length > largeBytes ? undefined : bytes.toString("utf8").trim();
    if (text === "") return {};
    const end = text === undefined ? undefined : endOfFirstValue(text);
    const first = text === undefined || end === undefined ? undefined : parsed(text.slice(0, end));
    if (first !== undefined) return first.value;
    throw invalid(`[]: the body is not valid JSON: ${error instanceof Error ? error.message : "it cannot be read"}`);
  }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** @returns the index after a leading `null`, object or array; undefined for other text and for truncated JSON */
function endOfFirstValue(text: string): number | undefined {
  if (text.startsWith("null")) return 4;
  let depth = 0;
  let isString = false;
  // A loop, because a regular expression takes quadratic time for some texts with an unterminated string.
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isString) {
      if (character === "\\") index += 1;
      else if (character === '"') isString = false;
      continue;
    }
    if (character === '"') isString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth === 0) return isString ? undefined : index + 1;
  }
  return undefined;
}

/** Maximum number of fields of a URL-encoded form: the time to parse it grows with the square of their number. */
const maxFormFields = 10_000;

/** Parses the fields of a URL-encoded form. @throws ForgeError `too_large` for too many fields */
export function parseForm(bytes: Buffer): Readonly<Record<string, string | readonly string[]>> {
  let fields = 1;
  for (let at = bytes.indexOf("&"); at >= 0; at = bytes.indexOf("&", at + 1)) {
    fields += 1;
    if (fields > maxFormFields) throw tooLarge(`the form has more than ${maxFormFields} fields`);
  }
  const text = bytes.toString("utf8");
  const given = Map.groupBy(new URLSearchParams(text), ([name]) => name);
  return Object.fromEntries([...given].map(([name, pairs]) => [name, pairs.length === 1 ? (pairs[0]?.[1] ?? "") : pairs.map(([, value]) => value)]));
}
