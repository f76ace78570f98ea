import { createHash } from "node:crypto";
import type { TSchema } from "typebox";
import { invalid } from "../core/errors.ts";
import { asSchema, isRecord } from "../wire/schema.ts";
import { type Presented, requireFormToken } from "./credentials.ts";
import { absentBody, decodeBody, decodeText } from "./decode-body.ts";
import type { Exchange } from "./exchange.ts";
import { type FormFile, fingerprintOf, parseFilledForm } from "./form-files.ts";
import { withLineFeeds } from "./form-lines.ts";
import { openUploadForm, type UploadForm } from "./form-uploads.ts";
import { bodyKindOf, type ParsedBody, parseForm, parseJsonBody, readBody } from "./read-body.ts";
import type { Route } from "./route.ts";

/** The body of a request, decoded for its route. */
export interface SentBody {
  /** Decoded with the route's schema; undefined for routes without one. */
  readonly body: unknown;
  readonly files: readonly FormFile[];
  readonly form: UploadForm | undefined;
  /** Identical for a repetition of the same request. */
  readonly fingerprint: Buffer;
  /** Identifies a submission of a form that creates a resource, to detect repeated submissions. */
  readonly formKey: { readonly key: string; readonly patienceMs: number } | undefined;
  /** Whether the form is saved as a draft. For a form with uploads this is known after they have been read. */
  isDraft(): boolean;
}

export interface SentTerms {
  readonly presented: Presented;
  readonly search: URLSearchParams;
  readonly limitBytes: number;
}

/** Form field that marks a submission as a draft to be saved. */
const draftField = "_draft";
/** Form field that identifies a form that creates a resource. */
const formKeyField = "_once";
/** A repeated submission waits for the result of the first one. */
const formPatienceMs = 10_000;
const nothing = Buffer.alloc(0);

/**
 * Reads the body of a request, except for bodies that the handler reads.
 * @throws ForgeError `too_large`, `malformed`, `invalid`, `unsupported_media`; `forbidden` for a page's form without the token of its
 * session
 */
export async function readSent(route: Route, exchange: Exchange, terms: SentTerms): Promise<SentBody> {
  if (route.body !== undefined && isRecord(asSchema(route.body))) return readFields(route, route.body, exchange, terms);
  const { request } = exchange;
  const bytes = route.body === undefined ? undefined : await readBody(request, terms.limitBytes);
  const form = route.formUploads > 0 ? await beginForm(route, exchange, terms.limitBytes) : undefined;
  // The token field precedes the files of the form.
  requireFormToken(route, terms.presented, request.headers, form && Object.fromEntries(form.values));
  return {
    body: bytes && decodeText(bytes),
    files: [],
    form,
    fingerprint: bytes ?? nothing,
    formKey: undefined,
    isDraft: () => form?.values.get(draftField) === "true",
  };
}

async function readFields(route: Route, schema: TSchema, { request }: Exchange, { presented, search, limitBytes }: SentTerms): Promise<SentBody> {
  const bytes = await readBody(request, limitBytes);
  if (bytes.length === 0 && route.acceptsNoBody) {
    requireFormToken(route, presented, request.headers);
    return { body: absentBody(schema), files: [], form: undefined, fingerprint: bytes, formKey: undefined, isDraft: () => false };
  }
  const { parsed, files, fingerprint, isAbsent } = await parseFields(route, bytes, request.headers["content-type"]);
  requireFormToken(route, presented, request.headers, parsed.values);
  const isDraft = route.mount === "root" && parsed.values[draftField] === "true";
  return {
    body: decodeFields(
      schema,
      route.isPage ? { ...parsed, values: withLineFeeds(parsed.values) } : parsed,
      route.readsQueryAsBody || isAbsent ? { search, isAlone: bytes.length === 0 } : undefined,
    ),
    files,
    form: undefined,
    fingerprint,
    formKey: readFormKey(route, parsed.values[formKeyField], fingerprint),
    isDraft: () => isDraft,
  };
}

interface ParsedFields extends Pick<SentBody, "files" | "fingerprint"> {
  readonly parsed: ParsedBody;
  /** The request has no body: a PATCH or DELETE then reads its fields from the query. */
  readonly isAbsent: boolean;
}

/**
 * @throws ForgeError `invalid` for a body of an unsupported type, invalid JSON, or a file that the route does not accept; `malformed` for
 * an invalid form; `too_large` for too many fields or values
 */
async function parseFields({ method, formFiles }: Route, bytes: Buffer, contentType: string | undefined): Promise<ParsedFields> {
  const kind = bodyKindOf(contentType, method, bytes.length);
  if (kind !== "multipart") {
    const values = kind === "json" ? await parseJsonBody(bytes) : kind === "form" ? parseForm(bytes) : {};
    return { parsed: { values, isForm: kind === "form" }, files: [], fingerprint: bytes, isAbsent: kind === undefined };
  }
  const filled = await parseFilledForm(bytes, contentType ?? "", formFiles);
  const [file] = filled.files;
  if (file !== undefined && formFiles === 0) throw invalid(`[]: this request does not accept files: remove the file in the field ${file.field}`);
  return { parsed: { values: filled.values, isForm: true }, files: filled.files, fingerprint: fingerprintOf(filled), isAbsent: false };
}

/** An unchanged form that is submitted again creates nothing new. A form changed in the meantime is a new submission. */
function readFormKey(route: Pick<Route, "mount" | "method">, given: unknown, bytes: Buffer): SentBody["formKey"] {
  if (route.mount !== "root" || route.method !== "POST" || typeof given !== "string" || !/^[\w-]{1,64}$/.test(given)) return undefined;
  return { key: `form ${given} ${createHash("sha256").update(bytes).digest("base64url")}`, patienceMs: formPatienceMs };
}

/** A form whose files the handler reads. Unread content is discarded after the response. */
async function beginForm({ formUploads }: Route, { request, response }: Exchange, limitBytes: number): Promise<UploadForm> {
  const form = await openUploadForm(request, request.headers, { maxFiles: formUploads, fieldsBytes: limitBytes });
  response.once("finish", () => form.dismiss());
  return form;
}

/** @param inQuery given where fields may be in the query too, with whether the body is absent */
function decodeFields(schema: TSchema, { values, isForm }: ParsedBody, inQuery?: { readonly search: URLSearchParams; readonly isAlone: boolean }): unknown {
  if (inQuery === undefined) return decodeBody(schema, values, isForm);
  return decodeBody(schema, { ...Object.fromEntries(inQuery.search), ...values }, isForm || inQuery.isAlone);
}
