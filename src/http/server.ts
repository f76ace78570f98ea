import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { isForgeError, notFound } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { Moved } from "./authorize.ts";
import { apiError, type ErrorReply, textError } from "./errors.ts";
import { answerGoGet } from "./go-get.ts";
import type { HttpMetrics } from "./metrics.ts";
import { acceptedLanguages } from "./page-reader.ts";
import { type CompiledPath, compilePath, hasClimbingSegment } from "./paths.ts";
import { type PipelineDeps, serve } from "./pipeline.ts";
import type { ErrorPages } from "./ports.ts";
import { apiHeaders, jsonType, send } from "./replies.ts";
import type { Route } from "./route.ts";

export interface HttpDeps extends PipelineDeps {
  readonly routes: readonly Route[];
  readonly metrics: HttpMetrics;
  readonly errorPages: ErrorPages;
  /** Takes one line for each request. */
  readonly requestLog: Log;
}

const apiPrefix = "/api/v1";

interface Served {
  readonly route: Route;
  readonly path: CompiledPath;
  /** The path as declared, from the root. */
  readonly template: string;
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

  answerGoGet(app, deps.options.urls);
  const served = deps.routes.flatMap((route) => {
    assertDeclared(route);
    const prefix = route.mount === "api" ? apiPrefix : "";
    return [route.path, ...route.aliases].map((path): Served => ({ route, path: compilePath(prefix + path), template: prefix + path }));
  });
  for (const group of groupByRouterPath(served).values()) {
    const [first] = group as [Served];
    app.route({ method: first.route.method, url: first.path.routerPath, handler: (request, reply) => dispatch(deps, group, request, reply) });
  }

  app.setNotFoundHandler((request, reply) => answerUnknown(deps, served, request, reply));
  app.setErrorHandler((error, request, reply) => {
    // A client may go away before its answer begins.
    if (request.raw.socket.destroyed) deps.log.info({ err: error, requestId: request.id }, "nobody waits for the answer");
    else deps.log.error({ err: error, requestId: request.id }, "request failed outside a route");
    send(reply, textError(error));
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = (request as Marked).servedRoute;
    deps.metrics.observe(route?.id ?? "unknown", reply.statusCode, reply.elapsedTime);
    // The path only: a query can carry a token.
    deps.requestLog.info(
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

/** Unknown path: 404, as a page for browsers, else as plain text. Known path, other method: 405 with `Allow` and no body. */
function answerUnknown(deps: Pick<HttpDeps, "errorPages">, served: readonly Served[], request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split("?", 1)[0] ?? "";
  const methods = new Set(served.filter((one) => one.path.pattern.test(path)).map((one) => one.route.method));
  if (methods.size > 0 && path.startsWith(apiPrefix) && !hasClimbingSegment(path)) {
    reply
      .code(405)
      .header("allow", [...methods].join(", "))
      .send();
    return;
  }
  const isApi = path === apiPrefix || path.startsWith(`${apiPrefix}/`);
  if (!isApi && request.method === "GET" && request.headers.accept?.includes("text/html") === true) {
    sendErrorPage(deps, textError(notFound()), request, reply);
    return;
  }
  const text = isApi ? "404 page not found\n" : "Not found.\n";
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
    answerError(deps, chosen, error, request, reply);
  }
  return reply;
}

function answerError(deps: HttpDeps, { route, template }: Served, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent || reply.raw.headersSent) {
    deps.log.error({ err: error, requestId: request.id, route: route.id }, "answer broke off");
    reply.raw.destroy();
    return;
  }
  if (error instanceof Moved) {
    reply
      .code(error.status)
      .header("location", movedLocation(request.url, template, error))
      .send();
    return;
  }
  if (!isForgeError(error)) deps.log.error({ err: error, requestId: request.id, route: route.id }, "request failed");
  else if (error.options.cause !== undefined || error.code === "unavailable") {
    deps.log.warn({ err: error.options.cause ?? error, code: error.code, meta: error.options.meta, requestId: request.id, route: route.id }, error.message);
  }
  if (route.isPage) {
    answerPageError(deps, error, request, reply);
    return;
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

/** Where people sign in; what they wanted to see follows in the query. */
const signInPath = "/user/login";

function answerPageError(deps: HttpDeps, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (isForgeError(error, "unauthenticated")) {
    const wanted = request.method === "GET" ? `?redirect_to=${encodeURIComponent(request.url)}` : "";
    send(reply, { status: 303, headers: { location: signInPath + wanted, "cache-control": "no-store" }, body: undefined });
    return;
  }
  sendErrorPage(deps, textError(error), request, reply);
}

function sendErrorPage(deps: Pick<HttpDeps, "errorPages">, { status, headers, body }: ErrorReply, request: FastifyRequest, reply: FastifyReply): void {
  const languages = acceptedLanguages(request.headers["accept-language"]);
  const page = deps.errorPages.refusal({ status, message: body?.trim() ?? "", requestId: request.id, languages });
  send(reply, { status, headers: { ...headers, ...page.headers }, body: page.body });
}

/** The same address with the thing's present name in place of its former one. Names stand before any rest parameter, so the segments agree. */
function movedLocation(url: string, template: string, { parameters }: Moved): string {
  const [path = "", search] = url.split("?", 2);
  const declared = template.split("/");
  const segments = path.split("/").map((segment, index) => {
    // What follows a parameter within its segment (`{username}.keys`) stays.
    const [, parameter = "", suffix = ""] = /^\{(\w+)\}(.*)$/.exec(declared[index] ?? "") ?? [];
    const name = parameters[parameter];
    return name === undefined ? segment : encodeURIComponent(name) + suffix;
  });
  return segments.join("/") + (search === undefined ? "" : `?${search}`);
}
