import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../../../core/log.ts";
import { isMissing } from "../../../../git/objects/durable-fs.ts";
import { type GitStore, removeStore, type StoreShared, storePath } from "../../../../git/stores.ts";

/** Bounds the disk space of the copies of stores on a node. The least recently used ones are removed. */
export interface CopyRoom {
  /** To be called at each use. */
  touch(storeId: number): void;
  /** Records the size of a copy, and removes others if there is too little room. */
  note(store: GitStore, sizeBytes: number): void;
  /** As {@link note}, for bytes that were added. */
  grow(store: GitStore, addedBytes: number): void;
  /** Keeps a copy until it is disposed of. */
  hold(storeId: number): Disposable;
  forget(storeId: number): void;
  close(): Promise<void>;
}

export interface CopyRoomOptions {
  readonly maxBytes: number;
  readonly log: Log;
  /** Copies with files that are needed are kept. */
  readonly isNeeded: (storeId: number) => boolean;
  /** Copies used within this time are kept. */
  readonly idleMs?: number;
}

/** A request that has asked for a copy starts git within this time. */
const defaultIdleMs = 60_000;

interface Tenant {
  sizeBytes: number;
  /** On the monotonic clock; negative for those of earlier processes. */
  usedMs: number;
}

export function createCopyRoom({ maxBytes, log, isNeeded, idleMs = defaultIdleMs }: CopyRoomOptions): CopyRoom {
  const tenants = new Map<number, Tenant>();
  const held = new Map<number, number>();
  let clearing: Promise<void> | undefined;
  let hasListed = false;
  /** Whether a copy has arrived since the last clearing began. */
  let isNoted = false;

  const total = (): number => [...tenants.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

  /** Copies that earlier processes have left. */
  const listLeft = async (shared: StoreShared): Promise<void> => {
    hasListed = true;
    for (const shard of (await namesIn(shared.root)).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
      for (const name of await namesIn(join(shared.root, shard))) {
        const id = Number(/^([1-9][0-9]*)\.git$/.exec(name)?.[1]);
        if (Number.isNaN(id) || tenants.has(id)) continue;
        const found = await sizeOf(join(storePath(shared.root, id), "objects", "pack"));
        if (!tenants.has(id)) tenants.set(id, { sizeBytes: found.sizeBytes, usedMs: found.changedMs - Date.now() });
      }
    }
  };

  const mayGo = (id: number, { usedMs }: Tenant): boolean => performance.now() - usedMs > idleMs && !held.has(id) && !isNeeded(id);

  const clear = async (shared: StoreShared): Promise<void> => {
    if (!hasListed) await listLeft(shared);
    const oldest = [...tenants].sort(([, a], [, b]) => a.usedMs - b.usedMs);
    // The last one was requested just now.
    for (const [id, tenant] of oldest.slice(0, -1)) {
      if (total() <= maxBytes) return;
      if (!mayGo(id, tenant)) continue;
      // A worker that reads single objects starts again on demand.
      await shared.pool.closeStore(String(id));
      if (!mayGo(id, tenant) || shared.runner.isWorkingIn(storePath(shared.root, id))) continue;
      await removeStore(shared, id);
    }
  };

  /** Again for copies that arrived meanwhile. */
  const clearAll = async (shared: StoreShared): Promise<void> => {
    while (isNoted) {
      isNoted = false;
      await clear(shared);
    }
  };

  const note = ({ id, shared }: GitStore, sizeBytes: number): void => {
    tenants.set(id, { sizeBytes, usedMs: performance.now() });
    if (!Number.isFinite(maxBytes) || (hasListed && total() <= maxBytes)) return;
    isNoted = true;
    clearing ??= clearAll(shared)
      .catch((error: unknown) => log.warn({ err: error }, "copies of repositories could not be removed"))
      .finally(() => {
        clearing = undefined;
      });
  };

  return {
    touch(storeId) {
      const tenant = tenants.get(storeId);
      if (tenant !== undefined) tenant.usedMs = performance.now();
    },
    note,
    grow: (store, addedBytes) => note(store, (tenants.get(store.id)?.sizeBytes ?? 0) + addedBytes),
    hold(storeId) {
      held.set(storeId, (held.get(storeId) ?? 0) + 1);
      return {
        [Symbol.dispose]() {
          const count = (held.get(storeId) ?? 0) - 1;
          if (count > 0) held.set(storeId, count);
          else held.delete(storeId);
        },
      };
    },
    forget: (storeId) => void tenants.delete(storeId),
    async close() {
      await clearing;
    },
  };
}

async function namesIn(path: string): Promise<string[]> {
  return readdir(path).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

async function sizeOf(path: string): Promise<{ readonly sizeBytes: number; readonly changedMs: number }> {
  let sizeBytes = 0;
  let changedMs = 0;
  for (const name of await namesIn(path)) {
    const found = await stat(join(path, name)).catch(() => undefined);
    sizeBytes += found?.size ?? 0;
    changedMs = Math.max(changedMs, found?.mtimeMs ?? 0);
  }
  return { sizeBytes, changedMs };
}
