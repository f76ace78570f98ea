import { aborted } from "./aborted.ts";
import type { Budget } from "./budget.ts";
import { type ForgeError, throttled, unavailable } from "./errors.ts";

/** Classes of callers, from the first served to the last. */
export const callerClasses = ["interactive", "automated", "anonymous"] as const;
export type CallerClass = (typeof callerClasses)[number];

export interface Caller {
  readonly kind: CallerClass;
  /** Callers of a class share its places fairly by this key: a user, or the network of an anonymous caller. */
  readonly key: string;
}

export interface ClassRules {
  /** Maximum number of requests of the class and of all later classes that work at once: the rest is reserved for earlier classes. */
  readonly places: number;
  /** Maximum number of waiting requests of the class. */
  readonly queue: number;
  /** Maximum number of waiting requests of one caller. */
  readonly perCaller: number;
}

export interface LaneRules {
  readonly classes: Readonly<Record<CallerClass, ClassRules>>;
  /** Requests whose estimated wait is longer are refused at once, and requests that have waited longer are refused then. */
  readonly waitMs: number;
  /** A response that is sent in pieces leaves its place after this time: downloads and event streams take long, but little work. */
  readonly streamMs?: number;
  /** The time that each caller may hold places; shared by the lanes of a server. Users have one for all their requests. */
  readonly budgets?: Readonly<Record<CallerClass, Budget>>;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

export interface Place {
  /** Gives the place to the next request. Further calls have no effect. */
  leave(): void;
  /**
   * Reports a part of the response: the time for which its source worked, and the time for which the client read. A place is left early once
   * the client is the slower side, because a slow line must not block the lane.
   */
  spent(sourceMs: number, readerMs: number): void;
  /** From {@link LaneRules}. */
  readonly streamMs: number | undefined;
}

export interface ClassCounts {
  readonly working: number;
  readonly waiting: number;
  /** Requests that got a place. */
  readonly entered: number;
  /** Requests that were refused. */
  readonly refused: number;
}

/** Expensive work of one kind. Requests get its places in the order of their classes, and fairly between the callers of a class. */
export interface Lane {
  /** @throws ForgeError `throttled` or `unavailable`, with `retryAfter` */
  enter(caller: Caller, signal?: AbortSignal): Promise<Place>;
  counts(kind: CallerClass): ClassCounts;
}

/** Enters a lane on behalf of one caller. */
export type Enter = (signal?: AbortSignal) => Promise<Place>;

interface Waiter {
  start(): void;
}

interface CallerState {
  /** Place time that the caller has used, in ms, on the scale of {@link ClassState.usedMs}. */
  usedMs: number;
  working: number;
  readonly waiting: Set<Waiter>;
}

interface ClassState {
  readonly rules: ClassRules;
  readonly callers: Map<string, CallerState>;
  /** Callers with waiting requests, the longest waiting first. */
  readonly queue: Set<CallerState>;
  working: number;
  waiting: number;
  entered: number;
  refused: number;
  /** Use of the caller that was served last: a caller who returns has used at least this much. */
  usedMs: number;
  /** Moving average of the time for which a place is held. */
  averageMs: number;
}

/** Every eighth place goes to the last class that waits, so that no class waits forever. */
const turnOfTheLast = 8;
/** Weight of a new value in the average. */
const averageWeight = 1 / 8;
/** A longer time counts as this many averages, or as this time: one slow request says little about those that wait behind it. */
const outlier = { averages: 4, ms: 100 };
/** Callers whose use is remembered. */
const maxCallers = 2_000;
/** Time for which a client may be the slower side. */
const maxReaderMs = 5_000;
const maxRetrySeconds = 60;

export function createLane(rules: LaneRules): Lane {
  const { now = () => performance.now() } = rules;
  const states = callerClasses.map(
    (kind): ClassState => ({
      rules: rules.classes[kind],
      callers: new Map(),
      queue: new Set(),
      working: 0,
      waiting: 0,
      entered: 0,
      refused: 0,
      usedMs: 0,
      averageMs: 0,
    }),
  );
  const fromLast = states.toReversed();
  let turns = 0;

  const stateOf = (kind: CallerClass): ClassState => states[callerClasses.indexOf(kind)] as ClassState;
  const hasRoom = (state: ClassState): boolean => {
    let working = 0;
    let hasReached = false;
    for (const one of fromLast) {
      working += one.working;
      hasReached ||= one === state;
      if (hasReached && working >= one.rules.places) return false;
    }
    return true;
  };

  const take = (state: ClassState, caller: CallerState, who: Caller): Place => {
    state.working += 1;
    state.entered += 1;
    caller.working += 1;
    state.usedMs = Math.max(state.usedMs, caller.usedMs);
    // The cost is not known yet: the average is charged, and corrected at the end.
    const charged = state.averageMs;
    caller.usedMs = state.usedMs + charged;
    const startedMs = now();
    let isHeld = true;
    const bySide = { source: 0, reader: 0 };
    const leave = (): void => {
      if (!isHeld) return;
      isHeld = false;
      const heldMs = now() - startedMs;
      caller.usedMs += heldMs - charged;
      rules.budgets?.[who.kind].spend(who.key, Math.max(0, heldMs - bySide.reader));
      const countedMs = Math.min(heldMs, Math.max(outlier.ms, outlier.averages * state.averageMs));
      state.averageMs += (countedMs - state.averageMs) * averageWeight;
      state.working -= 1;
      caller.working -= 1;
      admit();
      tidy(state);
    };
    return {
      leave,
      streamMs: rules.streamMs,
      spent(sourceMs, readerMs) {
        bySide.source += sourceMs;
        bySide.reader += readerMs;
        if (bySide.reader > maxReaderMs && bySide.reader > bySide.source) leave();
      },
    };
  };

  const admit = (): void => {
    for (;;) {
      const order = turns % turnOfTheLast === turnOfTheLast - 1 ? fromLast : states;
      const state = order.find((one) => one.waiting > 0 && hasRoom(one));
      if (state === undefined) return;
      turns += 1;
      let chosen: CallerState | undefined;
      for (const caller of state.queue) if (chosen === undefined || caller.usedMs < chosen.usedMs) chosen = caller;
      for (const waiter of chosen?.waiting ?? []) {
        waiter.start();
        break;
      }
    }
  };

  /** Forgets callers that have no requests: all of them when the class is idle, and otherwise when there are many. */
  const tidy = (state: ClassState): void => {
    const isIdle = state.working === 0 && state.waiting === 0;
    if (!isIdle && state.callers.size <= maxCallers) return;
    for (const [key, caller] of state.callers) if (caller.working === 0 && caller.waiting.size === 0) state.callers.delete(key);
    if (isIdle) state.usedMs = 0;
  };

  const waitOf = (state: ClassState): number => {
    let ahead = 1;
    for (const one of states) {
      ahead += one.waiting;
      if (one === state) break;
    }
    return (ahead * state.averageMs) / state.rules.places;
  };

  const refuse = (state: ClassState, make: (retryAfter: number) => ForgeError): Promise<never> => {
    state.refused += 1;
    return Promise.reject(make(Math.min(maxRetrySeconds, Math.max(1, Math.ceil(waitOf(state) / 1_000)))));
  };

  const busy = (reason: string) => (retryAfter: number) =>
    unavailable(`the server is busy: try again in ${retryAfter} s`, { retryAfter, reason: "server_busy", meta: { reason } });

  const callerOf = (state: ClassState, key: string): CallerState => {
    const known = state.callers.get(key);
    if (known !== undefined) return known;
    const caller: CallerState = { usedMs: 0, working: 0, waiting: new Set() };
    state.callers.set(key, caller);
    return caller;
  };

  const wait = (state: ClassState, caller: CallerState, who: Caller, signal: AbortSignal | undefined): Promise<Place> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        state.waiting -= 1;
        caller.waiting.delete(waiter);
        if (caller.waiting.size === 0) state.queue.delete(caller);
      };
      const onAbort = (): void => {
        settle();
        tidy(state);
        reject(aborted(signal));
      };
      const waiter: Waiter = {
        start() {
          settle();
          resolve(take(state, caller, who));
        },
      };
      const timer = setTimeout(() => {
        settle();
        tidy(state);
        refuse(state, busy("queue_wait")).catch(reject);
      }, rules.waitMs);
      signal?.addEventListener("abort", onAbort, { once: true });
      state.waiting += 1;
      caller.usedMs = Math.max(caller.usedMs, state.usedMs);
      caller.waiting.add(waiter);
      state.queue.add(caller);
    });

  return {
    enter(who, signal) {
      const { kind, key } = who;
      if (signal?.aborted) return Promise.reject(aborted(signal));
      const state = stateOf(kind);
      const overMs = rules.budgets?.[kind].waitMs(key) ?? 0;
      if (overMs > 0) {
        state.refused += 1;
        const seconds = Math.ceil(overMs / 1_000);
        const options = { retryAfter: seconds, reason: { code: "budget_used", seconds }, meta: { reason: "budget_used" } } as const;
        return Promise.reject(throttled(`your requests have used their share of this server: send fewer, and try again in ${seconds} s`, options));
      }
      if (state.waiting === 0 && hasRoom(state)) return Promise.resolve(take(state, callerOf(state, key), who));
      const { queue, perCaller } = state.rules;
      const waiting = state.callers.get(key)?.waiting.size ?? 0;
      if (waiting >= perCaller) {
        return refuse(state, (retryAfter) =>
          throttled(`too many of your requests are waiting: send fewer at once, and try again in ${retryAfter} s`, {
            retryAfter,
            reason: "too_many_requests",
            meta: { reason: "caller_queue_full" },
          }),
        );
      }
      if (state.waiting >= queue) return refuse(state, busy("queue_full"));
      if (waitOf(state) > rules.waitMs) return refuse(state, busy("long_wait"));
      return wait(state, callerOf(state, key), who, signal);
    },
    counts(kind) {
      const { working, waiting, entered, refused } = stateOf(kind);
      return { working, waiting, entered, refused };
    },
  };
}

/** Passes on the chunks of a source. Leaves the place at their end, after the lane's time for streams, or once the reader is slower than the source. */
export async function* inPlace<T>(place: Place, source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const timer = place.streamMs === undefined ? undefined : setTimeout(place.leave, place.streamMs);
  try {
    let fromMs = performance.now();
    for await (const chunk of source) {
      const madeMs = performance.now();
      yield chunk;
      const takenMs = performance.now();
      place.spent(madeMs - fromMs, takenMs - madeMs);
      fromMs = takenMs;
    }
  } finally {
    clearTimeout(timer);
    place.leave();
  }
}
