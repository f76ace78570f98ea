import { Readable } from "node:stream";
import { type Actor, anonymous, isUser } from "../access/actor.ts";
import { callerOf } from "../access/caller.ts";
import type { ReadAhead, RepositoryPath } from "../access/subjects.ts";
import { basicChallenge, forbidden, invalid, isForgeError, unauthenticated } from "../core/errors.ts";
import type { Caller, Lane } from "../core/lanes.ts";
import type { Log } from "../core/log.ts";
import { foldName } from "../core/names.ts";
import { type PageLimits, readPage } from "../core/paging.ts";
import type { Urls } from "../core/urls.ts";
import { type PreparedReply, sizeOfBody } from "./answers.ts";
import { applySudo, authenticate, checkScope, loadSubjects } from "./authorize.ts";
import { acceptCredentials, type Presented } from "./credentials.ts";
import { type Exchange, hasGone, send } from "./exchange.ts";
import type { Idempotency } from "./idempotency.ts";
import type { Drafts, Identities, Subjects } from "./ports.ts";
import { readQuery } from "./query.ts";
import { prepare, versionPage } from "./replies.ts";
import type { Route } from "./route.ts";
import { ClientGone } from "./send-chunks.ts";
import { readSent } from "./sent-body.ts";
import { readSessionCookie } from "./session-cookie.ts";
import type { createProxyUserReader, ProxyUser } from "./trusted-proxies.ts";

export interface HttpOptions {
  readonly urls: Urls;
  readonly pageLimits: PageLimits;
  /** Default limit of JSON bodies. */
  readonly bodyLimitBytes: number;
  /** Anonymous callers may read public resources. Otherwise every path needs credentials, except for routes that ignore them. */
  readonly allowsAnonymous: boolean;
  /** Addresses and networks whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  /** Reads the user that a reverse proxy has authenticated from the request's headers, if the peer is trusted. */
  readonly readProxyUser: ReturnType<typeof createProxyUserReader>;
}

export interface PipelineDeps {
  /** The lane of expensive pages and operations. */
  readonly pageLane: Lane;
  /** The lane of other reads by programs and anonymous callers. */
  readonly readLane: Lane;
  readonly identities: Identities;
  readonly subjects: Subjects;
  readonly idempotency: Idempotency;
  readonly drafts: Drafts;
  readonly log: Log;
  readonly options: HttpOptions;
}

/** A request that waits longer for its place reads the repository again, with the rights of then. */
const maxReadAheadMs = 20;

/** Created once: an aborted request needs no stack trace of its own. */
const clientGone = new Error("the client has gone away");

/**
 * Serves a request in the order of Gitea: credentials, scope, subjects and permissions, query, body, handler.
 * @throws ForgeError or Moved, which the caller turns into a response
 */
export async function serve(deps: PipelineDeps, route: Route, params: Record<string, string>, exchange: Exchange): Promise<void> {
  const { options } = deps;
  const { request } = exchange;
  const search = searchOf(request.url);
  const presented = acceptCredentials(route, request.headers, search, options.urls);
  const proxied = options.readProxyUser(request.headers, request.socket.remoteAddress);
  const { actor: presenter, readAhead } =
    presented.kind === "none"
      ? { actor: anonymous, readAhead: undefined }
      : await authenticate(route, presented, deps.identities, { remoteAddress: exchange.remoteAddress, repository: repositoryIn(route, params) });
  const authenticated = asProxyUser(presenter, proxied);
  const sudo = route.ignoresCredentials ? undefined : sudoName(request.headers, search);
  const actor = sudo === undefined ? authenticated : await applySudo(authenticated, sudo, deps.identities);
  if (presented.kind === "token" && presented.carrier === "query") {
    exchange.headers = {
      ...exchange.headers,
      "x-gitea-warning": "token and access_token API authentication is deprecated and will be removed. Please use the Authorization header instead.",
    };
  }
  if (!options.allowsAnonymous && !isUser(actor) && !route.ignoresCredentials && !route.isOpen) throw signInRequired(route);
  checkScope(route, actor);
  const call: Call = { route, params, search, presented, proxied, actor, departure: watchDeparture(exchange) };
  const caller = callerOf(actor, exchange.remoteAddress);
  const lane = laneOf(deps, route, caller);
  const readMs = performance.now();
  try {
    // Before any statement about the subjects, so that a refusal is cheap.
    if (lane !== undefined) exchange.place = await lane.enter(caller, call.departure);
    const isCurrent = actor === presenter && performance.now() - readMs < maxReadAheadMs;
    await respond(deps, call, isCurrent ? readAhead : undefined, exchange);
  } finally {
    exchange.place?.leave();
  }
}

/** Reads of users in a browser need no place unless they are expensive. */
const needsPlace = ({ kind }: Caller): boolean => kind !== "interactive";

/**
 * Routes without a scope have the same answer for every caller, or find the caller
 * themselves. Sign-in pages stay open: users who sign in are served first.
 */
function laneOf({ pageLane, readLane }: PipelineDeps, route: Route, caller: Caller): Lane | undefined {
  if (route.isExpensive) return pageLane;
  const isRead = route.method === "GET" || route.method === "HEAD";
  return needsPlace(caller) && isRead && (route.isPage || route.scope !== "none") && !route.isOpen && !route.entersLane ? readLane : undefined;
}

/** An authenticated request. */
interface Call {
  readonly route: Route;
  readonly params: Record<string, string>;
  readonly search: URLSearchParams;
  readonly presented: Presented;
  readonly proxied: ProxyUser | undefined;
  readonly actor: Actor;
  readonly departure: AbortSignal;
}

/** Expensive requests wait for their place before anything is read about their subjects. */
function repositoryIn({ access, isExpensive }: Route, { owner, repo }: Readonly<Record<string, string>>): RepositoryPath | undefined {
  return access.kind === "repository" && !isExpensive && owner !== undefined && repo !== undefined ? { owner, name: repo } : undefined;
}

async function respond(
  deps: PipelineDeps,
  { route, params, search, presented, proxied, actor, departure }: Call,
  readAhead: ReadAhead | undefined,
  exchange: Exchange,
): Promise<void> {
  const { options } = deps;
  const { request } = exchange;
  const subjects = route.access.kind === "anyone" ? {} : await loadSubjects(route, params, actor, deps.subjects, readAhead);

  const query = readQuery(route.query, search);
  const limits = route.pageLimits ?? options.pageLimits;
  const limit = search.get("limit") ?? (Object.hasOwn(route.query, "per_page") ? search.get("per_page") : null);
  const page = readPage(search.get("page") ?? undefined, limit ?? undefined, limits);
  const sent = await readSent(route, exchange, { presented, search, limitBytes: route.bodyLimitBytes ?? options.bodyLimitBytes });
  const session = readSessionCookie(request.headers, options.urls);
  const handle = async (): Promise<PreparedReply> => {
    // No getters here: each would be a closure that a hidden class keeps alive, with the whole request, until the next full collection.
    const result = await (route.handle as (given: unknown) => unknown)({
      ...subjects,
      actor,
      params,
      query,
      body: sent.body,
      page,
      headers: request.headers,
      files: sent.files,
      form: sent.form,
      signal: departure,
      stream: route.streamsBody ? request : undefined,
      url: request.url,
      remoteAddress: exchange.remoteAddress,
      proxied,
      session,
      enter: async (found: Actor) => {
        const caller = callerOf(found, exchange.remoteAddress);
        if (needsPlace(caller)) exchange.place = await deps.readLane.enter(caller, departure);
      },
    });
    return prepare(route.answers, result, { origin: options.urls.origin, url: request.url, page });
  };
  const key = idempotencyKeyOf(route, exchange) ?? sent.formKey;
  const answered =
    key !== undefined && isUser(actor)
      ? await deps.idempotency.run({ actor, ...key, method: route.method, path: request.url, body: sent.fingerprint }, handle)
      : await handle();
  const isVisitor = presented.kind === "none" && session === undefined && proxied === undefined;
  const prepared = versionPage(answered, { route, isVisitor, ifNoneMatch: request.headers["if-none-match"] });
  if (isUser(actor) && sent.isDraft() && prepared.status === 303) await deps.drafts.taken(actor, request.url);
  await deliver(deps, route, exchange, request.method === "HEAD" ? headOf(prepared) : prepared);
}

/** Sends a response and truncates it if its source fails. @throws an error that occurs before the response has started */
async function deliver({ log }: PipelineDeps, route: Route, exchange: Exchange, reply: PreparedReply): Promise<void> {
  try {
    await send(exchange, reply);
  } catch (error) {
    if (!exchange.response.headersSent) throw error;
    // A client that disconnects is not a server failure.
    const aborted = error instanceof ClientGone || hasGone(exchange);
    log[aborted ? "info" : "error"](
      { err: error, aborted, meta: isForgeError(error) ? error.options.meta : undefined, requestId: exchange.id, route: route.id },
      "answer broke off",
    );
    exchange.response.destroy();
  }
}

/** The key of an idempotent request. @throws ForgeError `invalid` for an upload: its bytes could only be compared after reading them */
function idempotencyKeyOf({ method, mount, streamsBody }: Route, { request }: Exchange): { readonly key: string } | undefined {
  const key = request.headers["idempotency-key"];
  if (method !== "POST" || mount !== "api" || typeof key !== "string") return undefined;
  if (streamsBody) throw invalid("Idempotency-Key does not work for uploads: leave it out, and check whether the file exists before sending it again");
  return { key };
}

/** The response to a HEAD request: that of GET without the body. */
function headOf({ status, headers, body }: PreparedReply): PreparedReply {
  if (body instanceof Readable) body.destroy();
  const sizeBytes = sizeOfBody(body);
  return { status, headers: { ...headers, ...(sizeBytes !== undefined && { "content-length": sizeBytes }) }, body: undefined };
}

const noSearch = new URLSearchParams();

function searchOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return at < 0 ? noSearch : new URLSearchParams(url.slice(at + 1));
}

/** @returns a signal that is aborted when the client disconnects before the response is complete */
function watchDeparture(exchange: Exchange): AbortSignal {
  const controller = new AbortController();
  if (hasGone(exchange)) controller.abort(clientGone);
  else {
    exchange.response.once("close", () => {
      if (hasGone(exchange)) controller.abort(clientGone);
    });
  }
  return controller.signal;
}

/** The user of the proxy takes precedence: a session cookie of another user in the same browser is ignored. */
export const asProxyUser = (actor: Actor, proxied: ProxyUser | undefined): Actor =>
  isUser(actor) && actor.credential.kind === "session" && proxied !== undefined && foldName(proxied.name) !== foldName(actor.name) ? anonymous : actor;

/** API clients get a message; git clients and browsers are asked for credentials. */
const signInRequired = (route: Route) =>
  route.isPage
    ? unauthenticated("Sign in to see this page.")
    : route.mount === "api"
      ? forbidden("Only signed in user is allowed to call APIs.", { body: "message" })
      : unauthenticated("Unauthorized", { challenge: basicChallenge });

function sudoName(headers: Exchange["request"]["headers"], search: URLSearchParams): string | undefined {
  const header = headers.sudo;
  return ((typeof header === "string" ? header : undefined) ?? search.get("sudo")) || undefined;
}
