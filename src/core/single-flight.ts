import { unavailable } from "./errors.ts";

/**
 * Shares work among concurrent callers that ask for the same result: the first caller starts it, the others wait for its outcome.
 * Work that stores its result should look for a stored one first, because a caller may arrive just after another run has ended.
 */
export interface SingleFlight {
  /**
   * @param key identifies the result, including its type
   * @param work its signal is aborted once every caller has aborted
   * @throws ForgeError `unavailable` for a caller whose own signal aborts; otherwise as `work`
   */
  run<T>(key: string, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

interface Flight {
  readonly outcome: Promise<unknown>;
  readonly controller: AbortController;
  callers: number;
}

export function createSingleFlight(): SingleFlight {
  const flights = new Map<string, Flight>();

  function start(key: string, work: (signal: AbortSignal) => Promise<unknown>): Flight {
    const controller = new AbortController();
    const outcome = work(controller.signal).finally(() => leave(key, flight));
    // Reported to the callers that still wait.
    outcome.catch(() => {});
    const flight: Flight = { outcome, controller, callers: 0 };
    flights.set(key, flight);
    return flight;
  }

  function leave(key: string, flight: Flight): void {
    if (flights.get(key) === flight) flights.delete(key);
  }

  return {
    async run<T>(key: string, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      if (signal?.aborted) throw ended(signal);
      const flight = flights.get(key) ?? start(key, work);
      flight.callers += 1;
      if (signal === undefined) return flight.outcome as Promise<T>;
      const gone = Promise.withResolvers<never>();
      const onAbort = (): void => {
        flight.callers -= 1;
        if (flight.callers === 0) {
          leave(key, flight);
          flight.controller.abort(signal.reason);
        }
        gone.reject(ended(signal));
      };
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        return (await Promise.race([flight.outcome, gone.promise])) as T;
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}

const ended = (signal: AbortSignal) => unavailable("the request was ended", { meta: { reason: "aborted" }, cause: signal.reason });
