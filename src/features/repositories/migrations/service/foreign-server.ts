import { setTimeout as sleep } from "node:timers/promises";
import { readWebAddress } from "../../../../core/web-address.ts";
import { type OutgoingAnswer, type OutgoingClient, readAtMost } from "../../../../outgoing/client.ts";
import { RemoteError } from "../../../../outgoing/git-connection.ts";
import { asObject, type Foreign, objectsIn } from "../foreign-json.ts";
import type { Progress } from "../progress.ts";

/** The interface of another forge, as far as one repository is there. */
export interface ForeignServer {
  readonly client: OutgoingClient;
  /** Of the repository. */
  readonly api: URL;
  /** Goes with every question to it, and to nobody else. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Says when it goes on, while nothing may be asked. */
  readonly progress: Pick<Progress, "resumesMs">;
  /** What may still come; shared by all questions of one migration. */
  readonly budget: { bytes: number; pausesMs: number };
}

export interface ForeignServerOptions extends Pick<ForeignServer, "client" | "api" | "signal" | "progress"> {
  readonly headers: Readonly<Record<string, string>>;
}

const allBytes = 512 * 1024 * 1024;
const pageBytes = 32 * 1024 * 1024;
/** Of one kind; no server is asked for more, whatever it says that there is. */
export const maxItems = 100_000;
const requestMs = 120_000;
const hourMs = 3_600_000;
/** Servers count by the hour. */
const maxPauseMs = 2 * hourMs;
const maxPausesMs = 48 * hourMs;
/** Where a server does not say how long. */
const usualPauseMs = 60_000;
/** A proxy that has lost its server finds it again. */
const maxRetries = 3;
const firstRetryMs = 1_000;
const maxHops = 3;

export const openForeignServer = ({ headers, ...options }: ForeignServerOptions): ForeignServer => ({
  ...options,
  headers: { accept: "application/json", "user-agent": "hearth", ...headers },
  budget: { bytes: allBytes, pausesMs: maxPausesMs },
});

export interface ForeignAnswer {
  readonly text: string;
  readonly headers: OutgoingAnswer["headers"];
}

/**
 * Asks for something below the repository, or at an address that the server itself has named there.
 * @returns undefined for what is not there: issues, releases and the like can be switched off
 * @throws OutgoingError, RemoteError
 */
export async function ask(server: ForeignServer, url: URL): Promise<ForeignAnswer | undefined> {
  let at = url;
  for (let retries = 0, hops = 0; ; ) {
    const answer = await server.client.send({ method: "GET", url: at, headers: server.headers, timeoutMs: requestMs, signal: server.signal });
    if (answer.status === 200) return { headers: answer.headers, text: await readText(server, answer) };
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

/** Repositories that are called otherwise by now are led to; the headers go nowhere else. */
function movedTo({ status, headers: { location } }: OutgoingAnswer, asked: URL): URL | undefined {
  return [301, 302, 307, 308].includes(status) ? sameOrigin(location, asked) : undefined;
}

function sameOrigin(target: string | undefined, base: URL): URL | undefined {
  const url = target !== undefined && URL.canParse(target, base) ? readWebAddress(new URL(target, base).href) : undefined;
  return url?.origin === base.origin ? url : undefined;
}

const isPassing = ({ status }: OutgoingAnswer): boolean => status === 502 || status === 503 || status === 504;

const refusalOf = ({ status }: OutgoingAnswer): RemoteError =>
  status === 401 || status === 403
    ? new RemoteError("the remote rejected the credentials", { reason: "authentication" })
    : new RemoteError(`the remote answered with status ${status}`, { reason: "protocol" });

async function readText({ budget }: ForeignServer, answer: OutgoingAnswer): Promise<string> {
  const { bytes, isWhole } = await readAtMost(answer, Math.min(pageBytes, budget.bytes));
  if (!isWhole) throw new RemoteError("the remote answers with more than is taken here", { reason: "refused" });
  budget.bytes -= bytes.length;
  return bytes.toString("utf8");
}

/** How long nothing may be asked; undefined where the answer is about something else. Servers say so with a 429, or with a 403 and what is left. */
function pauseOf({ status, headers }: OutgoingAnswer): number | undefined {
  if (status !== 429 && status !== 403) return undefined;
  const wait = numberIn(headers["retry-after"]);
  if (wait !== undefined) return wait * 1_000;
  const [remaining, resetSeconds] = ["x-ratelimit-", "ratelimit-"].flatMap((prefix) => {
    const reset = numberIn(headers[`${prefix}reset`]);
    return reset === undefined ? [] : [numberIn(headers[`${prefix}remaining`]), reset];
  });
  // By its own clock.
  const nowMs = Date.parse(headers.date ?? "") || Date.now();
  if (resetSeconds !== undefined && (status === 429 || remaining === 0)) return Math.max(resetSeconds * 1_000 - nowMs, 1_000);
  return status === 429 ? usualPauseMs : undefined;
}

const numberIn = (header: string | string[] | undefined): number | undefined =>
  typeof header === "string" && /^\d{1,12}$/.test(header) ? Number(header) : undefined;

async function pause({ budget, progress, signal }: ForeignServer, pauseMs: number): Promise<void> {
  if (pauseMs > Math.min(maxPauseMs, budget.pausesMs)) throw new RemoteError("the remote lets nothing be asked for too long", { reason: "refused" });
  // One that says "now" over and over is not asked for ever.
  budget.pausesMs -= Math.max(pauseMs, usualPauseMs);
  progress.resumesMs = Date.now() + pauseMs;
  await sleep(pauseMs, undefined, { signal });
  progress.resumesMs = null;
}

/** @throws RemoteError for what is no JSON */
export function parseAnswer({ text }: Pick<ForeignAnswer, "text">): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RemoteError("what the remote answers is no JSON", { reason: "protocol", cause: error });
  }
}

/** What the interface says of the repository itself. @throws RemoteError where it knows none */
export async function askAbout(server: ForeignServer): Promise<Foreign> {
  const answer = await ask(server, server.api);
  if (answer === undefined) throw new RemoteError("the interface of the remote knows no such repository", { reason: "not_found" });
  return asObject(parseAnswer(answer));
}

/** What a list holds, page after page as the `Link` header leads (RFC 8288): never away from the repository, and never twice to the same. */
export async function listLinked(server: ForeignServer, path: string): Promise<readonly Foreign[]> {
  const items: Foreign[] = [];
  const seen = new Set<string>();
  for (let next: URL | undefined = new URL(server.api.href + path); next !== undefined && !seen.has(next.href); ) {
    seen.add(next.href);
    const answer = await ask(server, next);
    if (answer === undefined) return items;
    items.push(...requireFew(items.length, itemsIn(parseAnswer(answer))));
    next = nextOf(server, answer);
  }
  return items;
}

/** One thing is a list of one. */
const itemsIn = (value: unknown): readonly Foreign[] => objectsIn(Array.isArray(value) ? value : [value]);

/** @throws RemoteError for more than any server is asked for */
export function requireFew(present: number, more: readonly Foreign[]): readonly Foreign[] {
  if (present + more.length > maxItems) throw new RemoteError(`the remote has more than ${maxItems} entries in a list`, { reason: "refused" });
  return more;
}

function nextOf({ api }: ForeignServer, { headers: { link } }: ForeignAnswer): URL | undefined {
  const [, target] = /<([^<>]*)>\s*;[^,<]*\brel="?next"?/.exec(typeof link === "string" ? link : "") ?? [];
  // Some lead by the number of the repository and not by its name.
  return sameOrigin(target, api);
}
