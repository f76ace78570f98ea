import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createDurableDirectories, isMissing, onStorage, replaceFile, syncDirectory } from "../objects/durable-fs.ts";
import { promotePacks } from "../receive/pack-promote.ts";
import type { GitStore } from "../stores.ts";

/**
 * Packs of unreachable objects that a collection has moved out of a store, in one folder for each collection. Git does not read them there.
 * They come back if a ref needs them, and are deleted later (docs/decisions/0057-removed-objects-are-set-aside.md).
 */

const rootOf = (store: GitStore): string => join(store.path, "set-aside");
const folderOf = (store: GitStore, sinceMs: number): string => join(rootOf(store), `${sinceMs}`);

/** Marks the folder of a collection that has ended. */
const sealFile = "complete";

/** The folders of collections, by the times that name them, newest first. */
async function listFolders(store: GitStore): Promise<number[]> {
  return (await namesIn(rootOf(store)))
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .sort((a, b) => b - a);
}

async function namesIn(path: string): Promise<string[]> {
  return readdir(path).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

const hasPacks = async (folder: string): Promise<boolean> => (await namesIn(join(folder, "pack"))).some((name) => name.endsWith(".idx"));
const isSealed = async (folder: string): Promise<boolean> => (await namesIn(folder)).includes(sealFile);

/**
 * `complete`: of collections that have ended. `all`: also of an interrupted one; only for the job that collects, since the packs of a running
 * collection must stay.
 */
export type SetAsideScope = "complete" | "all";

/** The folders with packs, by the times that name them, newest first. */
async function listFilled(store: GitStore, scope: SetAsideScope): Promise<number[]> {
  const filled: number[] = [];
  for (const sinceMs of await listFolders(store)) {
    const folder = folderOf(store, sinceMs);
    if ((await hasPacks(folder)) && (scope === "all" || (await isSealed(folder)))) filled.push(sinceMs);
  }
  return filled;
}

/** Creates the folder for a collection. @returns the prefix for the names of packs, for `git repack --expire-to` */
export async function openSetAside(store: GitStore, sinceMs: number): Promise<string> {
  const folder = join(folderOf(store, sinceMs), "pack");
  await onStorage(() => createDurableDirectories(store.path).ensure(folder));
  return join(folder, "pack");
}

/** Makes durable what git has set aside. It has synced the packs, but not their names. */
export async function syncSetAside(store: GitStore, sinceMs: number): Promise<void> {
  await onStorage(() => syncDirectory(join(folderOf(store, sinceMs), "pack")));
}

/** Marks all collections as complete. Removes folders without packs. */
export async function sealSetAside(store: GitStore): Promise<void> {
  await onStorage(async () => {
    for (const sinceMs of await listFolders(store)) {
      const folder = folderOf(store, sinceMs);
      if (!(await hasPacks(folder))) await rm(folder, { recursive: true, force: true });
      else if (!(await isSealed(folder))) await replaceFile(join(folder, sealFile), "");
    }
  });
}

export const hasSetAside = async (store: GitStore, scope: SetAsideScope): Promise<boolean> => (await onStorage(() => listFilled(store, scope))).length > 0;

/** Moves objects that were set aside back into the store. */
export async function restoreSetAside(store: GitStore, scope: SetAsideScope): Promise<void> {
  await onStorage(async () => {
    for (const sinceMs of await listFilled(store, scope)) {
      // Without their lists of times (`.mtimes`) they are ordinary packs, which forks and clones use.
      const names = await promotePacks(join(folderOf(store, sinceMs), "pack"), join(store.objectsPath, "pack"));
      await store.shared.packs.publish(store, names);
      await rm(folderOf(store, sinceMs), { recursive: true, force: true });
    }
  });
  await store.shared.pool.closeStore(store.key);
}

/** The same for a copy of a store that no process uses. @param path its directory */
export async function returnSetAside(path: string): Promise<void> {
  const root = join(path, "set-aside");
  for (const name of await namesIn(root)) if (await hasPacks(join(root, name))) await promotePacks(join(root, name, "pack"), join(path, "objects", "pack"));
  await rm(root, { recursive: true, force: true });
}

/** Deletes what complete collections up to the given time have set aside. */
export async function deleteSetAside(store: GitStore, untilMs: number): Promise<void> {
  await onStorage(async () => {
    for (const sinceMs of await listFilled(store, "complete")) {
      if (sinceMs <= untilMs) await rm(folderOf(store, sinceMs), { recursive: true, force: true });
    }
  });
}
