import { createTransactionQueue } from "./transaction-queue.ts";

/** Runs work concurrently, except for work that has to run alone. */
export interface Gate {
  /** Starts immediately, or once no exclusive work is running. */
  shared<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Starts when no other work is running, or after {@link GateLimits.maxDrainMs} concurrently with work that has not ended. @throws
   * ForgeError `unavailable` on timeout
   */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
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
    async shared(work) {
      while (closed !== undefined) await closed.promise;
      active += 1;
      try {
        return await work();
      } finally {
        active -= 1;
        if (active === 0) drained?.resolve();
      }
    },
    exclusive: (work) =>
      turns.take(async () => {
        closed ??= Promise.withResolvers();
        try {
          await drain();
          return await work();
        } finally {
          // While exclusive work is waiting, admitting other work would only cause new collisions.
          if (turns.waiting === 0) {
            closed.resolve();
            closed = undefined;
          }
        }
      }),
  };
}
