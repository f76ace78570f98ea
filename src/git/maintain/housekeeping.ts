import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, systemClock } from "../../core/clock.ts";
import { isMissing, onStorage } from "../objects/durable-fs.ts";
import { type GitOptions, runGit } from "../run/runner.ts";
import type { StoreWithRefs } from "../send/store-with-refs.ts";
import { type GitStore, isPresent } from "../stores.ts";
import type { Oid } from "../types.ts";

/**
 * Keeping a store fast and small, while it is read and written. One of these at a time per store, under the lease of the job. Git decides by the
 * refs of a snapshot of the database. Nothing younger than {@link expiry} is ever removed: a transaction may be about to point to it.
 */

/** How long what no ref reaches is kept. */
const expiry = "2.weeks.ago";
/** Two names are given within milliseconds of each other. */
const halfPackMs = 60 * 60 * 1000;
/** Measured by a clock that no change of the time of day moves. */
const secondLookMs = 5_000;
const timeoutMs = 6 * 60 * 60 * 1000;

export interface HousekeepingOptions {
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
  /** What a second look at the halves of packs waits for, instead of some seconds. */
  readonly beforeSecondLook?: () => Promise<void>;
}

export interface StoreShape {
  readonly looseObjects: number;
  readonly packs: number;
  /** Objects in all forms, their indexes included. */
  readonly sizeBytes: number;
  readonly packBytes: number;
  /** Of the packs that came after the last reachability bitmap: what a clone still has to walk. */
  readonly unmappedBytes: number;
  readonly hasCommitGraph: boolean;
}

const emptyShape: StoreShape = { looseObjects: 0, packs: 0, sizeBytes: 0, packBytes: 0, unmappedBytes: 0, hasCommitGraph: false };

/** Counted from the directories; starts no process. */
export async function inspectStore(store: GitStore): Promise<StoreShape> {
  if (!(await isPresent(store))) return emptyShape;
  return onStorage(async () => {
    const packFiles = await listFiles(join(store.objectsPath, "pack"));
    let looseObjects = 0;
    let sizeBytes = packFiles.reduce((sum, file) => sum + file.sizeBytes, 0);
    for (const shard of await readdir(store.objectsPath)) {
      if (!/^[0-9a-f]{2}$/.test(shard)) continue;
      for (const file of await listFiles(join(store.objectsPath, shard))) {
        if (file.name.startsWith("tmp_")) continue;
        looseObjects += 1;
        sizeBytes += file.sizeBytes;
      }
    }
    const info = await listFiles(join(store.objectsPath, "info"));
    const packs = packFiles.filter((file) => /^pack-.*\.pack$/.test(file.name));
    const mappedMs = Math.max(0, ...packFiles.filter((file) => file.name.endsWith(".bitmap")).map((file) => file.changedMs));
    const bytesOf = (files: readonly FileSize[]): number => files.reduce((sum, file) => sum + file.sizeBytes, 0);
    const graphs = await listFiles(join(store.objectsPath, "info", "commit-graphs"));
    return {
      looseObjects,
      packs: packFiles.filter((file) => /^pack-.*\.idx$/.test(file.name)).length,
      sizeBytes,
      packBytes: bytesOf(packs),
      unmappedBytes: bytesOf(packs.filter((file) => file.changedMs > mappedMs)),
      hasCommitGraph: [...info, ...graphs].some((file) => file.name === "commit-graph" || file.name === "commit-graph-chain"),
    };
  });
}

interface FileSize {
  readonly name: string;
  readonly sizeBytes: number;
  /** Of content or name. */
  readonly changedMs: number;
}

/** The files of a directory, none when it is not there; what vanishes meanwhile is left out. */
async function listFiles(directory: string): Promise<FileSize[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const files: FileSize[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    try {
      const { size, ctimeMs } = await stat(join(directory, entry.name));
      files.push({ name: entry.name, sizeBytes: size, changedMs: ctimeMs });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return files;
}

/** Each push leaves a pack, and each pack is one more place to look for an object. */
const manyPacks = 12;
const manyLooseObjects = 400;

/** Whether {@link repackNew} is worth its process. */
export function needsRepack(shape: StoreShape): boolean {
  return shape.packs > manyPacks || shape.looseObjects > manyLooseObjects;
}

/** Smaller stores are walked as quickly as a bitmap is read. */
const mappableBytes = 1024 * 1024;

/** Whether {@link writeBitmap} is worth its walk: when a store has doubled, so that all the walks together cost as much as the last one. */
export function needsBitmap(shape: StoreShape): boolean {
  return shape.unmappedBytes >= mappableBytes && shape.unmappedBytes * 2 >= shape.packBytes;
}

function maintain(store: GitStore, command: Parameters<typeof runGit>[1], options: GitOptions) {
  return runGit(store, command, { timeoutMs, ...options });
}

/**
 * Writes down parents, dates and changed paths of the commits that the tips reach, which makes walks by path and by date cheap. Adds to
 * what is there; `collectGarbage` starts it anew.
 */
export async function writeCommitGraph(store: GitStore, tipOids: readonly Oid[], signal?: AbortSignal): Promise<void> {
  await runCommitGraph(store, tipOids, true, signal);
}

async function runCommitGraph(store: GitStore, tipOids: readonly Oid[], split: true | "replace", signal: AbortSignal | undefined): Promise<void> {
  if (tipOids.length === 0 || !(await isPresent(store))) return;
  const flags = { "--stdin-commits": true, "--changed-paths": true, "--split": split, "--no-progress": true } as const;
  await maintain(store, { name: "commit-graph", words: ["write"], flags }, { stdin: `${tipOids.join("\n")}\n`, signal });
}

/**
 * Joins loose objects and small packs so that each pack is at least twice the size of the one before it: the work follows what is
 * new, and nothing is dropped. Readers that have an old pack open read on; others look again.
 */
export async function repackNew(store: StoreWithRefs, options: HousekeepingOptions = {}): Promise<void> {
  if (!(await isPresent(store))) return;
  await removeHalfPacks(store, options);
  await maintain(store, { name: "repack", flags: { "-d": true, "-l": true, "-q": true, "--geometric": 2 } }, { signal: options.signal });
  await reopen(store);
}

/**
 * Writes down what the refs reach, so that a clone costs a quarter. The packs stay as they are. A store with objects that are in no pack yet may
 * go without until they are. A bitmap says which objects a commit reaches, whatever the refs are later.
 */
export async function writeBitmap(store: StoreWithRefs, signal?: AbortSignal): Promise<void> {
  if (!(await isPresent(store))) return;
  const flags = { "--bitmap": true, "--no-progress": true } as const;
  const { code, stderr } = await maintain(store, { name: "multi-pack-index", words: ["write"], flags }, { accept: "any", signal });
  if (code !== 0) store.shared.log.info({ storeId: store.id, stderr: stderr.slice(0, 500) }, "no bitmap could be written");
  await reopen(store);
}

/** Runs a step of maintenance with the refs as they are now. @returns undefined when the store is gone */
export type WithRefsNow = <T>(work: (store: StoreWithRefs) => Promise<T>) => Promise<T | undefined>;

/**
 * Packs everything that the refs reach into one pack with a reachability bitmap, which clones are served from; gathers the rest in a pack of its
 * own where each object keeps its age, and drops from that what is older than two weeks. Each step that removes something reads the refs of its
 * own moment.
 */
export async function collectGarbage(store: GitStore, withRefsNow: WithRefsNow, tipOids: readonly Oid[], options: HousekeepingOptions = {}): Promise<void> {
  if (!(await isPresent(store))) return;
  const { signal } = options;
  await removeHalfPacks(store, options);
  const packing = { "-a": true, "-d": true, "-l": true, "-q": true, "--cruft": true, "--cruft-expiration": expiry, "--write-bitmap-index": true } as const;
  await withRefsNow((shown) => maintain(shown, { name: "repack", flags: packing }, { signal }));
  // Left-overs of killed processes beside the loose objects, too.
  await withRefsNow((shown) => maintain(shown, { name: "prune", flags: { "--expire": expiry, "--no-progress": true } }, { signal }));
  await runCommitGraph(store, tipOids, "replace", signal);
  await reopen(store);
}

/**
 * Packs without an index, and indexes without a pack: a crash while they were moved in. No reader sees them, but `git repack` fails over
 * them. The last change of a file's name counts, since a pack may be much older than its arrival here. The time of day may have been changed
 * meanwhile, so a file is only removed when a second look finds it alone, too.
 */
async function removeHalfPacks(store: GitStore, { clock = systemClock, beforeSecondLook = () => sleep(secondLookMs) }: HousekeepingOptions): Promise<void> {
  const directory = join(store.objectsPath, "pack");
  const found = await onStorage(() => listHalfPacks(directory, clock.now() - halfPackMs));
  if (found.length === 0) return;
  await beforeSecondLook();
  const still = new Set(await onStorage(() => listHalfPacks(directory, clock.now() - halfPackMs)));
  for (const name of found) {
    if (!still.has(name)) continue;
    await onStorage(() => rm(join(directory, name), { force: true }));
    store.shared.log.warn({ storeId: store.id, name }, "half of a pack was removed, which a crash left behind");
  }
}

/** The files of packs that lack the pack or its index, and were last changed before a time. */
async function listHalfPacks(directory: string, beforeMs: number): Promise<string[]> {
  const files = await listFiles(directory);
  const names = new Set(files.map((file) => file.name));
  return files.flatMap(({ name, changedMs }) => {
    const pack = /^(pack-[0-9a-f]+)\.[a-z]+$/.exec(name)?.[1];
    return pack === undefined || (names.has(`${pack}.pack`) && names.has(`${pack}.idx`)) || changedMs > beforeMs ? [] : name;
  });
}

/** Processes that hold removed packs open let go of them, so that their space is free. */
async function reopen(store: GitStore): Promise<void> {
  await store.shared.pool.closeStore(store.key);
}

export interface Verification {
  readonly sound: boolean;
  /** What git found wrong, a line each; the first ones. */
  readonly problems: readonly string[];
}

const maxProblems = 100;

/** Reads every object of the store and checks it, and that everything is there that the refs need. */
export async function verifyStore(store: StoreWithRefs, signal?: AbortSignal): Promise<Verification> {
  if (!(await isPresent(store))) return { sound: true, problems: [] };
  const flags = { "--full": true, "--strict": true, "--no-dangling": true, "--no-progress": true } as const;
  const { code, signal: killed, stdout, stderr } = await maintain(store, { name: "fsck", flags }, { accept: "any", signal });
  if (code === 0) return { sound: true, problems: [] };
  const lines = `${stdout}${stderr}`.split("\n").filter((line) => line !== "" && !line.startsWith("notice:"));
  return { sound: false, problems: [...(killed === null ? [] : [`git was ended by ${killed}`]), ...lines].slice(0, maxProblems) };
}
