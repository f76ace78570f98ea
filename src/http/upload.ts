import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { releasing } from "../core/detach-buffer.ts";
import { malformed, tooLarge } from "../core/errors.ts";
import { brokenOff, memoryOf, piecesOf } from "./form-chunks.ts";

/** A file while it comes. */
export interface Upload {
  /** As the client tells it, without folders; empty where it tells none. */
  readonly name: string;
  /** Each chunk is good until the next one is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface UploadOptions {
  /** The field of a form that holds the file. */
  readonly field: string;
  readonly maxBytes: number;
}

/** What a form has beside its file. */
const formBytes = 1_048_576;
const formLimits = { files: 10, fields: 100, parts: 110, fieldSize: 65_536, headerPairs: 50, headerSize: 16_384 };

/**
 * Hands on the file of a request while it comes: the one in a form's field (RFC 7578), or the body itself where it is `application/octet-stream`.
 * @param take reads the content; what it has made counts only when this function resolves, for the rest of the form may be none
 * @throws ForgeError `malformed` for a body without the file, one that breaks off or is none of the two; `too_large` early, by what the request declares;
 *   whatever `take` throws
 */
export async function receiveUpload<T>(
  request: { readonly stream: IncomingMessage | undefined; readonly headers: Readonly<Record<string, string | string[] | undefined>> },
  { field, maxBytes }: UploadOptions,
  take: (upload: Upload) => Promise<T>,
): Promise<T> {
  const { stream, headers } = request;
  if (stream === undefined) throw new Error("a route that takes files declares `uploads`");
  if (Number(headers["content-length"] ?? 0) > maxBytes + formBytes) throw tooLarge(`the file is larger than the ${maxBytes} bytes taken here`);
  const type = String(headers["content-type"] ?? "")
    .split(";", 1)[0]
    ?.trim()
    .toLowerCase();
  if (type === "application/octet-stream") return letPass(stream, take({ name: "", content: chunksOf(stream) }));
  if (type !== "multipart/form-data") throw malformed(`a file comes in the field ${field} of a multipart/form-data form, or alone as application/octet-stream`);
  return letPass(stream, readForm(stream, headers as BusboyHeaders, field, take));
}

/** What nobody reads of a refused body is let pass: its sender hears the answer only behind it. */
async function letPass<T>(stream: IncomingMessage, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    stream.resume();
    throw error;
  }
}

/** Why a file has no end. */
/** The body itself. A reader that leaves it early leaves the connection open for the answer. */
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
    // The parser tells a file of its end by an error, whether somebody listens or not.
    content.on("error", () => {});
    if (name !== field || taken !== undefined) {
      content.resume();
      return;
    }
    file = content;
    taken = take({ name: filename ?? "", content: piecesOf(content, memory) });
    taken.catch(fail);
  });
  form.once("error", (error) => fail(malformed("the form cannot be read", { cause: error })));
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
