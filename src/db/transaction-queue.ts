import { unavailable } from "../core/errors.ts";

/** A FIFO queue that runs one entry at a time. */
export interface TransactionQueue {
  /** @throws ForgeError `unavailable` on timeout; `work` was not started then */
  take<T>(work: () => Promise<T>): Promise<T>;
  readonly waiting: number;
}

interface Entry {
  readonly since: number;
  start(): void;
  refuse(): void;
}

/** Entries that only use memory and a local file may run back to back for this long before timers and sockets are served. */
const sliceMs = 4;

export function createTransactionQueue(limits: { readonly maxWaitMs: number }): TransactionQueue {
  const queue: Entry[] = [];
  let head = 0;
  let running = false;
  let sliceStart = 0;
  let overdue: NodeJS.Timeout | undefined;

  const next = (): void => {
    const entry = queue[head];
    if (entry === undefined) {
      running = false;
      queue.length = 0;
      head = 0;
      return;
    }
    head += 1;
    if (head > 1000) {
      queue.splice(0, head);
      head = 0;
    }
    if (performance.now() - sliceStart < sliceMs) entry.start();
    else
      setImmediate(() => {
        sliceStart = performance.now();
        entry.start();
      });
  };

  /** One timer for the whole queue: entries are ordered by age. */
  const watch = (): void => {
    if (overdue !== undefined) return;
    const oldest = queue[head];
    if (oldest === undefined) return;
    overdue = setTimeout(
      () => {
        overdue = undefined;
        const limit = performance.now() - limits.maxWaitMs;
        for (let entry = queue[head]; entry !== undefined && entry.since <= limit; entry = queue[head]) {
          head += 1;
          entry.refuse();
        }
        watch();
      },
      oldest.since + limits.maxWaitMs - performance.now() + 1,
    );
    overdue.unref();
  };

  return {
    get waiting() {
      return queue.length - head;
    },
    take<T>(work: () => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const start = (): void => {
          work().then(resolve, reject).finally(next);
        };
        if (!running) {
          running = true;
          sliceStart = performance.now();
          start();
          return;
        }
        queue.push({ since: performance.now(), start, refuse: () => reject(unavailable("the database is busy", { retryAfter: 5 })) });
        watch();
      });
    },
  };
}
