import type { Log } from "../../../../core/log.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { addPacks, loadPacks, type NewPack } from "../store/packs.ts";
import { announceObjects } from "./packs.ts";

/** Packs of this process that are durable and not listed yet. The next transaction of this process that moves refs of their store lists them. */
export interface PublishedPacks {
  add(storeId: number, pack: NewPack): void;
  of(storeId: number): readonly NewPack[];
  has(storeId: number, name: string): boolean;
  isWaiting(storeId: number): boolean;
  /** Lists the packs of a store in a transaction that moves none of its refs. */
  listIn(tx: Tx, storeId: number): Promise<void>;
  /** Lists the packs of a store in a transaction of its own; no statement if there are none. */
  list(storeId: number): Promise<void>;
  forget(storeId: number): void;
  close(): Promise<void>;
}

export interface PublishedPacksOptions {
  readonly db: Db;
  readonly log: Log;
  /** Called when the packs of a store are listed, with the version that lists them. */
  onListed(storeId: number, version: number): void;
}

interface Published {
  readonly pack: NewPack;
  readonly sinceMs: number;
}

/** Published packs that no transaction has listed for this long are listed on their own. */
const unlistedMs = 30_000;

export function createPublishedPacks({ db, log, onListed }: PublishedPacksOptions): PublishedPacks {
  const published = new Map<number, Map<string, Published>>();

  const waitingOf = (storeId: number): readonly Published[] => [...(published.get(storeId)?.values() ?? [])];

  const listed = (storeId: number, packs: readonly Published[], version: number): void => {
    const waiting = published.get(storeId);
    for (const one of packs) if (waiting?.get(one.pack.name) === one) waiting.delete(one.pack.name);
    if (waiting?.size === 0) published.delete(storeId);
    onListed(storeId, version);
  };

  const listIn = async (tx: Tx, storeId: number): Promise<void> => {
    const waiting = waitingOf(storeId);
    if (waiting.length === 0) return;
    const version = await addPacks(
      tx,
      storeId,
      waiting.map(({ pack }) => pack),
    );
    if (version !== undefined) tx.onCommit(() => listed(storeId, waiting, version));
  };

  const stopListing = db.beforeCommit(
    "stores",
    async (tx, storeIds) => {
      for (const storeId of new Set(storeIds as number[])) await listIn(tx, storeId);
    },
    (storeId) => published.has(storeId as number),
  );

  const list = (storeId: number): Promise<void> => (published.has(storeId) ? db.tx(async (tx) => announceObjects(tx, storeId)) : Promise.resolve());

  const listForgotten = async (): Promise<void> => {
    const beforeMs = performance.now() - unlistedMs;
    for (const [storeId, waiting] of published) {
      if (![...waiting.values()].some(({ sinceMs }) => sinceMs < beforeMs)) continue;
      try {
        // The store may have been deleted.
        if ((await loadPacks(db, storeId)) === undefined) published.delete(storeId);
        else await list(storeId);
      } catch (error) {
        log.warn({ err: error, storeId }, "published packs could not be listed; retrying");
      }
    }
  };
  let listing: Promise<void> | undefined;
  const timer = setInterval(() => {
    listing ??= listForgotten().finally(() => {
      listing = undefined;
    });
  }, unlistedMs);
  timer.unref();

  return {
    add(storeId, pack) {
      const waiting = published.get(storeId) ?? new Map<string, Published>();
      waiting.set(pack.name, { pack, sinceMs: performance.now() });
      published.set(storeId, waiting);
    },
    of: (storeId) => waitingOf(storeId).map(({ pack }) => pack),
    has: (storeId, name) => published.get(storeId)?.has(name) === true,
    isWaiting: (storeId) => published.has(storeId),
    listIn,
    list,
    forget: (storeId) => void published.delete(storeId),
    async close() {
      clearInterval(timer);
      stopListing();
      await listing;
    },
  };
}
