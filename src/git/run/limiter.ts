import { unavailable } from "../../core/errors.ts";

export interface LaneLimits {
  /** Processes at once. */
  readonly total: number;
  /** Processes at once for one store. */
  readonly perStore: number;
  /** Callers that may wait; the next one is refused at once. */
  readonly queue: number;
  /** The longest wait. */
  readonly waitMs: number;
}

interface Waiter {
  readonly key: string;
  start(): void;
}

export interface Limiter {
  /** Waits for a place and returns what gives it back. @throws ForgeError `unavailable` with `retryAfter` when the queue is full or the wait too long */
  acquire(key: string, signal?: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

const retryAfter = 2;

/** A bounded number of places in all and per key, with a bounded first-come queue that a busy key cannot block for the others. */
export function createLimiter(limits: LaneLimits): Limiter {
  const perKey = new Map<string, number>();
  const queue = new Set<Waiter>();
  let running = 0;

  const fits = (key: string): boolean => running < limits.total && (perKey.get(key) ?? 0) < limits.perStore;

  const take = (key: string): (() => void) => {
    running += 1;
    perKey.set(key, (perKey.get(key) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      running -= 1;
      const left = (perKey.get(key) ?? 1) - 1;
      if (left === 0) perKey.delete(key);
      else perKey.set(key, left);
      admit();
    };
  };

  const admit = (): void => {
    for (const waiter of queue) {
      if (running >= limits.total) return;
      if (!fits(waiter.key)) continue;
      queue.delete(waiter);
      waiter.start();
    }
  };

  const acquire = (key: string, signal?: AbortSignal): Promise<() => void> => {
    if (signal?.aborted) return Promise.reject(aborted(signal));
    if (fits(key)) return Promise.resolve(take(key));
    if (queue.size >= limits.queue) return Promise.reject(unavailable("the server is busy", { retryAfter, meta: { reason: "queue_full" } }));
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        queue.delete(waiter);
      };
      const onAbort = (): void => {
        settle();
        reject(aborted(signal));
      };
      const waiter: Waiter = {
        key,
        start() {
          settle();
          resolve(take(key));
        },
      };
      const timer = setTimeout(() => {
        settle();
        reject(unavailable("the server is busy", { retryAfter, meta: { reason: "queue_wait" } }));
      }, limits.waitMs);
      signal?.addEventListener("abort", onAbort, { once: true });
      queue.add(waiter);
    });
  };

  return {
    acquire,
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
  };
}

/** What a caller sees whose own signal ended the work. */
export function aborted(signal: AbortSignal | undefined) {
  return unavailable("the request was ended", { meta: { reason: "aborted" }, cause: signal?.reason });
}
