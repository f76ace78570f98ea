import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import type { Static, TSchema } from "typebox";
import { malformed, tooLarge } from "../core/errors.ts";
import { decodeBody } from "./decode-body.ts";
import { brokenOff, memoryOf, piecesOf } from "./form-chunks.ts";
import { withLineFeeds } from "./form-lines.ts";
import { bodyKindOf, parseForm, parseJsonBody, readBody } from "./read-body.ts";
import type { Upload } from "./upload.ts";

/** A page's form whose files are passed on while they arrive. */
export interface UploadForm {
  /** Fields by name: initially those before the first file, all of them after `takeFiles` has resolved. */
  readonly values: ReadonlyMap<string, string>;
  /** The fields received so far, decoded with a schema. @throws ForgeError `invalid` */
  fields<S extends TSchema>(schema: S): Static<S>;
  /**
   * Passes on one file after the other, and reads the form to its end. File fields without a file are ignored. Unread content of a file is
   * discarded.
   * @throws ForgeError `malformed` for a form that is truncated or has more parts than its page; any error of `take`
   */
  takeFiles(take: (upload: Upload) => Promise<void>): Promise<void>;
  /** Discards the unread rest, so that the client receives the response. */
  dismiss(): void;
}

export interface UploadFormLimits {
  readonly maxFiles: number;
  /** Maximum total size of the fields. */
  readonly fieldsBytes: number;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Reads a form (RFC 7578) up to its first file. A form without files may be URL-encoded.
 * @throws ForgeError `malformed` for an invalid or truncated form, `too_large` for fields over the limit
 */
export async function openUploadForm(stream: IncomingMessage, headers: Headers, limits: UploadFormLimits): Promise<UploadForm> {
  const type = String(headers["content-type"] ?? "");
  if (/^multipart\/form-data\s*;/i.test(type)) return openParts(stream, headers as BusboyHeaders, limits);
  const bytes = await readBody(stream, limits.fieldsBytes);
  const values = bodyKindOf(type, "POST", bytes.length) === "form" ? parseForm(bytes) : await parseJsonBody(bytes);
  const texts = Object.entries(values).flatMap(([name, value]): [string, string][] => (typeof value === "string" ? [[name, value]] : []));
  return { ...readerOf(new Map(texts)), takeFiles: async () => {}, dismiss: () => {} };
}

const readerOf = (values: ReadonlyMap<string, string>): Pick<UploadForm, "values" | "fields"> => ({
  values,
  fields: <S extends TSchema>(schema: S) => decodeBody(schema, withLineFeeds(Object.fromEntries(values)), true) as Static<S>,
});

interface Arrival {
  readonly name: string;
  readonly content: Readable;
}

async function openParts(stream: IncomingMessage, headers: BusboyHeaders, limits: UploadFormLimits): Promise<UploadForm> {
  const form = openForm(headers, limits);
  const memory = memoryOf(stream);
  const values = new Map<string, string>();
  /** Several files can begin in one chunk of the body. */
  const arrivals: Arrival[] = [];
  let isEnded = false;
  let failure: Error | undefined;
  let change = Promise.withResolvers<void>();
  const wakeReaders = (): void => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const dismiss = (): void => {
    stream.unpipe(form);
    stream.resume();
  };
  const fail = (error: Error): void => {
    failure ??= error;
    dismiss();
    for (const { content } of arrivals) content.destroy(failure);
    wakeReaders();
  };
  let fieldsBytes = 0;
  form.on("field", (name, value, _isNameCut, isValueCut) => {
    fieldsBytes += name.length + value.length;
    if (isValueCut || fieldsBytes > limits.fieldsBytes) fail(tooLarge(`the fields of the form exceed the limit of ${limits.fieldsBytes} bytes`));
    values.set(name, value);
  });
  form.on("file", (_field, content, name = "") => {
    // The parser signals a truncated file with an error event, which must have a listener.
    content.on("error", () => {});
    if (name === "") content.resume();
    else arrivals.push({ name, content });
    wakeReaders();
  });
  for (const limit of ["filesLimit", "fieldsLimit", "partsLimit"] as const)
    form.once(limit, () => fail(malformed("the form has more parts than this page accepts", { reason: "too_many_files" })));
  form.on("error", (error) => fail(malformed("the form cannot be read", { cause: error })));
  form.once("finish", () => {
    isEnded = true;
    wakeReaders();
  });
  stream.once("error", (error) => fail(brokenOff(error)));
  stream.once("close", () => {
    if (!stream.complete) fail(brokenOff());
  });
  stream.pipe(form);

  /** @returns the next file; undefined after the last one */
  const next = async (): Promise<Arrival | undefined> => {
    while (arrivals.length === 0 && !isEnded && failure === undefined) await change.promise;
    if (failure !== undefined) throw failure;
    return arrivals[0];
  };
  await next();
  return {
    ...readerOf(values),
    dismiss,
    async takeFiles(take) {
      for (let file = await next(); file !== undefined; file = await next()) {
        try {
          await take({ name: file.name, content: piecesOf(file.content, memory) });
        } finally {
          file.content.resume();
          arrivals.shift();
        }
      }
    },
  };
}

function openForm(headers: BusboyHeaders, { maxFiles, fieldsBytes }: UploadFormLimits): BusboyInstance {
  const fields = 2_000;
  const limits = { fields, files: maxFiles, parts: fields + maxFiles, fieldSize: fieldsBytes, headerPairs: 50, headerSize: 16_384 };
  try {
    return new Busboy({ headers, limits });
  } catch (error) {
    throw malformed("the form cannot be read", { cause: error });
  }
}
