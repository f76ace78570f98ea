import { setTimeout as sleep } from "node:timers/promises";
import { JsonCostError, parseBoundedJson } from "../../../../core/bounded-json.ts";
import type { ApiFailure } from "../../../../core/failures.ts";
import { readWebAddress } from "../../../../core/web-address.ts";
import { type OutgoingAnswer, type OutgoingClient, readAtMost } from "../../../../outgoing/client.ts";
import { RemoteError } from "../../../../outgoing/git-connection.ts";
import { asObject, type Foreign, objectsIn } from "../foreign-json.ts";
import type { Progress } from "../progress.ts";

/** The API of another forge cannot be read. */
export class ForeignApiError extends RemoteError {
  readonly failure: ApiFailure;

  constructor(message: string, options: { readonly failure: ApiFailure; readonly cause?: unknown }) {
    super(message, { reason: options.failure === "api" ? "protocol" : "refused", cause: options.cause });
    this.name = "ForeignApiError";
    this.failure = options.failure;
  }
}

/** The API of another forge, for one repository. */
export interface ForeignServer {
  readonly client: OutgoingClient;
  /** API URL of the repository. */
  readonly api: URL;
  /** Sent with every request to this API, and to no other host. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Receives the end of a rate limit. */
  readonly progress: Pick<Progress, "resumesMs">;
  /** The remaining limits, shared by all requests of one migration. */
  readonly budget: { bytes: number; pausesMs: number };
}

export interface ForeignServerOptions extends Pick<ForeignServer, "client" | "api" | "signal" | "progress"> {
  readonly headers: Readonly<Record<string, string>>;
}

const allBytes = 512 * 1024 * 1024;
/** A page of 100 comments of 64 KiB is smaller. */
const pageBytes = 8 * 1024 * 1024;
/** Maximum number of items of one kind, regardless of the server's totals. */
export const maxItems = 100_000;
const requestMs = 120_000;
const hourMs = 3_600_000;
/** Rate limits usually apply per hour. */
const maxPauseMs = 2 * hourMs;
const maxPausesMs = 48 * hourMs;
/** Used if a server does not specify the delay. */
const usualPauseMs = 60_000;
/** Retries for temporary errors of a proxy. */
const maxRetries = 3;
const firstRetryMs = 1_000;
const maxHops = 3;

export const openForeignServer = ({ headers, ...options }: ForeignServerOptions): ForeignServer => ({
  ...options,
  headers: { accept: "application/json", "user-agent": "hearth", ...headers },
  budget: { bytes: allBytes, pausesMs: maxPausesMs },
});

export interface ForeignAnswer {
  readonly bytes: Buffer;
  readonly headers: OutgoingAnswer["headers"];
}

/**
 * Sends a request below the repository's URL, or to a URL that the server itself returned.
 * @returns undefined for 404: issues, releases and so on can be disabled
 * @throws OutgoingError, RemoteError
 */
export async function ask(server: ForeignServer, url: URL): Promise<ForeignAnswer | undefined> {
  let at = url;
  for (let retries = 0, hops = 0; ; ) {
    const answer = await server.client.send({ method: "GET", url: at, headers: server.headers, timeoutMs: requestMs, signal: server.signal });
    if (answer.status === 200) return { headers: answer.headers, bytes: await readPage(server, answer) };
    answer.body.destroy();
    if (answer.status === 404 || answer.status === 410) return undefined;
    const pauseMs = pauseOf(answer);
    const next = movedTo(answer, at);
    if (pauseMs !== undefined) {
      await pause(server, pauseMs);
    } else if (next !== undefined && hops < maxHops) {
      at = next;
      hops += 1;
    } else if (isPassing(answer) && retries < maxRetries) {
      await sleep(firstRetryMs * 2 ** retries, undefined, { signal: server.signal });
      retries += 1;
    } else throw refusalOf(answer);
  }
}

/** Renamed repositories redirect; the headers are not sent to other hosts. */
function movedTo({ status, headers: { location } }: OutgoingAnswer, requested: URL): URL | undefined {
  return [301, 302, 307, 308].includes(status) ? sameOrigin(location, requested) : undefined;
}

function sameOrigin(target: string | undefined, base: URL): URL | undefined {
  const url = target !== undefined && URL.canParse(target, base) ? readWebAddress(new URL(target, base).href) : undefined;
  return url?.origin === base.origin ? url : undefined;
}

const isPassing = ({ status }: OutgoingAnswer): boolean => status === 502 || status === 503 || status === 504;

const refusalOf = ({ status }: OutgoingAnswer): RemoteError =>
  status === 401 || status === 403
    ? new RemoteError("the remote rejected the credentials", { reason: "authentication" })
    : new RemoteError(`the remote answered with status ${status}`, { reason: "status", status });

async function readPage({ budget }: ForeignServer, answer: OutgoingAnswer): Promise<Buffer> {
  const { bytes, isWhole } = await readAtMost(answer, Math.min(pageBytes, budget.bytes));
  if (!isWhole)
    throw new ForeignApiError("a response of the remote is larger than 8 MiB, or all of them together are larger than 512 MiB", { failure: "too_many_items" });
  budget.bytes -= bytes.length;
  return bytes;
}

/** The delay of a rate limit; undefined for other responses. Servers send status 429, or 403 with a remaining limit of 0. */
function pauseOf({ status, headers }: OutgoingAnswer): number | undefined {
  if (status !== 429 && status !== 403) return undefined;
  const wait = numberIn(headers["retry-after"]);
  if (wait !== undefined) return wait * 1_000;
  const [remaining, resetSeconds] = ["x-ratelimit-", "ratelimit-"].flatMap((prefix) => {
    const reset = numberIn(headers[`${prefix}reset`]);
    return reset === undefined ? [] : [numberIn(headers[`${prefix}remaining`]), reset];
  });
  // Relative to the server's clock.
  const nowMs = Date.parse(headers.date ?? "") || Date.now();
  if (resetSeconds !== undefined && (status === 429 || remaining === 0)) return Math.max(resetSeconds * 1_000 - nowMs, 1_000);
  return status === 429 ? usualPauseMs : undefined;
}

const numberIn = (header: string | string[] | undefined): number | undefined =>
  typeof header === "string" && /^\d{1,12}$/.test(header) ? Number(header) : undefined;

async function pause({ budget, progress, signal }: ForeignServer, pauseMs: number): Promise<void> {
  if (pauseMs > Math.min(maxPauseMs, budget.pausesMs))
    throw new ForeignApiError("the remote server asks for a longer pause than the migration can wait", { failure: "rate_limit" });
  // A minimum per pause, so that a server that repeatedly sends a delay of zero is not retried forever.
  budget.pausesMs -= Math.max(pauseMs, usualPauseMs);
  progress.resumesMs = Date.now() + pauseMs;
  await sleep(pauseMs, undefined, { signal });
  progress.resumesMs = null;
}

/** @throws RemoteError for invalid JSON, and for JSON with too many values */
export async function parseAnswer({ bytes }: Pick<ForeignAnswer, "bytes">): Promise<unknown> {
  try {
    return await parseBoundedJson(bytes);
  } catch (error) {
    if (error instanceof JsonCostError) throw new ForeignApiError("a response of the remote has too many values", { failure: "too_many_items", cause: error });
    throw new ForeignApiError("the response of the remote is not JSON", { failure: "api", cause: error });
  }
}

/** Requests the repository itself. @throws RemoteError if it does not exist */
export async function askAbout(server: ForeignServer): Promise<Foreign> {
  const answer = await ask(server, server.api);
  if (answer === undefined) throw new ForeignApiError("the API of the remote has no such repository", { failure: "api" });
  return asObject(await parseAnswer(answer));
}

/** All items of a list, following the `Link` header (RFC 8288), but never outside of the repository and never twice to the same URL. */
export async function listLinked(server: ForeignServer, path: string): Promise<readonly Foreign[]> {
  const items: Foreign[] = [];
  const seen = new Set<string>();
  for (let next: URL | undefined = new URL(server.api.href + path); next !== undefined && !seen.has(next.href); ) {
    seen.add(next.href);
    const answer = await ask(server, next);
    if (answer === undefined) return items;
    items.push(...requireFew(items.length, itemsIn(await parseAnswer(answer))));
    next = nextOf(server, answer);
  }
  return items;
}

/** A single object is treated as a list of one. */
const itemsIn = (value: unknown): readonly Foreign[] => objectsIn(Array.isArray(value) ? value : [value]);

/** @throws RemoteError for more than {@link maxItems} */
export function requireFew(present: number, more: readonly Foreign[]): readonly Foreign[] {
  if (present + more.length > maxItems) throw new ForeignApiError(`the remote has more than ${maxItems} entries in a list`, { failure: "too_many_items" });
  return more;
}

function nextOf({ api }: ForeignServer, { headers: { link } }: ForeignAnswer): URL | undefined {
  const [, target] = /<([^<>]*)>\s*;[^,<]*\brel="?next"?/.exec(typeof link === "string" ? link : "") ?? [];
  // Some servers link by repository id instead of name.
  return sameOrigin(target, api);
}
