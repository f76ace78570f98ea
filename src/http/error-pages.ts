import { anonymous } from "../access/actor.ts";
import { isForgeError, notFound } from "../core/errors.ts";
import { signInPath } from "../core/urls.ts";
import { type ErrorReply, textError } from "./errors.ts";
import { type Exchange, send } from "./exchange.ts";
import { type PageReader, pageReader } from "./page-reader.ts";
import { asProxyUser, type HttpOptions } from "./pipeline.ts";
import type { ErrorPages, Identities } from "./ports.ts";
import { readSessionCookie } from "./session-cookie.ts";

export interface ErrorPageDeps {
  readonly errorPages: ErrorPages;
  readonly identities: Pick<Identities, "bySession">;
  readonly options: Pick<HttpOptions, "urls" | "readProxyUser">;
}

/** Browsers request HTML explicitly; other clients accept any type. */
export const acceptsPages = ({ headers }: Exchange["request"]): boolean => headers.accept?.includes("text/html") === true;

/**
 * Redirects to the sign-in page where signing in is needed. Other errors are shown as a page, or as text to a client that requests a
 * missing page without accepting HTML.
 */
export async function answerPageError(deps: ErrorPageDeps, error: unknown, exchange: Exchange): Promise<void> {
  if (!isForgeError(error, "unauthenticated")) {
    const reply = textError(error);
    return reply.status === 404 && !acceptsPages(exchange.request) ? send(exchange, textError(notFound())) : sendErrorPage(deps, reply, exchange);
  }
  await send(exchange, { status: 303, headers: { location: signInAddress(deps, exchange), "cache-control": "no-store" }, body: undefined });
}

/** The sign-in page, with a return address. */
const signInAddress = (deps: ErrorPageDeps, { request }: Exchange): string => signInPath(wantedPath(deps, request));

/** The requested page, or the page whose form was submitted: a browser keeps its input there. */
function wantedPath(deps: ErrorPageDeps, request: Exchange["request"]): string | undefined {
  if (request.method === "GET") return request.url;
  const { referer, host } = request.headers;
  if (typeof referer !== "string" || !URL.canParse(referer)) return undefined;
  const from = new URL(referer);
  return from.host === host || from.origin === deps.options.urls.origin ? from.pathname + from.search : undefined;
}

export async function sendErrorPage(deps: ErrorPageDeps, { status, headers, body, reason, typed }: ErrorReply, exchange: Exchange): Promise<void> {
  const reader = await findReader(deps, exchange);
  const shown = { status, message: body?.trim() ?? "", reason, typed };
  const page = deps.errorPages.refusal({ ...shown, requestId: exchange.id, reader, signInAddress: signInAddress(deps, exchange) });
  await send(exchange, { status, headers: { ...headers, ...page.headers }, body: page.body });
}

/** The reader of the page. If finding the reader is the operation that failed, the reader is anonymous. */
async function findReader({ identities, options }: ErrorPageDeps, { request }: Exchange): Promise<PageReader> {
  const { headers, socket } = request;
  const session = readSessionCookie(headers, options.urls);
  const actor = session === undefined ? undefined : await identities.bySession(session).catch(() => undefined);
  const proxied = options.readProxyUser(headers, socket.remoteAddress);
  return pageReader({ actor: asProxyUser(actor ?? anonymous, proxied), session, headers });
}
