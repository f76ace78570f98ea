import type { Clock } from "../core/clock.ts";
import { isForgeError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Db } from "../db/db.ts";
import { isPermanentFailure } from "../git/run/permanent-failure.ts";
import { type DispatchedType, type EventType, isDispatched, type RecordedEvent } from "./events.ts";
import { loadUndispatched, markDispatched } from "./store.ts";

export interface DispatcherDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

export interface DispatcherOptions {
  /** Pause before a failed handler is retried; it doubles each time. */
  readonly firstRetryMs?: number;
  /** How often to look for events left by other processes, and their minimum age. */
  readonly sweepMs?: number;
}

export type EventHandler<Type extends DispatchedType> = (event: RecordedEvent<Type>) => Promise<void>;

export interface Dispatcher {
  /**
   * Registers a listener. It receives every event of its types at least once, one at a time, in the order of their ids (of those committed
   * by one process). After a crash it may receive an event again.
   * A failing handler is retried with growing pauses; after the last attempt the event is logged and skipped.
   * Handlers must be quick: slow or network-bound work belongs in a job.
   * @param name for the log
   */
  on<Type extends DispatchedType>(name: string, types: readonly Type[], handler: EventHandler<Type>): void;
  /** Delivers events left by earlier processes, then new ones. Call once, after all {@link on}. */
  start(): Promise<void>;
  /** Delivers the events that an ended process has left. One that another process is delivering at this moment may be delivered twice. */
  takeOver(): void;
  /** Resolves when every event committed before has been delivered or skipped. */
  settled(): Promise<void>;
  /** Waits for running handlers. Undelivered events stay for the next start. */
  stop(): Promise<void>;
}

/** Attempts per event. Failures while the database or the machine lacks resources do not count; those of a damaged repository do. */
const maxAttempts = 8;
const defaultFirstRetryMs = 250;
const maxRetryMs = 60_000;
/** Events kept in memory per listener; beyond that, they are read from the table once the listener has caught up. */
const maxBacklog = 1_000;
const batch = 200;
/** Marks are collected for this long: an event costs one INSERT and a share of an UPDATE. */
const markDelayMs = 1_000;
const defaultSweepMs = 60_000;
/** A running process has usually delivered and marked an event by this age. */
const takenOverMs = 2 * markDelayMs;

interface Listener {
  readonly name: string;
  readonly types: ReadonlySet<EventType>;
  readonly handler: (event: RecordedEvent) => Promise<void>;
  readonly backlog: Delivery[];
  isRunning: boolean;
  /** The last event was skipped: the next one gets one attempt, so that a broken listener does not block the queue. */
  isBroken: boolean;
}

interface Delivery {
  readonly event: RecordedEvent;
  /** Number of listeners that have not handled it. */
  missing: number;
}

export function createDispatcher(deps: DispatcherDeps, options: DispatcherOptions = {}): Dispatcher {
  const { db, clock, log } = deps;
  const { firstRetryMs = defaultFirstRetryMs, sweepMs = defaultSweepMs } = options;
  const listeners: Listener[] = [];
  /** Events being delivered by this process, until they are marked. */
  const open = new Map<number, Delivery>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let taken: number[] = [];
  /** Marked events that a sweep may have read before they were marked. */
  const marked: number[] = [];
  let isSweeping = false;
  /** The table contains events of this process that are not in memory. */
  let isBehind = false;
  let markTimer: NodeJS.Timeout | undefined;
  let sweepTimer: NodeJS.Timeout | undefined;
  let unlisten: (() => void) | undefined;

  const track = (work: Promise<void>): void => {
    running.add(work);
    void work.finally(() => running.delete(work));
  };

  /** @returns false if a listener's backlog is full; then no listener receives it */
  const accept = (event: RecordedEvent): boolean => {
    if (open.has(event.id)) return true;
    const interested = listeners.filter((listener) => listener.types.has(event.type));
    if (interested.some((listener) => listener.backlog.length >= maxBacklog)) return false;
    const delivery = { event, missing: interested.length };
    open.set(event.id, delivery);
    if (interested.length === 0) finish(delivery);
    for (const listener of interested) {
      listener.backlog.push(delivery);
      if (!listener.isRunning) track(drain(listener));
    }
    return true;
  };

  const drain = async (listener: Listener): Promise<void> => {
    listener.isRunning = true;
    for (let delivery = listener.backlog[0]; delivery !== undefined && !stopping.signal.aborted; delivery = listener.backlog[0]) {
      if (!(await deliver(listener, delivery.event))) break;
      listener.backlog.shift();
      delivery.missing -= 1;
      if (delivery.missing === 0) finish(delivery);
    }
    listener.isRunning = false;
    if (isBehind && !isSweeping) track(sweep());
  };

  /** @returns false if the dispatcher stops before the event was handled or skipped */
  const deliver = async (listener: Listener, event: RecordedEvent): Promise<boolean> => {
    for (let attempt = 1; ; ) {
      try {
        await listener.handler(event);
        listener.isBroken = false;
        return true;
      } catch (error) {
        const isAway = isForgeError(error, "unavailable") && !isPermanentFailure(error);
        if (!isAway && (attempt >= maxAttempts || listener.isBroken)) {
          listener.isBroken = true;
          log.error({ err: error, listener: listener.name, event: event.id, type: event.type, attempt }, "an event listener failed and the event was skipped");
          return true;
        }
        log.warn({ err: error, listener: listener.name, event: event.id, type: event.type, attempt }, "an event listener failed; the event is delivered again");
        if (!(await pause(Math.min(firstRetryMs * 2 ** (attempt - 1), maxRetryMs)))) return false;
        if (!isAway) attempt += 1;
      }
    }
  };

  const pause = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        stopping.signal.removeEventListener("abort", end);
        resolve(!stopping.signal.aborted);
      };
      const timer = setTimeout(end, ms);
      stopping.signal.addEventListener("abort", end);
      if (stopping.signal.aborted) end();
    });

  const finish = (delivery: Delivery): void => {
    taken.push(delivery.event.id);
    if (!stopping.signal.aborted) markTimer ??= setTimeout(() => track(mark()), markDelayMs);
  };

  const mark = async (): Promise<void> => {
    clearTimeout(markTimer);
    markTimer = undefined;
    const ids = taken;
    if (ids.length === 0) return;
    taken = [];
    try {
      await db.tx((tx) => markDispatched(tx, ids));
      marked.push(...ids);
      if (!isSweeping) forgetMarked();
    } catch (error) {
      log.warn({ err: error, events: ids.length }, "delivered events could not be marked; they are marked later or delivered again");
      taken.push(...ids);
      if (!stopping.signal.aborted) markTimer ??= setTimeout(() => track(mark()), sweepMs);
    }
  };

  /** Reads events from the table, oldest first. New events wait in the table until the sweep has caught up. */
  const sweep = async (createdBeforeMs = Number.MAX_SAFE_INTEGER): Promise<void> => {
    if (isSweeping || stopping.signal.aborted) return;
    isSweeping = true;
    try {
      let range = { afterId: 0, createdBeforeMs, limit: batch };
      isBehind = false;
      for (;;) {
        const events = await loadUndispatched(db, range);
        if (stopping.signal.aborted) return;
        if (events.some((event) => !accept(event))) {
          isBehind = true;
          return;
        }
        const last = events.length < batch ? undefined : events.at(-1);
        if (last !== undefined) {
          range = { ...range, afterId: last.id };
        } else if (isBehind) {
          // Events committed during the read are newer than the range, and may have smaller ids.
          range = { afterId: 0, createdBeforeMs: Number.MAX_SAFE_INTEGER, limit: batch };
          isBehind = false;
        } else {
          return;
        }
      }
    } catch (error) {
      isBehind = true;
      log.warn({ err: error }, "failed to read events; retrying");
    } finally {
      isSweeping = false;
      forgetMarked();
    }
  };

  const forgetMarked = (): void => {
    for (const id of marked.splice(0)) open.delete(id);
  };

  const sweepLater = (): void => {
    sweepTimer = setTimeout(() => {
      const work = isBehind ? sweep() : sweep(clock.now() - sweepMs);
      track(work.then(sweepLater));
    }, sweepMs);
    sweepTimer.unref();
  };

  return {
    on(name, types, handler) {
      listeners.push({ name, types: new Set(types), handler: handler as Listener["handler"], backlog: [], isRunning: false, isBroken: false });
    },
    async start() {
      unlisten = db.listen("events", (value) => {
        const event = value as RecordedEvent;
        if (isDispatched(event.type) && (isSweeping || isBehind || !accept(event))) isBehind = true;
      });
      await sweep();
      sweepLater();
    },
    takeOver() {
      const look = (): void => track(sweep(clock.now() - takenOverMs));
      // Its last events are old enough then.
      setTimeout(look, takenOverMs).unref();
    },
    async settled() {
      do {
        while (running.size > 0) await Promise.all(running);
        await mark();
      } while (running.size > 0);
    },
    async stop() {
      unlisten?.();
      stopping.abort();
      clearTimeout(sweepTimer);
      while (running.size > 0) await Promise.all(running);
      await mark();
    },
  };
}
