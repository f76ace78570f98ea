import { availableParallelism } from "node:os";
import { unavailable } from "../../core/errors.ts";
import { commandLine } from "../run/commands.ts";
import type { GitRunner } from "../run/runner.ts";
import { type CatFileWorker, createCatFileWorker, type ObjectReply, type ObjectRequest } from "./cat-file-worker.ts";

export interface CatFileLimits {
  /** Maximum number of processes in total. */
  readonly workers: number;
  /** Maximum number of processes per store. */
  readonly perStore: number;
  /** An idle process is ended after this time. */
  readonly idleMs: number;
  /** A process is replaced after this time: it can read removed packs that it has open. */
  readonly ageMs: number;
  /** Maximum number of requests waiting for a process. */
  readonly waiting: number;
}

/** Object directories of a worker: its key, and the environment variables that name them. */
export interface ObjectLocation {
  readonly key: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface CatFilePool {
  /** @throws ForgeError `unavailable` if every worker dies on it, or too many requests are waiting */
  request(location: ObjectLocation, command: "contents" | "info", name: string, maxBytes: number): Promise<ObjectReply>;
  /** Retires the workers of a store and of its quarantines; the next request starts a new one. */
  closeStore(key: string): Promise<void>;
  close(): Promise<void>;
}

interface PooledWorker {
  readonly key: string;
  readonly worker: CatFileWorker;
  readonly idleTimer: NodeJS.Timeout;
  /** On the monotonic clock. */
  readonly startedMs: number;
  /** Accepts no new requests. */
  retiring: boolean;
  lastUsed: number;
}

interface Waiting {
  readonly location: ObjectLocation;
  readonly request: ObjectRequest;
}

/** Queue depth from which a second worker for the same store pays off. Starting one takes as long as reading hundreds of commits. */
const busyDepth = 64;

/**
 * Manages workers per store. The least recently used idle worker makes room for a store that has none. If no worker is idle, one retires as
 * soon as a request has to wait.
 */
export function createCatFilePool(runner: GitRunner, given: Partial<CatFileLimits> = {}): CatFilePool {
  const limits: CatFileLimits = { workers: Math.max(8, availableParallelism() * 4), perStore: 2, idleMs: 60_000, ageMs: 3_600_000, waiting: 4096, ...given };
  const byKey = new Map<string, Set<PooledWorker>>();
  const waiting: Waiting[] = [];
  let total = 0;
  let uses = 0;
  let closed = false;

  const all = function* (): Generator<PooledWorker> {
    for (const workers of byKey.values()) yield* workers;
  };

  const retire = (pooled: PooledWorker): void => {
    pooled.retiring = true;
    if (pooled.worker.pending > 0) return;
    remove(pooled);
    pooled.worker.retire();
  };

  const remove = (pooled: PooledWorker): void => {
    const workers = byKey.get(pooled.key);
    if (!workers?.delete(pooled)) return;
    if (workers.size === 0) byKey.delete(pooled.key);
    total -= 1;
    clearTimeout(pooled.idleTimer);
  };

  const start = (location: ObjectLocation): PooledWorker => {
    const args = commandLine({ name: "cat-file", flags: { "--batch-command": true, "--buffer": true, "-z": true } });
    const pooled: PooledWorker = {
      key: location.key,
      retiring: false,
      startedMs: performance.now(),
      lastUsed: uses,
      idleTimer: setTimeout(() => {
        if (pooled.worker.pending === 0) retire(pooled);
        else pooled.idleTimer.refresh();
      }, limits.idleMs).unref(),
      worker: createCatFileWorker(runner.launch({ args, environment: location.environment, stdin: "pipe" }), {
        onIdle() {
          if (pooled.retiring) retire(pooled);
          else pooled.idleTimer.refresh();
          admit();
        },
        onEnd(again) {
          remove(pooled);
          for (const request of again) {
            if (closed) request.reject(stopping());
            else dispatch({ location, request });
          }
          admit();
        },
      }),
    };
    total += 1;
    const workers = byKey.get(location.key);
    if (workers) workers.add(pooled);
    else byKey.set(location.key, new Set([pooled]));
    return pooled;
  };

  /** Ends an idle worker to make room; false if all are busy. */
  const makeRoom = (): boolean => {
    if (total < limits.workers) return true;
    let oldest: PooledWorker | undefined;
    for (const pooled of all()) {
      if (pooled.worker.pending === 0 && (oldest === undefined || pooled.lastUsed < oldest.lastUsed)) oldest = pooled;
    }
    if (oldest === undefined) return false;
    retire(oldest);
    return true;
  };

  const find = (location: ObjectLocation): PooledWorker | undefined => {
    let best: PooledWorker | undefined;
    let count = 0;
    for (const pooled of [...(byKey.get(location.key) ?? [])]) {
      if (performance.now() - pooled.startedMs > limits.ageMs) retire(pooled);
      if (pooled.retiring || pooled.worker.broken) continue;
      count += 1;
      if (best === undefined || pooled.worker.pending < best.worker.pending) best = pooled;
    }
    if (best !== undefined && (best.worker.pending < busyDepth || count >= limits.perStore || total >= limits.workers)) return best;
    return makeRoom() ? start(location) : undefined;
  };

  const dispatch = (item: Waiting): void => {
    let pooled: PooledWorker | undefined;
    try {
      pooled = find(item.location);
    } catch (error) {
      item.request.reject(error);
      return;
    }
    if (pooled !== undefined) {
      uses += 1;
      pooled.lastUsed = uses;
      pooled.worker.send(item.request);
      return;
    }
    if (waiting.length >= limits.waiting) {
      item.request.reject(unavailable("the server is busy", { retryAfter: 2, meta: { reason: "queue_full" } }));
      return;
    }
    waiting.push(item);
    retireBusiest();
  };

  /** Retires as many workers as there are waiting stores, those with the shortest queue first. */
  const retireBusiest = (): void => {
    const keys = new Set(waiting.map((item) => item.location.key));
    let retiring = 0;
    let next: PooledWorker | undefined;
    for (const pooled of all()) {
      if (pooled.retiring) retiring += 1;
      else if (next === undefined || pooled.worker.pending < next.worker.pending) next = pooled;
    }
    if (next !== undefined && retiring < keys.size) next.retiring = true;
  };

  const admit = (): void => {
    const items = waiting.splice(0);
    for (const item of items) dispatch(item);
  };

  return {
    request: (location, command, name, maxBytes) =>
      new Promise((resolve, reject) => {
        if (closed) reject(stopping());
        else dispatch({ location, request: { command, name, maxBytes, deaths: 0, resolve, reject } });
      }),
    async closeStore(key) {
      const doomed = [...all()].filter((pooled) => pooled.key === key || pooled.key.startsWith(`${key}/`));
      for (const pooled of doomed) retire(pooled);
      await Promise.all(doomed.map(({ worker }) => worker.ended));
    },
    async close() {
      closed = true;
      for (const { request } of waiting.splice(0)) request.reject(stopping());
      const workers = [...all()];
      for (const { worker } of workers) worker.kill();
      await Promise.all(workers.map(({ worker }) => worker.ended));
    },
  };
}

function stopping() {
  return unavailable("the server is stopping", { retryAfter: 5 });
}
