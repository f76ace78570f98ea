import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { releasing } from "../core/detach-buffer.ts";
import { malformed, tooLarge } from "../core/errors.ts";
import { brokenOff, memoryOf, piecesOf } from "./form-chunks.ts";

/** A file that is being received. */
export interface Upload {
  /** File name from the client, without folders; empty if the client sends none. */
  readonly name: string;
  /** Each chunk is valid until the next one is requested. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface UploadOptions {
  /** The form field that contains the file. */
  readonly field: string;
  readonly maxBytes: number;
}

/** Maximum size of a form apart from its file. */
const formBytes = 1_048_576;
const formLimits = { files: 10, fields: 100, parts: 110, fieldSize: 65_536, headerPairs: 50, headerSize: 16_384 };

/**
 * Passes on the file of a request while it arrives: the file in a form field (RFC 7578), or the raw body for `application/octet-stream`.
 * @param take reads the content; its result only counts when this function resolves, because the rest of the form may be invalid
 * @throws ForgeError `malformed` for a body without the file, a truncated one, or another type; `too_large` before reading, by the
 * declared length; any error of `take`
 */
export async function receiveUpload<T>(
  request: { readonly stream: IncomingMessage | undefined; readonly headers: Readonly<Record<string, string | string[] | undefined>> },
  { field, maxBytes }: UploadOptions,
  take: (upload: Upload) => Promise<T>,
): Promise<T> {
  const { stream, headers } = request;
  if (stream === undefined) throw new Error("a route that accepts files declares `uploads`");
  if (Number(headers["content-length"] ?? 0) > maxBytes + formBytes) throw tooLarge(`the file exceeds the limit of ${maxBytes} bytes`);
  const type = String(headers["content-type"] ?? "")
    .split(";", 1)[0]
    ?.trim()
    .toLowerCase();
  if (type === "application/octet-stream") return letPass(stream, take({ name: "", content: chunksOf(stream) }));
  if (type !== "multipart/form-data")
    throw malformed(`send the file in the field ${field} of a multipart/form-data form, or as the raw body with the type application/octet-stream`);
  return letPass(stream, readForm(stream, headers as BusboyHeaders, field, take));
}

/** Discards the unread rest of a rejected body: some clients read the response only after sending it. */
async function letPass<T>(stream: IncomingMessage, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    stream.resume();
    throw error;
  }
}

/** Why a file has no end. */
/** The raw body. A reader that stops early leaves the connection open for the response. */
async function* chunksOf(stream: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* releasing<Uint8Array>(stream.iterator({ destroyOnReturn: false }));
  } catch (error) {
    throw brokenOff(error);
  }
}

function readForm<T>(stream: IncomingMessage, headers: BusboyHeaders, field: string, take: (upload: Upload) => Promise<T>): Promise<T> {
  const form = openForm(headers);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let taken: Promise<T> | undefined;
  let file: Readable | undefined;
  const memory = memoryOf(stream);
  const fail = (error: unknown): void => {
    stream.unpipe(form);
    file?.destroy(error instanceof Error ? error : undefined);
    reject(error);
  };
  form.on("file", (name, content, filename) => {
    // The parser signals a truncated file with an error event, which must have a listener.
    content.on("error", () => {});
    if (name !== field || taken !== undefined) {
      content.resume();
      return;
    }
    file = content;
    taken = take({ name: filename ?? "", content: piecesOf(content, memory) });
    taken.catch(fail);
  });
  form.on("error", (error) => fail(malformed("the form cannot be read", { cause: error })));
  form.once("finish", () => (taken === undefined ? fail(malformed(`the form has no file in its field ${field}`)) : taken.then(resolve, fail)));
  stream.once("error", (error) => fail(brokenOff(error)));
  stream.once("close", () => {
    if (!stream.complete) fail(brokenOff());
  });
  stream.pipe(form);
  return promise;
}

function openForm(headers: BusboyHeaders): BusboyInstance {
  try {
    return new Busboy({ headers, limits: formLimits });
  } catch (error) {
    throw malformed("the form cannot be read", { cause: error });
  }
}
