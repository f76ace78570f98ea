import { connect, type Socket } from "node:net";
import { defaultPace, keepPace, type Pace } from "../core/pace.ts";
import { readWebAddress } from "../core/web-address.ts";
import { createPktReader, encodePkt, type PktReader, pktText } from "../git/send/pkt-line.ts";
import { connectionFailure, type OutgoingAnswer, type OutgoingClient, OutgoingError } from "./client.ts";
import type { GitAddress } from "./git-address.ts";

export type RemoteService = "git-upload-pack" | "git-receive-pack";

/** A remote's rejection. The message contains no credentials and may be shown. */
export class RemoteError extends Error {
  readonly reason: "authentication" | "not_found" | "protocol" | "status" | "refused";
  /** The status of the response, for the reason `status`. */
  readonly status: number | undefined;

  constructor(message: string, options: { readonly reason: RemoteError["reason"]; readonly status?: number; readonly cause?: unknown }) {
    super(message, options);
    this.name = "RemoteError";
    this.reason = options.reason;
    this.status = options.status;
  }
}

export interface GitConnection extends AsyncDisposable {
  /** Initial advertisement (gitprotocol-pack, gitprotocol-v2), up to and including its first flush. */
  greeting(): Promise<PktReader>;
  /** Sends a request and returns the response. */
  ask(body: Buffer | AsyncIterable<Uint8Array>): Promise<PktReader>;
}

export interface ConnectionOptions {
  readonly service: RemoteService;
  readonly signal: AbortSignal;
  /** Minimum speed of the remote; default {@link defaultPace}. */
  readonly pace?: Pace;
  /** Time limit for one request and its response. */
  readonly exchangeMs?: number;
}

/** Time limit until a response begins. Pushes take longer, because they are checked before the response. */
const greetingMs = 60_000;
const answerMs = 15 * 60_000;
/** Enough for a large clone over a slow line. */
const defaultExchangeMs = 6 * 3_600_000;
const maxRedirects = 3;
/** Some servers recognize git clients by this prefix. */
const agent = "git/hearth-1";

/**
 * Connects to a remote repository with the protocol of its address. Calls only hosts that the client's rules allow. @throws OutgoingError,
 * RemoteError
 */
export const openConnection = (client: OutgoingClient, address: GitAddress, options: ConnectionOptions): Promise<GitConnection> =>
  address.url.protocol === "git:" ? openSocketConnection(client, address.url, options) : Promise.resolve(createHttpConnection(client, address, options));

/** Git over HTTP (gitprotocol-http): each exchange is an HTTP request. */
function createHttpConnection(client: OutgoingClient, address: GitAddress, options: ConnectionOptions): GitConnection {
  const { service, pace, exchangeMs = defaultExchangeMs } = options;
  // Aborts running exchanges when the connection is disposed, whether or not the response was read to its end.
  const disposal = new AbortController();
  const signal = AbortSignal.any([options.signal, disposal.signal]);
  const limits = { timeoutMs: exchangeMs, ...(pace && { pace }), signal };
  const { credentials } = address;
  let base = address.url;
  const headers = (): Record<string, string> => ({
    "user-agent": agent,
    "git-protocol": "version=2",
    // A redirect target must not receive the credentials.
    ...(credentials !== undefined &&
      base.host === address.url.host && { authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}` }),
  });
  const check = (answer: OutgoingAnswer, type: string): OutgoingAnswer => {
    const problem = problemOf(answer, type);
    if (problem === undefined) return answer;
    answer.body.destroy();
    throw problem;
  };
  return {
    async greeting() {
      for (let hops = 0; ; hops += 1) {
        const url = below(base, `/info/refs?service=${service}`);
        const answer = await client.send({ method: "GET", url, headers: headers(), answerMs: greetingMs, ...limits });
        const next = hops < maxRedirects ? redirectOf(answer, url) : undefined;
        if (next === undefined) return skipServiceLine(createPktReader(bytesOf(check(answer, `application/x-${service}-advertisement`).body, base)), service);
        answer.body.destroy();
        base = next;
      }
    },
    async ask(body) {
      const url = below(base, `/${service}`);
      const type = `application/x-${service}`;
      const answer = await client.send({
        method: "POST",
        url,
        headers: { ...headers(), "content-type": `${type}-request`, accept: `${type}-result` },
        body,
        answerMs,
        ...limits,
      });
      return createPktReader(bytesOf(check(answer, `${type}-result`).body, base));
    },
    [Symbol.asyncDispose]: async () => disposal.abort(),
  };
}

/** Converts early stream ends into messages that may be shown. */
async function* bytesOf(stream: AsyncIterable<Uint8Array>, { hostname }: URL): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* stream;
  } catch (error) {
    if (error instanceof OutgoingError || (error as Error).name === "AbortError") throw error;
    throw new OutgoingError(`${hostname}: the connection was cut off`, { reason: "unreachable", cause: error });
  }
}

const below = (base: URL, rest: string): URL => new URL(base.href.replace(/\/$/, "") + rest);

/** Redirect target of the repository, for the first request only; redirects to other protocols are not followed. */
function redirectOf({ status, headers }: OutgoingAnswer, requested: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined || !URL.canParse(headers.location, requested)) return undefined;
  const target = readWebAddress(new URL(headers.location, requested).href);
  const at = target?.href.indexOf("/info/refs") ?? -1;
  const isWeaker = requested.protocol === "https:" && target?.protocol === "http:";
  return target === undefined || at < 0 || isWeaker ? undefined : readWebAddress(target.href.slice(0, at));
}

function problemOf({ status, headers }: OutgoingAnswer, type: string): RemoteError | undefined {
  if (status === 401 || status === 403) return new RemoteError("the remote rejected the credentials", { reason: "authentication" });
  if (status === 404 || status === 410) return new RemoteError("repository not found", { reason: "not_found" });
  if (status !== 200) return new RemoteError(`the remote answered with status ${status}`, { reason: "status", status });
  return headers["content-type"]?.split(";")[0]?.trim() === type ? undefined : new RemoteError("the remote is not a git server", { reason: "protocol" });
}

/** `# service=git-upload-pack`, which servers of version 2 may omit. */
async function skipServiceLine(reader: PktReader, service: RemoteService): Promise<PktReader> {
  const first = await reader.next();
  if (first?.kind !== "data") throw new RemoteError("the remote is not a git server", { reason: "protocol" });
  if (pktText(first.data) !== `# service=${service}`) return withFirst(first, reader);
  const flush = await reader.next();
  if (flush?.kind !== "flush") throw new RemoteError("the advertisement of the remote cannot be parsed", { reason: "protocol" });
  return reader;
}

const withFirst = (first: Awaited<ReturnType<PktReader["next"]>>, reader: PktReader): PktReader => {
  let isReturned = false;
  return {
    ...reader,
    consumedBytes: () => reader.consumedBytes(),
    next: () => {
      if (isReturned) return reader.next();
      isReturned = true;
      return Promise.resolve(first);
    },
  };
};

const gitPort = 9418;

/** The protocol of git daemons (gitprotocol-pack, Git Transport): all exchanges over one connection. */
async function openSocketConnection(client: OutgoingClient, url: URL, options: ConnectionOptions): Promise<GitConnection> {
  const { service, signal, pace = defaultPace, exchangeMs = defaultExchangeMs } = options;
  const [target] = await client.resolve(url);
  const port = url.port === "" ? gitPort : Number(url.port);
  const socket = connect({ host: target?.address ?? "", port, signal: AbortSignal.any([signal, AbortSignal.timeout(exchangeMs)]) });
  const late = (): OutgoingError => new OutgoingError(`${url.hostname}: the connection is silent or too slow`, { reason: "timeout" });
  const moved = (): number => socket.bytesRead + socket.bytesWritten;
  keepPace({ stream: socket, moved, isOurTurn: () => socket.readableLength > 0, late }, pace);
  await connected(socket, url);
  // Readers receive the error; between two exchanges there is no reader.
  socket.on("error", () => {});
  socket.write(encodePkt(`${service} ${url.pathname}\0host=${url.host}\0\0version=2\0`));
  const reader = createPktReader(bytesOf(socket, url));
  return {
    greeting: () => Promise.resolve(reader),
    async ask(body) {
      if (Buffer.isBuffer(body)) socket.write(body);
      else for await (const chunk of body) if (!socket.write(chunk)) await drained(socket);
      return reader;
    },
    [Symbol.asyncDispose]: async () => {
      socket.destroy();
    },
  };
}

const connected = (socket: Socket, { hostname }: URL): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.name === "AbortError" || error instanceof OutgoingError
          ? error
          : new OutgoingError(`${hostname}: ${error.code ?? error.message}`, { reason: connectionFailure(error), cause: error }),
      ),
    );
  });

const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (): void => {
      socket.off("drain", settle).off("close", settle);
      if (socket.destroyed) reject(new OutgoingError("the connection was closed", { reason: "unreachable" }));
      else resolve();
    };
    socket.on("drain", settle).on("close", settle);
  });
