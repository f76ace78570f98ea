import type { IncomingMessage, ServerResponse } from "node:http";
import { isForgeError, notFound } from "../core/errors.ts";
import { Moved } from "./authorize.ts";
import { type BodyPaces, defaultBodyPaces, keepBodyPace } from "./body-pace.ts";
import { maxParameterLength } from "./description-parameters.ts";
import { acceptsPages, answerPageError, sendErrorPage } from "./error-pages.ts";
import { apiError, textError } from "./errors.ts";
import { type Exchange, hasGone, openExchange, send } from "./exchange.ts";
import { goGetReply } from "./go-get.ts";
import { type Certificate, createListener, type HttpListener } from "./listener.ts";
import type { HttpMetrics } from "./metrics.ts";
import { type PipelineDeps, serve } from "./pipeline.ts";
import type { ErrorPages } from "./ports.ts";
import { redirectTo } from "./redirect.ts";
import { apiHeaders, jsonType } from "./replies.ts";
import type { Route } from "./route.ts";
import { createRouter, hasClimbingSegment, holdsNul, joinSlashes, type Router } from "./router.ts";
import { createRemoteAddress } from "./trusted-proxies.ts";

export interface HttpDeps extends PipelineDeps {
  readonly routes: readonly Route[];
  readonly metrics: HttpMetrics;
  readonly errorPages: ErrorPages;
  readonly writeRequestLine: WriteRequestLine;
  readonly bodyPaces?: BodyPaces;
  /** Serves https if this is set. */
  readonly certificate?: Certificate | undefined;
}

/** Writes the log line of a completed request. */
export type WriteRequestLine = (line: RequestLine) => void;

export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** Without the query, which can carry a token. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** Undefined if no route was found. */
  readonly route: string | undefined;
}

const apiPrefix = "/api/v1";

interface Served {
  readonly route: Route;
  /** The path as declared, from the root. */
  readonly template: string;
}

/**
 * Creates the server of the routes. It does not listen yet; its `handle` serves without a socket.
 * @throws Error when a route lacks access or scope, or two routes share a method and path
 */
export function createHttpServer(deps: HttpDeps): HttpListener {
  const served = deps.routes.flatMap((route) => {
    assertDeclared(route);
    const prefix = route.mount === "api" ? apiPrefix : "";
    return [route.path, ...route.aliases].map((path): Served => ({ route, template: prefix + path }));
  });
  const router = createRouter(served.map((one) => ({ method: one.route.method, path: one.template, value: one })));
  const remoteAddressOf = createRemoteAddress(deps.options.trustedProxies);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    // Once, before any other code reads the target, so that routing, redirects and the log agree on one path.
    request.url = joinSlashes(request.url ?? "/");
    const exchange = openExchange(request, response, remoteAddressOf(request));
    observe(deps, exchange);
    dispatch(deps, router, exchange).catch((error: unknown) => {
      deps.log.error({ err: error, requestId: exchange.id }, "request failed outside a route");
      response.destroy();
    });
  };
  return createListener(handle, { certificate: deps.certificate });
}

/** Logged in place of a status when the client does not wait for the response. */
const clientClosedRequest = 499;

/** Counts a request and writes its log line when its response is complete. */
function observe({ metrics, writeRequestLine }: HttpDeps, exchange: Exchange): void {
  const { request, response } = exchange;
  const begunMs = performance.now();
  response.once("close", () => {
    const ms = performance.now() - begunMs;
    const status = hasGone(exchange) ? clientClosedRequest : response.statusCode;
    const route = exchange.route?.id;
    metrics.observe(route ?? "unknown", status, ms);
    writeRequestLine({ requestId: exchange.id, method: request.method, path: pathOf(request.url), status, ms: Math.round(ms * 10) / 10, route });
  });
}

function assertDeclared(route: Route): void {
  if (route.access === undefined || route.scope === undefined) {
    throw new Error(`route ${route.id} (${route.method} ${route.path}) does not declare access or scope: declare both`);
  }
}

const nothingHere = "404 page not found\n";

const plain = { "content-type": "text/plain; charset=utf-8" };

/** Unknown path: 404, as a page for browsers, otherwise as plain text. Known path with another method: 405 with `Allow` and no body. */
async function answerUnknown(deps: HttpDeps, router: Router<Served>, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const path = pathOf(request.url);
  const isApi = path === apiPrefix || path.startsWith(`${apiPrefix}/`);
  // A browser that opens the URL of a POST-only form gets the 404 page. There are no pages below /api.
  const isReading = !path.startsWith("/api/") && !isApi && (request.method === "GET" || request.method === "HEAD");
  const methods = isReading || hasClimbingSegment(path) ? [] : router.methodsOf(path);
  if (methods.length > 0) {
    // Outside the API, HEAD is answered wherever GET is.
    const allowed = !isApi && methods.includes("GET") && !methods.includes("HEAD") ? [...methods, "HEAD"] : methods;
    return send(exchange, { status: 405, headers: { allow: allowed.join(", ") }, body: undefined });
  }
  if (!isApi && request.method === "GET" && acceptsPages(request)) {
    return sendErrorPage(deps, textError(notFound()), exchange);
  }
  return send(exchange, { status: 404, headers: { ...plain, "x-content-type-options": "nosniff" }, body: isApi ? nothingHere : "Not found.\n" });
}

async function dispatch(deps: HttpDeps, router: Router<Served>, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const forGo = goGetReply(request.method, request.url, deps.options.urls);
  if (forGo !== undefined) return send(exchange, forGo);
  const path = pathOf(request.url);
  const found = findRoute(router, request.method, path);
  if (found === undefined) return answerUnknown(deps, router, exchange);
  const { value: chosen, params } = found;
  if (hasClimbingSegment(path) || holdsNul(path) || Object.values(params).some((value) => value.length > maxParameterLength)) {
    if (chosen.route.mount === "api") exchange.headers = apiHeaders;
    if (chosen.route.mount === "api" || (request.method === "GET" && acceptsPages(request))) return answerNotFound(deps, chosen.route, exchange);
    return send(exchange, { status: 404, headers: plain, body: nothingHere });
  }
  exchange.route = chosen.route;
  if (chosen.route.mount === "api") exchange.headers = apiHeaders;
  keepBodyPace(exchange, chosen.route, deps.bodyPaces ?? defaultBodyPaces, `${deps.options.urls.origin}/api/swagger`);
  try {
    await serve(deps, chosen.route, params, exchange);
  } catch (error) {
    await answerError(deps, chosen, error, exchange);
  }
}

/** The answer for a resource that cannot exist: a page, or the documented body of the API. */
function answerNotFound(deps: HttpDeps, route: Route, exchange: Exchange): Promise<void> | void {
  if (route.mount !== "api") return sendErrorPage(deps, textError(notFound()), exchange);
  const { status, headers, body } = apiError(notFound(), `${deps.options.urls.origin}/api/swagger`);
  return send(exchange, { status, headers: { "content-type": jsonType, ...headers }, body });
}

/** Pages and files answer HEAD like GET; API routes only where declared. */
function findRoute(router: Router<Served>, method: string, path: string): ReturnType<Router<Served>["find"]> {
  const found = router.find(method, path);
  if (found !== undefined || method !== "HEAD") return found;
  const got = router.find("GET", path);
  return got?.value.route.mount === "root" ? got : undefined;
}

/** The path of a request target, without the scheme and host that clients send to a proxy. */
function pathOf(url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  return path.startsWith("/") ? path : path.replace(/^[a-z]+:\/\/[^/]*/i, "") || "/";
}

/** Sent while the request is still being processed, because its body arrives too slowly. */
const requestTimeout = 408;

async function answerError(deps: HttpDeps, { route, template }: Served, error: unknown, exchange: Exchange): Promise<void> {
  const { id: requestId, request, response } = exchange;
  if (response.headersSent && response.statusCode === requestTimeout) {
    deps.log.info({ err: error, requestId, route: route.id }, "the request body arrived too slowly");
    return;
  }
  if (response.headersSent) {
    deps.log.error({ err: error, requestId, route: route.id }, "answer broke off");
    response.destroy();
    return;
  }
  if (hasGone(exchange)) {
    // The client has disconnected: the aborted work is not a server failure, and a response cannot be sent.
    deps.log.info({ err: error, requestId, route: route.id }, "the client disconnected before the response");
    return;
  }
  if (error instanceof Moved) {
    const location = movedLocation(request.url, template, error);
    const { status } = error;
    return send(
      exchange,
      route.mount === "api" && request.method === "GET" ? redirectTo(location, status) : { status, headers: { location }, body: undefined },
    );
  }
  if (!isForgeError(error)) deps.log.error({ err: error, requestId, route: route.id }, "request failed");
  else if (error.options.cause !== undefined || error.code === "unavailable") {
    deps.log.warn({ err: error.options.cause ?? error, code: error.code, meta: error.options.meta, requestId, route: route.id }, error.message);
  }
  if (route.isPage) return answerPageError(deps, error, exchange);
  if (route.mount === "root") return send(exchange, textError(error));
  const { status, headers, body } = apiError(error, `${deps.options.urls.origin}/api/swagger`);
  return send(exchange, { status, headers: { ...(body !== undefined && { "content-type": jsonType }), ...headers }, body });
}

/** The same URL with the current name of the renamed resource. Names precede any rest parameter, so the segments of template and URL agree. */
function movedLocation(url: string, template: string, { parameters }: Moved): string {
  const [path = "", search] = url.split("?", 2);
  const declared = template.split("/");
  const segments = path.split("/").map((segment, index) => {
    // Text that follows a parameter within its segment (`{username}.keys`) is kept.
    const [, parameter = "", suffix = ""] = /^\{(\w+)\}(.*)$/.exec(declared[index] ?? "") ?? [];
    const name = parameters[parameter];
    return name === undefined ? segment : encodeURIComponent(name) + suffix;
  });
  return segments.join("/") + (search === undefined ? "" : `?${search}`);
}
