import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CallFailure } from "../core/failures.ts";
import type { HostRules } from "../core/host-rules.ts";
import { defaultPace, keepPace, type Pace } from "../core/pace.ts";

/** A host could not be called. The message may be shown to the user who configured the host. */
export class OutgoingError extends Error {
  readonly reason: CallFailure;

  constructor(message: string, options: { readonly reason: CallFailure; readonly cause?: unknown }) {
    super(message, options);
    this.name = "OutgoingError";
    this.reason = options.reason;
  }
}

export interface OutgoingRequest {
  readonly method: string;
  /** As returned by {@link readWebAddress}. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** An iterable is streamed; if it fails, so does the request. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** For the entire exchange, including the response body. */
  readonly timeoutMs: number;
  /** From the end of the request to the response headers; default `timeoutMs`. */
  readonly answerMs?: number;
  /** Minimum speed of the host in both directions; default {@link defaultPace}. */
  readonly pace?: Pace;
  readonly signal?: AbortSignal;
}

export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Fails on timeout. A caller that does not read it to its end has to destroy it. */
  readonly body: IncomingMessage;
}

/**
 * Calls hosts configured by users. The rules are checked by the connection itself, for every address that a name resolves to: there is no
 * gap between check and use. Redirects are returned, not followed.
 */
export interface OutgoingClient {
  /** @throws OutgoingError */
  send(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /**
   * The addresses at which a host may be called, for programs that connect themselves but accept an address.
   * @throws OutgoingError `blocked` if one of them is not allowed, `unreachable` for a name without addresses
   */
  resolve(url: URL): Promise<readonly LookupAddress[]>;
}

type Lookup = (hostname: string, options: { readonly all: true }, done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void) => void;

export interface OutgoingOptions {
  readonly rules: HostRules;
  /** Resolves names to addresses. */
  readonly lookup?: Lookup;
}

export function createOutgoingClient({ rules, lookup = systemLookup }: OutgoingOptions): OutgoingClient {
  const checkAddress = (hostname: string, address: string): OutgoingError | undefined =>
    rules.allows(hostname, address) ? undefined : new OutgoingError(`${hostname}: blocked address, this server may not call it`, { reason: "blocked" });

  /** One disallowed address blocks the name: a name with both kinds is no accident. */
  const guarded: LookupFunction = (hostname, options, done) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      const refusal = error ?? addresses.map(({ address }) => checkAddress(hostname, address)).find((problem) => problem !== undefined);
      const [first] = addresses ?? [];
      if (refusal !== undefined && refusal !== null) done(refusal, []);
      else if (first === undefined) done(Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" }), []);
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
  const agents = { "http:": new HttpAgent(), "https:": new HttpsAgent() };

  return {
    async resolve(url) {
      const host = hostOf(url);
      const family = isIP(host);
      if (family === 0) return lookUpAll(guarded, host);
      const problem = checkAddress(host, host);
      if (problem !== undefined) throw problem;
      return [{ address: host, family }];
    },
    send({ method, url, headers = {}, body, timeoutMs, answerMs = timeoutMs, pace = defaultPace, signal }) {
      const host = hostOf(url);
      const problem = isIP(host) === 0 ? undefined : checkAddress(host, host);
      if (problem !== undefined) return Promise.reject(problem);
      const deadline = AbortSignal.timeout(timeoutMs);
      const ending = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
      const start = url.protocol === "https:" ? httpsRequest : httpRequest;
      return new Promise((resolve, reject) => {
        const fail = (error: Error): void => reject(failureOf(error, host, deadline.aborted));
        try {
          const request = start(url, { method, headers, agent: agents[url.protocol as keyof typeof agents], lookup: guarded, signal: ending });
          const late = (): OutgoingError => new OutgoingError(`${host}: no response in time`, { reason: "timeout" });
          let waiting: NodeJS.Timeout | undefined;
          request.once("finish", () => (waiting = setTimeout(() => request.destroy(late()), answerMs)));
          request.once("close", () => clearTimeout(waiting));
          request.once("socket", (socket) => {
            keepPace(
              { stream: request, moved: () => socket.bytesWritten, isOurTurn: () => request.writableFinished || request.writableLength === 0, late },
              pace,
            );
          });
          request.once("response", (answer) => {
            clearTimeout(waiting);
            const { socket } = answer;
            const tooSlow = (): OutgoingError => new OutgoingError(`${host}: the response is too slow`, { reason: "timeout" });
            keepPace({ stream: answer, moved: () => socket.bytesRead, isOurTurn: () => answer.readableLength > 0, late: tooSlow }, pace);
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: answer });
          });
          request.on("error", fail);
          if (isInPieces(body)) pipeline(Readable.from(body, { objectMode: false }), request).catch(fail);
          else request.end(body);
        } catch (error) {
          fail(error as Error);
        }
      });
    },
  };
}

const isInPieces = (body: OutgoingRequest["body"]): body is AsyncIterable<Uint8Array> => typeof body === "object" && Symbol.asyncIterator in body;

/** `[::1]` as `::1`. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

const lookUpAll = (lookup: LookupFunction, host: string): Promise<readonly LookupAddress[]> =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses as LookupAddress[]) : reject(failureOf(error, host, false))));
  });

function failureOf(error: Error, host: string, isLate: boolean): Error {
  if (error instanceof OutgoingError) return error;
  if (isLate) return new OutgoingError(`${host}: no response in time`, { reason: "timeout", cause: error });
  if (error.name === "AbortError") return error;
  const { code } = error as NodeJS.ErrnoException;
  return new OutgoingError(`${host}: ${code ?? error.message}`, { reason: connectionFailure(error), cause: error });
}

/** Errors of certificate verification have many codes, which OpenSSL defines; Node.js adds the one for other host names. */
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|DECODE|VERIFY)|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$/;

/** The reason for which a connection could not be made. */
export function connectionFailure(error: Error): CallFailure {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "unknown_host";
  if (code === "ECONNREFUSED") return "connection_refused";
  if (code === "ETIMEDOUT") return "timeout";
  return certificateCode.test(code) ? "certificate" : "unreachable";
}

/** Reads at most `maxBytes` of a response, and returns whether it is complete. Does not wait for the rest. @throws OutgoingError */
export async function readAtMost({ body }: Pick<OutgoingAnswer, "body">, maxBytes: number): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof OutgoingError) throw error;
    throw new OutgoingError(`the response was cut off: ${code ?? message}`, { reason: "unreachable", cause: error });
  } finally {
    body.destroy();
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isWhole: length <= maxBytes };
}
