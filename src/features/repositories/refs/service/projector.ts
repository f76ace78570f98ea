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
  /** The same for a store with many refs, if it is longer. Default: {@link delayOf}. */
  readonly longDelayMs?: (refs: number) => number;
  /** Interval at which failed stores, and those that other processes left outdated, are searched for. */
  readonly sweepMs?: number;
}

/** Notifies the projector of this process after the commit. */
export const announceMove = (tx: Tx, storeId: number): void => tx.announce("refs", storeId);

/** Writes no copies. */
export const noProjector: Projector = { start: async () => 0, settled: async () => {}, stop: async () => {} };

const defaultDelayMs = 500;
const defaultSweepMs = 60_000;
const maxDelayMs = 30_000;
/** The copy of 50,000 refs is a file of 3 MB. It is written 5 s after a push, so that the pushes until then share it. */
const delayOf = (refs: number): number => Math.min(maxDelayMs, refs / 10);
const batch = 500;
/** Number of stores recorded in one transaction; a caller of `settled` waits for at most this many. */
const notedTogether = 32;

export function createProjector(deps: ProjectionDeps & { readonly log: Log }, options: ProjectorOptions = {}): Projector {
  const { db, log } = deps;
  const { delayMs = defaultDelayMs, longDelayMs = delayOf, sweepMs = defaultSweepMs } = options;
  /** When each moved store is due, on the monotonic clock. */
  const moved = new Map<number, number>();
  /** Numbers of refs of the stores with a long delay, as of their last projection. */
  const large = new Map<number, number>();
  let isStopped = false;
  /** The running round of projections; only one at a time. */
  let round: Promise<void> | undefined;
  let timer: { readonly atMs: number; readonly handle: NodeJS.Timeout } | undefined;
  let sweepTimer: NodeJS.Timeout | undefined;
  let unlisten: (() => void) | undefined;

  const wakeAt = (atMs: number): void => {
    if (isStopped || round !== undefined || (timer !== undefined && timer.atMs <= atMs)) return;
    clearTimeout(timer?.handle);
    timer = { atMs, handle: setTimeout(() => void projectMoved("due"), Math.max(0, atMs - performance.now())).unref() };
  };

  const note = (storeId: number): void => {
    const dueMs = moved.get(storeId) ?? performance.now() + Math.max(delayMs, longDelayMs(large.get(storeId) ?? 0));
    moved.set(storeId, dueMs);
    wakeAt(dueMs);
  };

  const projectMoved = (which: "due" | "all"): Promise<void> => {
    clearTimeout(timer?.handle);
    timer = undefined;
    round ??= drain(which).finally(() => {
      round = undefined;
      if (moved.size > 0) wakeAt([...moved.values()].reduce((first, dueMs) => Math.min(first, dueMs), Number.POSITIVE_INFINITY));
    });
    return round;
  };

  const failed = (error: unknown, storeId: number): void => log.warn({ err: error, storeId }, "the refs of a store could not be projected; retrying");

  const drain = async (which: "due" | "all"): Promise<void> => {
    const nowMs = performance.now();
    const storeIds = [...moved].flatMap(([storeId, dueMs]) => (which === "all" || dueMs <= nowMs ? [storeId] : []));
    for (let at = 0; at < storeIds.length && !isStopped; at += notedTogether) {
      const some = storeIds.slice(at, at + notedTogether);
      for (const storeId of some) moved.delete(storeId);
      try {
        for (const { id, refs } of await projectStores(deps, some, failed)) {
          if (longDelayMs(refs) > delayMs) large.set(id, refs);
          else large.delete(id);
        }
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
      for (const id of ids) moved.set(id, 0);
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
