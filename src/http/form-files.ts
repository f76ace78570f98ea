import { createHash } from "node:crypto";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { malformed } from "../core/errors.ts";

/** A file submitted with a form. */
export interface FormFile {
  /** Name of the form field. */
  readonly field: string;
  /** File name as sent by the browser, without folders. */
  readonly name: string;
  readonly content: Buffer;
}

/** A form with files, submitted as `multipart/form-data`. */
export interface FilledForm {
  /** A repeated field has a list of its values. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  readonly files: readonly FormFile[];
}

const fieldLimits = { fields: 100, headerPairs: 50, headerSize: 16_384 };

/**
 * Parses a form with files (RFC 7578). The body is in memory, so the route's `bodyLimitBytes` limits it. File fields without a file are
 * ignored.
 * @throws ForgeError `malformed` for an invalid or truncated form, or one with more parts than its page has
 */
export function parseFilledForm(bytes: Buffer, contentType: string, maxFiles: number): Promise<FilledForm> {
  const { promise, resolve, reject } = Promise.withResolvers<FilledForm>();
  const unreadable = (cause?: unknown): void => reject(malformed("the form cannot be read", { cause }));
  const values = new Map<string, string | readonly string[]>();
  const files: FormFile[] = [];
  const form = openForm(bytes, contentType, maxFiles);
  form.on("field", (name, value) => {
    const before = values.get(name);
    values.set(name, before === undefined ? value : [...[before].flat(), value]);
  });
  form.on("file", (field, stream, name = "") => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", unreadable);
    stream.on("end", () => {
      if (name !== "") files.push({ field, name, content: Buffer.concat(chunks) });
    });
  });
  for (const limit of ["filesLimit", "fieldsLimit", "partsLimit"] as const)
    form.on(limit, () => reject(malformed("the form has more parts than this page accepts", { reason: "too_many_files" })));
  form.once("error", unreadable);
  form.once("finish", () => resolve({ values: Object.fromEntries(values), files }));
  form.end(bytes);
  return promise;
}

function openForm(bytes: Buffer, contentType: string, maxFiles: number): BusboyInstance {
  const headers: BusboyHeaders = { "content-type": contentType };
  try {
    // An empty file field is a part as well.
    return new Busboy({ headers, limits: { ...fieldLimits, fieldSize: bytes.length, files: maxFiles + 1, parts: fieldLimits.fields + maxFiles + 1 } });
  } catch (error) {
    throw malformed("the form cannot be read", { cause: error });
  }
}

/** Fingerprint of the submitted values, without the boundary, which the browser generates for each submission. */
export function fingerprintOf({ values, files }: FilledForm): Buffer {
  const hash = createHash("sha256").update(JSON.stringify(values));
  for (const { field, name, content } of files) hash.update(JSON.stringify([field, name, content.length])).update(content);
  return hash.digest();
}
