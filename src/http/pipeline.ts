import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { type Actor, anonymous, isUser } from "../access/actor.ts";
import { basicChallenge, forbidden, invalid, isForgeError, unauthenticated } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { foldName } from "../core/names.ts";
import { type PageLimits, readPage } from "../core/paging.ts";
import type { Urls } from "../core/urls.ts";
import { asSchema, isRecord } from "../wire/schema.ts";
import { acceptCredentials, requireFormToken } from "./accept-credentials.ts";
import { arePieces, type PreparedReply } from "./answers.ts";
import { applySudo, authenticate, checkScope, loadSubjects } from "./authorize.ts";
import { decodeBody } from "./decode-body.ts";
import type { ErrorReply } from "./errors.ts";
import { type FilledForm, type FormFile, fingerprintOf, parseFilledForm } from "./form-files.ts";
import { openUploadForm, type UploadForm } from "./form-uploads.ts";
import type { Idempotency } from "./idempotency.ts";
import { versionPage } from "./page-version.ts";
import type { Drafts, Identities, Subjects } from "./ports.ts";
import type { createProxiedReader, ProxiedPerson } from "./proxied-person.ts";
import { readQuery } from "./query.ts";
import { type ParsedBody, parseBody, readBody } from "./read-body.ts";
import { apiHeaders, prepare, send } from "./replies.ts";
import type { Route } from "./route.ts";
import { ClientGone, sendPieces } from "./send-pieces.ts";
import { formTokenField, readSessionCookie } from "./session-cookie.ts";

export interface HttpOptions {
  readonly urls: Urls;
  readonly pageLimits: PageLimits;
  /** Default largest JSON body. */
  readonly bodyLimitBytes: number;
  /** Anonymous callers may read public things. Else every path needs credentials but those that look at none. */
  readonly allowsAnonymous: boolean;
  /** Addresses whose X-Forwarded-For tells the caller's. */
  readonly trustedProxies: readonly string[];
  /** Whom a reverse proxy has signed in, read from a request's headers and the address at the other end of its connection. */
  readonly readProxied: ReturnType<typeof createProxiedReader>;
}

export interface PipelineDeps {
  readonly identities: Identities;
  readonly subjects: Subjects;
  readonly idempotency: Idempotency;
  readonly drafts: Drafts;
  readonly log: Log;
  readonly options: HttpOptions;
}

/** Made once: what aborts a request carries no story of its own. */
const clientGone = new Error("the client has gone away");

/**
 * From a request to its answer, in the order of the wire: credentials, scope, what the path names and the right on it, query, body, handler.
 * @throws ForgeError or Moved for whoever turns errors into answers
 */
export async function serve(deps: PipelineDeps, route: Route, params: Record<string, string>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { options } = deps;
  const search = searchOf(request.url);
  const presented = acceptCredentials(route, request.headers, search, options.urls);
  const proxied = options.readProxied(request.headers, request.raw.socket.remoteAddress);
  const authenticated = asProxied(await authenticate(route, presented, deps.identities, request.ip), proxied);
  const actor = await applySudo(authenticated, route.ignoresCredentials ? undefined : sudoName(request, search), deps.identities);
  if (presented.kind === "token" && presented.carrier === "query") {
    reply.header(
      "x-gitea-warning",
      "token and access_token API authentication is deprecated and will be removed. Please use the Authorization header instead.",
    );
  }
  if (!options.allowsAnonymous && !isUser(actor) && !route.ignoresCredentials && !route.isOpen) throw signInRequired(route);
  checkScope(route, actor);
  const subjects = await loadSubjects(route, params, actor, deps.subjects);

  const query = readQuery(route.query, search);
  const limits = options.pageLimits;
  const page = readPage(search.get("page") ?? undefined, search.get("limit") ?? undefined, limits);
  let bytes: Buffer | undefined;
  let body: unknown;
  let files: readonly FormFile[] = [];
  let formKey: string | undefined;
  let hasDraft = false;
  if (route.body !== undefined) {
    bytes = await readBody(request.raw, route.bodyLimitBytes ?? options.bodyLimitBytes);
    if (isRecord(asSchema(route.body))) {
      const filled = await readFilledForm(route, bytes, request.headers["content-type"]);
      const parsed = filled === undefined ? parseBody(bytes, request.headers["content-type"], route.method) : { values: filled.values, isForm: true };
      if (filled !== undefined) {
        files = filled.files;
        bytes = fingerprintOf(filled);
      }
      requireFormToken(route, presented, request.headers, parsed.values[formTokenField]);
      hasDraft = route.mount === "root" && parsed.values[draftField] === "true";
      formKey = readFormKey(route, parsed.values[formKeyField], bytes);
      body = decodeFields(route.body, parsed, route.readsQueryAsBody ? { search, isAlone: bytes.length === 0 } : undefined);
    } else body = bytes.toString("utf8");
  }
  const form = route.formUploads > 0 ? await beginForm(deps, route, request, reply) : undefined;
  if (route.body === undefined || !isRecord(asSchema(route.body))) {
    // Its token stands before its files.
    requireFormToken(route, presented, request.headers, form?.values.get(formTokenField));
  }
  const session = readSessionCookie(request.headers, options.urls);
  const departure = watchDeparture(reply);
  const handle = async (): Promise<ErrorReply | PreparedReply> => {
    // No getters here: each would be a closure of its own, which a hidden class keeps, and with it the whole request until the next full collection.
    const result = await (route.handle as (given: unknown) => unknown)({
      ...subjects,
      actor,
      params,
      query,
      body,
      page,
      headers: request.headers,
      files,
      form,
      signal: departure,
      stream: route.streamsBody ? request.raw : undefined,
      url: request.url,
      remoteAddress: request.ip,
      proxied,
      session,
    });
    return prepare(route.answers, result, { origin: options.urls.origin, url: request.url, page });
  };
  const key = request.headers["idempotency-key"];
  const isKeyed = route.method === "POST" && route.mount === "api" && typeof key === "string";
  // Whether a repeat brings the same bytes would be known only when they are taken: who relies on the key is told.
  if (isKeyed && route.streamsBody)
    throw invalid("Idempotency-Key does not work for uploads: leave it out, and look whether the file is there before sending it again");
  const keyed = isKeyed ? { key } : formKey !== undefined ? { key: formKey, patienceMs: formPatienceMs } : undefined;
  const answered =
    keyed !== undefined && isUser(actor)
      ? await deps.idempotency.run({ actor, ...keyed, method: route.method, path: request.url, body: bytes ?? Buffer.alloc(0) }, handle)
      : await handle();
  const isVisitor = presented.kind === "none" && session === undefined && proxied === undefined;
  const prepared = versionPage(answered, { route, isVisitor, ifNoneMatch: request.headers["if-none-match"] });
  hasDraft ||= form?.values.get(draftField) === "true";
  if (hasDraft && isUser(actor) && prepared.status === 303) await deps.drafts.taken(actor, request.url);
  if (route.mount === "api") reply.headers(apiHeaders);
  if (request.method === "HEAD") return sendHead(reply, prepared);
  // The answer has begun: all that is left is to cut the connection, and to say why.
  const noteBreak = (error: unknown): void => {
    // A reader who has gone is no failure of the server's.
    const aborted = error instanceof ClientGone || hasGone(reply);
    deps.log[aborted ? "info" : "error"](
      { err: error, aborted, meta: isForgeError(error) ? error.options.meta : undefined, requestId: request.id, route: route.id },
      "answer broke off",
    );
  };
  const answer = prepared.body;
  if (arePieces(answer)) {
    try {
      await sendPieces(reply, { ...prepared, body: answer });
    } catch (error) {
      if (!reply.raw.headersSent) throw error;
      noteBreak(error);
      reply.raw.destroy();
    }
    return;
  }
  // The framework cuts the connection.
  if (answer instanceof Readable) answer.once("error", noteBreak);
  send(reply, { ...prepared, body: answer });
}

/** The field by which a form says that what it holds is kept as a draft. */
const draftField = "_draft";
/** The field by which a form that makes something says which one it is. */
const formKeyField = "_once";
/** Whoever presses a button twice waits for what the first press makes. */
const formPatienceMs = 10_000;

/** A form that is sent again as it was makes nothing more. One that was changed, by whoever went back to it, is another one. */
function readFormKey(route: Pick<Route, "mount" | "method">, given: unknown, bytes: Buffer): string | undefined {
  if (route.mount !== "root" || route.method !== "POST" || typeof given !== "string" || !/^[\w-]{1,64}$/.test(given)) return undefined;
  return `form ${given} ${createHash("sha256").update(bytes).digest("base64url")}`;
}

/** The fields and files of a form that brings some; undefined for every other body. */
const readFilledForm = async (route: Pick<Route, "formFiles">, bytes: Buffer, contentType = ""): Promise<FilledForm | undefined> =>
  route.formFiles > 0 && /^multipart\/form-data\s*;/i.test(contentType) ? parseFilledForm(bytes, contentType, route.formFiles) : undefined;

/** A form whose handler takes its files; what he leaves of it is let pass behind the answer. */
async function beginForm({ options }: PipelineDeps, route: Route, { raw, headers }: FastifyRequest, reply: FastifyReply): Promise<UploadForm> {
  const form = await openUploadForm(raw, headers, { maxFiles: route.formUploads, fieldsBytes: route.bodyLimitBytes ?? options.bodyLimitBytes });
  reply.raw.once("finish", () => form.dismiss());
  return form;
}

/** What a GET would be answered, but for its body. */
function sendHead(reply: FastifyReply, { status, headers, body }: PreparedReply): void {
  if (body instanceof Readable) body.destroy();
  const sizeBytes = typeof body === "string" || Buffer.isBuffer(body) ? Buffer.byteLength(body) : undefined;
  send(reply, { status, headers: { ...headers, ...(sizeBytes !== undefined && { "content-length": sizeBytes }) }, body: undefined });
}

const noSearch = new URLSearchParams();

function searchOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return at < 0 ? noSearch : new URLSearchParams(url.slice(at + 1));
}

const hasGone = ({ raw }: FastifyReply): boolean => raw.destroyed && !raw.writableFinished;

/** @returns what is aborted when the client goes away before its answer is written */
function watchDeparture(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (hasGone(reply)) controller.abort(clientGone);
  else {
    reply.raw.once("close", () => {
      if (hasGone(reply)) controller.abort(clientGone);
    });
  }
  return controller.signal;
}

/** Who has signed in at the proxy counts: a session that somebody else has left in the browser is nobody's. */
export const asProxied = (actor: Actor, proxied: ProxiedPerson | undefined): Actor =>
  isUser(actor) && actor.credential.kind === "session" && proxied !== undefined && foldName(proxied.name) !== foldName(actor.name) ? anonymous : actor;

/** Programs are told so, git clients and browsers are asked for credentials. */
const signInRequired = (route: Route) =>
  route.isPage
    ? unauthenticated("Sign in to see this page.")
    : route.mount === "api"
      ? forbidden("Only signed in user is allowed to call APIs.", { body: "message" })
      : unauthenticated("Unauthorized", { challenge: basicChallenge });

/** @param inQuery where fields may stand in the query too, and whether there is no body beside it */
function decodeFields(schema: TSchema, { values, isForm }: ParsedBody, inQuery?: { readonly search: URLSearchParams; readonly isAlone: boolean }): unknown {
  if (inQuery === undefined) return decodeBody(schema, values, isForm);
  return decodeBody(schema, { ...Object.fromEntries(inQuery.search), ...values }, isForm || inQuery.isAlone);
}

function sudoName(request: FastifyRequest, search: URLSearchParams): string | undefined {
  const header = request.headers.sudo;
  return (typeof header === "string" ? header : undefined) ?? search.get("sudo") ?? undefined;
}
