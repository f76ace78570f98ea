import { isForgeError, unavailable } from "../../core/errors.ts";
import type { GitProcess } from "../run/runner.ts";
import type { ObjectType, Oid } from "../types.ts";

/** Reply of `git cat-file --batch-command` for one name. */
export type ObjectReply =
  | { readonly status: "found"; readonly oid: Oid; readonly type: ObjectType; readonly sizeBytes: number; readonly data: Buffer }
  /** Larger than the request allows; the content was discarded. */
  | { readonly status: "too_large"; readonly oid: Oid; readonly type: ObjectType; readonly sizeBytes: number }
  | { readonly status: "missing" }
  | { readonly status: "ambiguous" };

export interface ObjectRequest {
  readonly command: "contents" | "info";
  /** An object id or a prefix of one, with or without `^{type}`. Never a name supplied by a user. */
  readonly name: string;
  readonly maxBytes: number;
  /** Number of workers that died with this request pending, see {@link diedOver}. */
  deaths: number;
  resolve(reply: ObjectReply): void;
  reject(error: unknown): void;
}

export interface CatFileWorker {
  /** Number of unanswered requests. */
  readonly pending: number;
  /** True if it accepts no more requests: it has ended, or is ending. */
  readonly broken: boolean;
  send(request: ObjectRequest): void;
  /** Ends the process after its last reply. */
  retire(): void;
  /** Ends the process immediately. */
  kill(): void;
  /** Settles when the process has ended, or could not be started; never rejects. */
  readonly ended: Promise<void>;
}

export interface WorkerEvents {
  /** Called when the last pending request is answered. */
  onIdle(): void;
  /**
   * Called when the process has ended. `again` holds unanswered requests that may be retried on another worker; the others were rejected.
   */
  onEnd(again: readonly ObjectRequest[]): void;
}

/** Unwanted contents up to this size are read and dropped; beyond it, starting a new process is cheaper. */
const drainBytes = 1024 * 1024;
const newline = 0x0a;
const empty = Buffer.alloc(0);

interface Body {
  readonly reply: ObjectReply;
  /** Undefined while the content is dropped. */
  readonly data: Buffer | undefined;
  readonly size: number;
  received: number;
}

/**
 * Implements the protocol of one process: requests are sent in one write per event loop turn, replies arrive in order. Requests wait for the
 * start of the process.
 */
export function createCatFileWorker(starting: Promise<GitProcess>, events: WorkerEvents): CatFileWorker {
  let process: GitProcess | undefined;
  const queue: ObjectRequest[] = [];
  let head = 0;
  let outgoing = "";
  let headerTail: Buffer = empty;
  let body: Body | undefined;
  let broken = false;
  let isRetired = false;

  const pending = (): number => queue.length - head;

  const finish = (reply: ObjectReply): void => {
    const request = queue[head];
    head += 1;
    if (head === queue.length) {
      queue.length = 0;
      head = 0;
    }
    request?.resolve(reply);
    if (queue.length === 0) events.onIdle();
  };

  const kill = (): void => {
    broken = true;
    process?.terminate();
  };

  const onHeader = (header: string): void => {
    const request = queue[head];
    const [oid = "", type = "", digits = ""] = header.split(" ");
    const sizeBytes = Number(digits);
    if (header.endsWith(" missing")) finish({ status: "missing" });
    else if (header.endsWith(" ambiguous")) finish({ status: "ambiguous" });
    else if (request === undefined || !isObjectType(type) || !Number.isSafeInteger(sizeBytes)) kill();
    else if (request.command === "info") finish({ status: "found", oid, type, sizeBytes, data: empty });
    else if (sizeBytes <= request.maxBytes) {
      const data = Buffer.allocUnsafeSlow(sizeBytes);
      body = { reply: { status: "found", oid, type, sizeBytes, data }, data, size: sizeBytes, received: 0 };
    } else {
      const reply: ObjectReply = { status: "too_large", oid, type, sizeBytes };
      if (sizeBytes > drainBytes) {
        kill();
        finish(reply);
      } else body = { reply, data: undefined, size: sizeBytes, received: 0 };
    }
  };

  const onData = (chunk: Buffer): void => {
    let offset = 0;
    while (offset < chunk.length && !broken) {
      if (body !== undefined) {
        // The content and the newline after it.
        const wanted = body.size - body.received;
        const taken = Math.min(wanted, chunk.length - offset);
        body.data?.set(chunk.subarray(offset, offset + taken), body.received);
        body.received += taken;
        offset += taken;
        if (body.received < body.size || offset === chunk.length) continue;
        offset += 1;
        const { reply } = body;
        body = undefined;
        finish(reply);
        continue;
      }
      const end = chunk.indexOf(newline, offset);
      const part = chunk.subarray(offset, end === -1 ? chunk.length : end);
      if (end === -1) {
        headerTail = Buffer.concat([headerTail, part]);
        return;
      }
      const header = headerTail.length === 0 ? part.toString("latin1") : Buffer.concat([headerTail, part]).toString("latin1");
      headerTail = empty;
      offset = end + 1;
      onHeader(header);
    }
  };

  const end = (error?: Error): void => {
    const left = queue.splice(0).slice(head);
    head = 0;
    const killed = broken;
    broken = true;
    events.onEnd(killed ? left : left.filter((request, index) => !diedOver(request, index === 0, error)));
  };

  const flush = (): void => {
    if (process === undefined || outgoing === "") return;
    const text = outgoing;
    outgoing = "";
    process.stdin?.write(`${text}flush\0`);
  };

  const begin = (started: GitProcess): Promise<void> => {
    process = started;
    process.stdout.on("data", onData);
    process.stdout.on("error", () => {});
    flush();
    if (broken) process.terminate();
    else if (isRetired) process.stdin?.end();
    return process.ended.then(({ error }) => end(error));
  };
  const ended = starting.then(begin, end);

  return {
    get pending() {
      return pending();
    },
    get broken() {
      return broken;
    },
    send(request) {
      if (!/^[0-9a-f]{4,64}(?:\^\{(?:commit|tree|blob|tag)\})?$/.test(request.name)) {
        request.reject(new TypeError("an object must be requested by its id"));
        return;
      }
      queue.push(request);
      if (outgoing === "") queueMicrotask(flush);
      outgoing += `${request.command} ${request.name}\0`;
    },
    retire() {
      isRetired = true;
      flush();
      process?.stdin?.end();
    },
    kill,
    ended,
  };
}

function isObjectType(type: string): type is ObjectType {
  return type === "commit" || type === "tree" || type === "blob" || type === "tag";
}

/** Number of worker deaths that a request survives. The request being answered at the death counts for {@link guilty}. */
const maxDeaths = 8;
const guilty = 4;

const workerDeath = "object_worker";

/** Whether a request failed because several workers died over it. */
export const isWorkerDeath = (error: unknown): boolean => isForgeError(error, "unavailable") && error.options.meta?.reason === workerDeath;

/** Counts a worker's death; true if the request was rejected as unreadable because of it. */
function diedOver(request: ObjectRequest, isFirst: boolean, spawnError: Error | undefined): boolean {
  request.deaths += isFirst ? guilty : 1;
  if (spawnError === undefined && request.deaths < maxDeaths) return false;
  const reason = spawnError === undefined ? workerDeath : "spawn";
  request.reject(unavailable("the object cannot be read", { retryAfter: 5, cause: spawnError, meta: { reason, object: request.name } }));
  return true;
}
