import { createTransactionQueue } from "./transaction-queue.ts";

/** Runs work side by side, except for work that has to run alone. */
export interface Gate {
  /** Starts at once, or as soon as no work runs alone any more. */
  beside<T>(work: () => Promise<T>): Promise<T>;
  /** Starts when nothing else runs, or after {@link GateLimits.maxDrainMs} beside the work that has not ended by then. @throws ForgeError `unavailable` when its turn did not come */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export interface GateLimits {
  readonly maxWaitMs: number;
  readonly maxDrainMs: number;
}

export function createGate({ maxWaitMs, maxDrainMs }: GateLimits): Gate {
  const turns = createTransactionQueue({ maxWaitMs });
  let active = 0;
  /** Resolves when the gate opens. */
  let closed: PromiseWithResolvers<void> | undefined;
  let drained: PromiseWithResolvers<void> | undefined;

  const drain = async (): Promise<void> => {
    if (active === 0) return;
    drained = Promise.withResolvers();
    const timer = setTimeout(drained.resolve, maxDrainMs);
    await drained.promise;
    clearTimeout(timer);
  };

  return {
    async beside(work) {
      while (closed !== undefined) await closed.promise;
      active += 1;
      try {
        return await work();
      } finally {
        active -= 1;
        if (active === 0) drained?.resolve();
      }
    },
    alone: (work) =>
      turns.take(async () => {
        closed ??= Promise.withResolvers();
        try {
          await drain();
          return await work();
        } finally {
          // While others wait to run alone, letting the rest in would only make them collide again.
          if (turns.waiting === 0) {
            closed.resolve();
            closed = undefined;
          }
        }
      }),
  };
}
