import { aborted } from "../../core/aborted.ts";
import { unavailable } from "../../core/errors.ts";

export interface LaneLimits {
  /** Maximum number of concurrent processes. */
  readonly total: number;
  /** Maximum number of concurrent processes per store. */
  readonly perStore: number;
  /** Maximum number of waiting callers; further ones are rejected immediately. */
  readonly queue: number;
  /** Maximum wait. */
  readonly waitMs: number;
}

interface Waiter {
  readonly key: string;
  start(): void;
}

export interface Limiter {
  /**
   * Waits for a slot and returns its release function. @throws ForgeError `unavailable` with `retryAfter` if the queue is full or the wait
   * too long
   */
  acquire(key: string, signal?: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

const retryAfter = 2;

/** Limits concurrency in total and per key, with a bounded FIFO queue in which a busy key does not block others. */
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
