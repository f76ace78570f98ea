import type { IncomingMessage } from "node:http";
import { type Duplex, Readable } from "node:stream";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { isUser } from "../access/actor.ts";
import { forbidden, isForgeError, notFound } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { type Page, type PageLimits, readPage } from "../core/paging.ts";
import type { Urls } from "../core/urls.ts";
import { asSchema, isRecord } from "../wire/schema.ts";
import type { Answers, RawReply } from "./answers.ts";
import { applySudo, authenticate, checkScope, loadSubjects, Moved } from "./authorize.ts";
import { type Presented, readCredentials } from "./credentials.ts";
import { decodeBody } from "./decode-body.ts";
import { apiError, type ErrorReply, textError } from "./errors.ts";
import type { Idempotency } from "./idempotency.ts";
import { linkHeader } from "./link-header.ts";
import type { HttpMetrics } from "./metrics.ts";
import { type PageHeader, pageHeaderValues } from "./page-headers.ts";
import { type CompiledPath, compilePath, hasClimbingSegment } from "./paths.ts";
import type { Identities, Subjects } from "./ports.ts";
import { readQuery } from "./query.ts";
import { parseBody, readBody } from "./read-body.ts";
import type { Route } from "./route.ts";

export interface HttpOptions {
  readonly urls: Urls;
  readonly pageLimits: PageLimits;
  /** Default largest JSON body. */
  readonly bodyLimitBytes: number;
  /** Anonymous callers may read public things. Else every API path needs credentials. */
  readonly allowsAnonymous: boolean;
  /** Addresses whose X-Forwarded-For tells the caller's. */
  readonly trustedProxies: readonly string[];
}

export interface HttpDeps {
  readonly routes: readonly Route[];
  readonly identities: Identities;
  readonly subjects: Subjects;
  readonly idempotency: Idempotency;
  readonly metrics: HttpMetrics;
  readonly log: Log;
  readonly options: HttpOptions;
}

const apiPrefix = "/api/v1";

/** Headers of every API answer, and no others (wire facts 1.1). */
const apiHeaders = { "cache-control": "max-age=0, private, must-revalidate, no-transform", "x-content-type-options": "nosniff" };
const jsonType = "application/json;charset=utf-8";

/** Made once: what aborts a request carries no story of its own. */
const clientGone = new Error("the client has gone away");

interface Served {
  readonly route: Route;
  readonly path: CompiledPath;
}

/**
 * Makes the server of the routes. Nothing listens yet; `inject` serves without a socket.
 * @throws Error when a route lacks access or scope, or two routes share a method and path
 */
export function createHttpServer(deps: HttpDeps): FastifyInstance {
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    trustProxy: deps.options.trustedProxies.length === 0 ? false : [...deps.options.trustedProxies],
    // Bodies are read by the kit, after the caller's right is known; these bound the socket.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    // No route has a schema of fastify's: without these, every start would load its compilers.
    schemaController: { compilersFactory: { buildValidator: () => refuseSchema, buildSerializer: () => refuseSchema } },
    requestTimeout: 0,
    keepAliveTimeout: 75_000,
    http: { headersTimeout: 60_000, maxHeaderSize: 32_768 },
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 8_192,
      onBadUrl: (_path: string, _request: IncomingMessage, response: unknown) => refuseBadUrl(response),
    },
    clientErrorHandler: (_error: Error, socket: Duplex) => {
      if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      else socket.destroy();
    },
  } as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));

  const served = deps.routes.flatMap((route) => {
    assertDeclared(route);
    const prefix = route.mount === "api" ? apiPrefix : "";
    return [route.path, ...route.aliases].map((path): Served => ({ route, path: compilePath(prefix + path) }));
  });
  for (const group of groupByRouterPath(served).values()) {
    const [first] = group as [Served];
    app.route({ method: first.route.method, url: first.path.routerPath, handler: (request, reply) => dispatch(deps, group, request, reply) });
  }

  app.setNotFoundHandler((request, reply) => answerUnknown(served, request, reply));
  app.setErrorHandler((error, request, reply) => {
    deps.log.error({ err: error, requestId: request.id }, "request failed outside a route");
    send(reply, textError(error));
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = (request as Marked).servedRoute;
    deps.metrics.observe(route?.id ?? "unknown", reply.statusCode, reply.elapsedTime);
    // The path only: a query can carry a token.
    deps.log.info(
      {
        requestId: request.id,
        method: request.method,
        path: request.url.split("?", 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        route: route?.id,
      },
      "request",
    );
    done();
  });
  return app;
}

function refuseSchema(): never {
  throw new Error("a route declares its schemas to the kit");
}

type Marked = FastifyRequest & { servedRoute?: Route };

function assertDeclared(route: Route): void {
  if (route.access === undefined || route.scope === undefined) {
    throw new Error(`route ${route.id} (${route.method} ${route.path}) declares no access or no scope: declare both`);
  }
}

function groupByRouterPath(served: readonly Served[]): Map<string, Served[]> {
  const groups = new Map<string, Served[]>();
  for (const one of served) {
    // Parameter names do not tell paths apart for the router.
    const key = `${one.route.method} ${one.path.routerPath.replace(/:\w+/g, ":")}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else if (one.path.rest === undefined) throw new Error(`routes ${group[0]?.route.id} and ${one.route.id} share ${key}`);
    else group.push(one);
  }
  for (const group of groups.values()) group.sort((a, b) => b.path.suffixLength - a.path.suffixLength);
  return groups;
}

function refuseBadUrl(response: unknown): void {
  const raw = response as { writeHead(status: number, headers: object): { end(text: string): void } };
  raw.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("404 page not found\n");
}

/** Unknown path: 404 as plain text. Known path, other method: 405 with `Allow` and no body. */
function answerUnknown(served: readonly Served[], request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split("?", 1)[0] ?? "";
  const methods = new Set(served.filter((one) => one.path.pattern.test(path)).map((one) => one.route.method));
  if (methods.size > 0 && path.startsWith(apiPrefix) && !hasClimbingSegment(path)) {
    reply
      .code(405)
      .header("allow", [...methods].join(", "))
      .send();
    return;
  }
  const text = path === apiPrefix || path.startsWith(`${apiPrefix}/`) ? "404 page not found\n" : "Not found.\n";
  reply.code(404).header("content-type", "text/plain; charset=utf-8").header("x-content-type-options", "nosniff").send(text);
}

/** @returns the reply, which tells the framework that it is being sent: a stream is not there yet when this resolves */
async function dispatch(deps: HttpDeps, group: readonly Served[], request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const rawPath = request.url.split("?", 1)[0] ?? "";
  const params = { ...(request.params as Record<string, string>) };
  let chosen: Served | undefined = group[0];
  if (chosen?.path.rest !== undefined) {
    const text = (params["*"] ?? "").replace(/\/{2,}/g, "/").replace(/^\/|\/$/g, "");
    delete params["*"];
    chosen = undefined;
    for (const one of group) {
      const match = one.path.rest?.exec(text);
      if (match === null || match === undefined) continue;
      chosen = one;
      for (const [index, name] of one.path.restNames.entries()) params[name] = match[index + 1] ?? "";
      break;
    }
  }
  // No name of anything holds a NUL, and no store could look one up.
  if (chosen === undefined || hasClimbingSegment(rawPath) || Object.values(params).some((value) => value.includes("\0"))) {
    return reply.code(404).header("content-type", "text/plain; charset=utf-8").send("404 page not found\n");
  }
  (request as Marked).servedRoute = chosen.route;
  try {
    await serve(deps, chosen.route, params, request, reply);
  } catch (error) {
    answerError(deps, chosen.route, error, request, reply);
  }
  return reply;
}

async function serve(deps: HttpDeps, route: Route, params: Record<string, string>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { options } = deps;
  const search = new URLSearchParams(request.url.split("?", 2)[1] ?? "");
  const presented: Presented = route.ignoresCredentials ? { kind: "none" } : readCredentials(request.headers, search);
  const authenticated = await authenticate(presented, deps.identities, request.ip);
  const actor = await applySudo(authenticated, route.ignoresCredentials ? undefined : sudoName(request, search), deps.identities);
  if (presented.kind === "token" && presented.carrier === "query") {
    reply.header(
      "x-gitea-warning",
      "token and access_token API authentication is deprecated and will be removed. Please use the Authorization header instead.",
    );
  }
  if (!options.allowsAnonymous && !isUser(actor) && route.mount === "api") {
    throw forbidden("Only signed in user is allowed to call APIs.", { body: "message" });
  }
  checkScope(route, actor);
  const subjects = await loadSubjects(route, params, actor, deps.subjects);

  const query = readQuery(route.query, search);
  const limits = options.pageLimits;
  const page = readPage(search.get("page") ?? undefined, search.get("limit") ?? undefined, limits);
  let bytes: Buffer | undefined;
  let body: unknown;
  if (route.body !== undefined) {
    bytes = await readBody(request.raw, route.bodyLimitBytes ?? options.bodyLimitBytes);
    const inQuery = route.readsQueryAsBody ? search : undefined;
    body = isRecord(asSchema(route.body)) ? decodeFields(route.body, bytes, request.headers["content-type"], inQuery) : bytes.toString("utf8");
  }
  const abort = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) abort.abort(clientGone);
  });
  const handle = async (): Promise<ErrorReply | PreparedReply> => {
    const result = await (route.handle as (given: unknown) => unknown)({
      ...subjects,
      actor,
      params,
      query,
      body,
      page,
      headers: request.headers,
      signal: abort.signal,
      stream: route.streamsBody ? request.raw : undefined,
      url: request.url,
    });
    return prepare(route.answers, result, { origin: options.urls.origin, url: request.url, page });
  };
  const key = request.headers["idempotency-key"];
  const prepared =
    route.method === "POST" && typeof key === "string" && isUser(actor) && !route.streamsBody
      ? await deps.idempotency.run({ actor, key, method: route.method, path: request.url, body: bytes ?? Buffer.alloc(0) }, handle)
      : await handle();
  if (route.mount === "api") reply.headers(apiHeaders);
  if (prepared.body instanceof Readable) {
    // The answer has begun: all that is left is to cut the connection, which the framework does, and to say why.
    prepared.body.once("error", (error: Error) => {
      deps.log.error(
        { err: error, aborted: abort.signal.aborted, meta: isForgeError(error) ? error.options.meta : undefined, requestId: request.id, route: route.id },
        "answer broke off",
      );
    });
  }
  send(reply, prepared);
}

function decodeFields(schema: TSchema, bytes: Buffer, contentType: string | undefined, search?: URLSearchParams): unknown {
  const { values, isForm } = parseBody(bytes, contentType);
  if (search === undefined) return decodeBody(schema, values, isForm);
  return decodeBody(schema, { ...Object.fromEntries(search), ...values }, isForm || bytes.length === 0);
}

function sudoName(request: FastifyRequest, search: URLSearchParams): string | undefined {
  const header = request.headers.sudo;
  return (typeof header === "string" ? header : undefined) ?? search.get("sudo") ?? undefined;
}

export interface PreparedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: RawReply["body"] | undefined;
}

/** Turns what a handler returned into a response, by what its route declares. */
function prepare(answers: Answers, result: unknown, at: ListPlace): PreparedReply {
  switch (answers.kind) {
    case "empty":
      return { status: answers.status, headers: {}, body: undefined };
    case "json":
      return jsonReply(answers.status, result);
    case "variant": {
      const { status, body } = result as { status: number; body: unknown };
      return jsonReply(status, body);
    }
    case "raw": {
      const { status, headers = {}, body } = result as RawReply;
      return { status, headers, body };
    }
    case "list": {
      if (result === null) return jsonReply(200, null);
      const { items, total } = result as { items: readonly unknown[]; total: number };
      return answers.paging === "none"
        ? jsonReply(200, items)
        : withPaging(jsonReply(200, items), { paging: answers.paging, pageHeaders: answers.pageHeaders }, total, at);
    }
    case "envelope": {
      const { body, total } = result as { body: unknown; total: number };
      return withPaging(jsonReply(200, body), { paging: answers.paging }, total, at);
    }
  }
}

interface ListPlace {
  readonly origin: string;
  readonly url: string;
  readonly page: Page;
}

interface Paging {
  readonly paging: "links" | "total" | "own";
  readonly pageHeaders?: readonly PageHeader[];
}

function withPaging(reply: PreparedReply, { paging, pageHeaders = [] }: Paging, total: number, at: ListPlace): PreparedReply {
  const link = paging === "links" ? linkHeader(at.origin, at.url, at.page, total) : undefined;
  return {
    ...reply,
    headers: {
      ...reply.headers,
      "x-total-count": total,
      ...(link !== undefined && { link }),
      ...pageHeaderValues(pageHeaders, at.page, total),
      "access-control-expose-headers": [...(link === undefined ? [] : ["Link"]), "X-Total-Count", ...pageHeaders].join(", "),
    },
  };
}

const jsonReply = (status: number, value: unknown): PreparedReply => ({ status, headers: { "content-type": jsonType }, body: `${JSON.stringify(value)}\n` });

function send(reply: FastifyReply, { status, headers, body }: PreparedReply | ErrorReply): void {
  reply.code(status).headers(headers);
  if (status === 413) reply.header("connection", "close");
  reply.send(body);
}

function answerError(deps: HttpDeps, route: Route, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent || reply.raw.headersSent) {
    deps.log.error({ err: error, requestId: request.id, route: route.id }, "answer broke off");
    reply.raw.destroy();
    return;
  }
  if (error instanceof Moved) {
    reply.code(error.status).header("location", movedLocation(request.url, error)).send();
    return;
  }
  if (!isForgeError(error)) deps.log.error({ err: error, requestId: request.id, route: route.id }, "request failed");
  else if (error.options.cause !== undefined || error.code === "unavailable") {
    deps.log.warn({ err: error.options.cause ?? error, code: error.code, meta: error.options.meta, requestId: request.id, route: route.id }, error.message);
  }
  if (route.mount === "root") {
    send(reply, textError(error));
    return;
  }
  reply.headers(apiHeaders);
  const answer = apiError(error, `${deps.options.urls.origin}/api/swagger`);
  if (answer.body !== undefined) reply.header("content-type", jsonType);
  send(reply, answer);
}

/** The same address with the thing's present name in place of its former one. */
function movedLocation(url: string, moved: Moved): string {
  const former = moved.from.split("/").map(encodeURIComponent).join("/");
  const index = url.toLowerCase().indexOf(`/${former.toLowerCase()}`);
  if (index < 0) throw notFound();
  const rest = url.slice(index + 1 + former.length);
  return `${url.slice(0, index + 1)}${moved.to}${rest}`;
}
