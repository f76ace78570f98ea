import type { Log } from "../../../../core/log.ts";
import type { Tx } from "../../../../db/db.ts";
import { listStoresBehind } from "../store/stores.ts";
import { type ProjectionDeps, projectStores } from "./projection.ts";

/**
 * Copies the refs of the database into the directories of stores, for operators who run git there. The server never reads the copy
 * (docs/decisions/0055-git-reads-refs-from-snapshots.md). The row of a store holds the version of its refs and the version of the copy, so a
 * process that ends in between leaves nothing out.
 */
export interface Projector {
  /** Listens at once; resolves when what earlier processes left is projected. @returns how many stores that were */
  start(): Promise<number>;
  /** Resolves when every store that moved before the call has been projected or has failed. */
  settled(): Promise<void>;
  /** Waits for the projection that runs; what it did not get to is found at the next start. */
  stop(): Promise<void>;
}

export interface ProjectorOptions {
  /** Moves of one store that follow each other within this time are projected once. */
  readonly delayMs?: number;
  /** How often stores that failed, or that another process left behind, are looked for. */
  readonly sweepMs?: number;
}

/** Tells the projector of this process after the commit. */
export const announceMove = (tx: Tx, storeId: number): void => tx.announce("refs", storeId);

const defaultDelayMs = 500;
const defaultSweepMs = 60_000;
const batch = 500;
/** Stores whose projection is noted in one transaction; whoever waits for an end waits for so many. */
const notedTogether = 32;

export function createProjector(deps: ProjectionDeps & { readonly log: Log }, options: ProjectorOptions = {}): Projector {
  const { db, log } = deps;
  const { delayMs = defaultDelayMs, sweepMs = defaultSweepMs } = options;
  const moved = new Set<number>();
  let isStopped = false;
  /** The round that projects; one at a time. */
  let round: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sweepTimer: NodeJS.Timeout | undefined;
  let unlisten: (() => void) | undefined;

  const note = (storeId: number): void => {
    moved.add(storeId);
    if (!isStopped && round === undefined) timer ??= setTimeout(projectMoved, delayMs).unref();
  };

  const projectMoved = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    round ??= drain().finally(() => {
      round = undefined;
      if (moved.size > 0 && !isStopped) timer ??= setTimeout(projectMoved, delayMs).unref();
    });
    return round;
  };

  const failed = (error: unknown, storeId: number): void => log.warn({ err: error, storeId }, "the refs of a store could not be projected; tried again");

  const drain = async (): Promise<void> => {
    const storeIds = [...moved];
    for (let at = 0; at < storeIds.length && !isStopped; at += notedTogether) {
      const some = storeIds.slice(at, at + notedTogether);
      for (const storeId of some) moved.delete(storeId);
      await projectStores(deps, some, failed).catch((error: unknown) => log.warn({ err: error }, "projected refs could not be noted; tried again"));
    }
  };

  const sweep = async (): Promise<number> => {
    let found = 0;
    for (let afterId = 0; !isStopped; ) {
      const ids = await listStoresBehind(db, afterId, batch);
      found += ids.length;
      for (const id of ids) moved.add(id);
      await projectMoved();
      if (ids.length < batch) break;
      afterId = ids.at(-1) ?? afterId;
    }
    return found;
  };

  const sweepLater = (): void => {
    if (isStopped) return;
    const failed = (error: unknown): void => log.warn({ err: error }, "stores that are behind could not be looked up; tried again");
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
      while (!isStopped && (round !== undefined || moved.size > 0)) await projectMoved();
    },
    async stop() {
      unlisten?.();
      isStopped = true;
      clearTimeout(timer);
      clearTimeout(sweepTimer);
      await round;
    },
  };
}
