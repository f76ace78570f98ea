import type { Log } from "../../../../core/log.ts";
import type { Tx } from "../../../../db/db.ts";
import { listStoresBehind } from "../store/stores.ts";
import { type ProjectionDeps, projectStores } from "./projection.ts";

/**
 * Copies refs from the database into the directories of stores, for operators who run git there. The server never reads this copy
 * (docs/decisions/0055-ref-snapshots-for-git.md). The row of a store has the version of its refs and the version of the copy, so an
 * interrupted process misses no store.
 */
export interface Projector {
  /** Starts listening, and resolves once the backlog of earlier processes is projected. @returns the number of stores in the backlog */
  start(): Promise<number>;
  /** Resolves once every store that moved before the call has been projected or has failed. */
  settled(): Promise<void>;
  /** Waits for the running projection; the rest is found at the next start. */
  stop(): Promise<void>;
}

export interface ProjectorOptions {
  /** Updates of one store within this time are projected once. */
  readonly delayMs?: number;
  /** Time after a projection in which the store is not projected again. Default: {@link restOf}. */
  readonly restMs?: (refs: number) => number;
  /** Interval at which failed stores, and those that other processes left outdated, are searched for. */
  readonly sweepMs?: number;
}

/** Notifies the projector of this process after the commit. */
export const announceMove = (tx: Tx, storeId: number): void => tx.announce("refs", storeId);

/** Writes no copies. */
export const noProjector: Projector = { start: async () => 0, settled: async () => {}, stop: async () => {} };

const defaultDelayMs = 500;
const defaultSweepMs = 60_000;
const maxRestMs = 30_000;
/** The copy of 50,000 refs is a file of 3 MB. It is written each 5 s at most, so that pushes in a row share it. */
const restOf = (refs: number): number => Math.min(maxRestMs, refs / 10);
const batch = 500;
/** Number of stores recorded in one transaction; a caller of `settled` waits for at most this many. */
const notedTogether = 32;

export function createProjector(deps: ProjectionDeps & { readonly log: Log }, options: ProjectorOptions = {}): Projector {
  const { db, log } = deps;
  const { delayMs = defaultDelayMs, restMs = restOf, sweepMs = defaultSweepMs } = options;
  const moved = new Set<number>();
  /** When the rest of a store ends, on the monotonic clock. */
  const restsUntil = new Map<number, number>();
  let isStopped = false;
  /** The running round of projections; only one at a time. */
  let round: Promise<void> | undefined;
  let timer: { readonly atMs: number; readonly handle: NodeJS.Timeout } | undefined;
  let sweepTimer: NodeJS.Timeout | undefined;
  let unlisten: (() => void) | undefined;

  const dueMs = (storeId: number): number => Math.max(performance.now() + delayMs, restsUntil.get(storeId) ?? 0);

  const wakeAt = (atMs: number): void => {
    if (isStopped || round !== undefined || (timer !== undefined && timer.atMs <= atMs)) return;
    clearTimeout(timer?.handle);
    timer = { atMs, handle: setTimeout(() => void projectMoved("rested"), atMs - performance.now()).unref() };
  };

  const note = (storeId: number): void => {
    moved.add(storeId);
    wakeAt(dueMs(storeId));
  };

  const projectMoved = (which: "rested" | "all"): Promise<void> => {
    clearTimeout(timer?.handle);
    timer = undefined;
    round ??= drain(which).finally(() => {
      round = undefined;
      if (moved.size > 0) wakeAt([...moved].reduce((first, storeId) => Math.min(first, dueMs(storeId)), Number.POSITIVE_INFINITY));
    });
    return round;
  };

  const failed = (error: unknown, storeId: number): void => log.warn({ err: error, storeId }, "the refs of a store could not be projected; retrying");

  const drain = async (which: "rested" | "all"): Promise<void> => {
    const startMs = performance.now();
    for (const [storeId, untilMs] of restsUntil) if (untilMs <= startMs) restsUntil.delete(storeId);
    const storeIds = [...moved].filter((storeId) => which === "all" || !restsUntil.has(storeId));
    for (let at = 0; at < storeIds.length && !isStopped; at += notedTogether) {
      const some = storeIds.slice(at, at + notedTogether);
      for (const storeId of some) moved.delete(storeId);
      try {
        for (const { id, refs } of await projectStores(deps, some, failed)) if (restMs(refs) > delayMs) restsUntil.set(id, performance.now() + restMs(refs));
      } catch (error) {
        log.warn({ err: error }, "projected refs could not be recorded; retrying");
      }
    }
  };

  const sweep = async (): Promise<number> => {
    let found = 0;
    for (let afterId = 0; !isStopped; ) {
      const ids = await listStoresBehind(db, afterId, batch);
      found += ids.length;
      for (const id of ids) moved.add(id);
      await projectMoved("all");
      if (ids.length < batch) break;
      afterId = ids.at(-1) ?? afterId;
    }
    return found;
  };

  const sweepLater = (): void => {
    if (isStopped) return;
    const failed = (error: unknown): void => log.warn({ err: error }, "outdated stores could not be listed; retrying");
    sweepTimer = setTimeout(() => void sweep().catch(failed).finally(sweepLater), sweepMs);
    sweepTimer.unref();
  };

  return {
    async start() {
      unlisten = db.listen("refs", (storeId) => note(storeId as number));
      try {
        return await sweep();
      } finally {
        sweepLater();
      }
    },
    async settled() {
      while (!isStopped && (round !== undefined || moved.size > 0)) await projectMoved("all");
    },
    async stop() {
      unlisten?.();
      isStopped = true;
      clearTimeout(timer?.handle);
      clearTimeout(sweepTimer);
      await round;
    },
  };
}
