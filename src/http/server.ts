import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { isForgeError, notFound } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { Moved } from "./authorize.ts";
import { answerPageError, sendErrorPage } from "./error-pages.ts";
import { apiError, textError } from "./errors.ts";
import { answerGoGet } from "./go-get.ts";
import type { HttpMetrics } from "./metrics.ts";
import { hasClimbingSegment } from "./paths.ts";
import { type PipelineDeps, serve } from "./pipeline.ts";
import type { ErrorPages } from "./ports.ts";
import { apiHeaders, jsonType, send } from "./replies.ts";
import type { Route } from "./route.ts";
import { createRouter, type Router } from "./router.ts";

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
    // Names one request in the log and on the page of its refusal, whenever the server began, and tells nobody how many there were.
    genReqId: () => randomUUID().slice(0, 13),
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

  endIdleConnections(app);
  answerGoGet(app, deps.options.urls);
  const served = deps.routes.flatMap((route) => {
    assertDeclared(route);
    const prefix = route.mount === "api" ? apiPrefix : "";
    return [route.path, ...route.aliases].map((path): Served => ({ route, template: prefix + path }));
  });
  const router = createRouter(served.map((one) => ({ method: one.route.method, path: one.template, value: one })));
  // Paths are told apart here: hundreds of routes of the framework's would cost every start a sixth of its time.
  const methods = [...new Set(["HEAD", ...served.map(({ route }) => route.method)])];
  // Whatever its type, a body waits for the kit: looking for a parser costs the framework a context of its own for each request.
  for (const method of methods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  app.route({ method: methods, url: "*", handler: (request, reply) => dispatch(deps, router, request, reply) });
  app.setNotFoundHandler((request, reply) => answerUnknown(deps, router, request, reply));
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

const nothingHere = "404 page not found\n";

function refuseBadUrl(response: unknown): void {
  const raw = response as { writeHead(status: number, headers: object): { end(text: string): void } };
  raw.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end(nothingHere);
}

/** Unknown path: 404, as a page for browsers, else as plain text. Known path, other method: 405 with `Allow` and no body. */
async function answerUnknown(deps: HttpDeps, router: Router<Served>, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = pathOf(request.url);
  const methods = path.startsWith(apiPrefix) && !hasClimbingSegment(path) ? router.methodsOf(path) : [];
  if (methods.length > 0) {
    return reply.code(405).header("allow", methods.join(", ")).send();
  }
  const isApi = path === apiPrefix || path.startsWith(`${apiPrefix}/`);
  if (!isApi && request.method === "GET" && request.headers.accept?.includes("text/html") === true) {
    await sendErrorPage(deps, textError(notFound()), request, reply);
    return reply;
  }
  const text = isApi ? nothingHere : "Not found.\n";
  return reply.code(404).header("content-type", "text/plain; charset=utf-8").header("x-content-type-options", "nosniff").send(text);
}

const idleSweepMs = 50;

/** The framework ends connections that are idle when it begins to close. One that is used then would be waited for until its client has no use for it. */
function endIdleConnections(app: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined;
  app.addHook("preClose", (done) => {
    timer = setInterval(() => app.server.closeIdleConnections(), idleSweepMs);
    done();
  });
  app.addHook("onClose", (_app, done) => {
    clearInterval(timer);
    done();
  });
}

/** @returns the reply, which tells the framework that it is being sent: a stream is not there yet when this resolves */
async function dispatch(deps: HttpDeps, router: Router<Served>, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = pathOf(request.url);
  const found = findRoute(router, request.method, path);
  if (found === undefined) return answerUnknown(deps, router, request, reply);
  const { value: chosen, params } = found;
  // No name of anything holds a NUL, and no store could look one up.
  if (hasClimbingSegment(path) || Object.values(params).some((value) => value.includes("\0"))) {
    return reply.code(404).header("content-type", "text/plain; charset=utf-8").send(nothingHere);
  }
  (request as Marked).servedRoute = chosen.route;
  try {
    await serve(deps, chosen.route, params, request, reply);
  } catch (error) {
    await answerError(deps, chosen, error, request, reply);
  }
  return reply;
}

/** Pages and files answer HEAD as they answer GET; the interface does where it says so. */
function findRoute(router: Router<Served>, method: string, path: string): ReturnType<Router<Served>["find"]> {
  const found = router.find(method, path);
  if (found !== undefined || method !== "HEAD") return found;
  const got = router.find("GET", path);
  return got?.value.route.mount === "root" ? got : undefined;
}

/** The path of a request's target, which has a scheme and a host in front of it when a proxy was meant. */
function pathOf(url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  return path.startsWith("/") ? path : path.replace(/^[a-z]+:\/\/[^/]*/i, "") || "/";
}

async function answerError(deps: HttpDeps, { route, template }: Served, error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
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
    await answerPageError(deps, error, request, reply);
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
