import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, systemClock } from "../../core/clock.ts";
import { isMissing, onStorage } from "../objects/durable-fs.ts";
import { writeCollectedRefs } from "../receive/collected-refs.ts";
import { type GitOptions, runGit } from "../run/runner.ts";
import type { StoreWithRefs } from "../send/store-with-refs.ts";
import { type GitStore, isPresent } from "../stores.ts";
import type { Oid } from "../types.ts";
import { listMappedPacks } from "./mapped-packs.ts";
import { openSetAside, sealSetAside, syncSetAside } from "./set-aside.ts";

/**
 * Keeps a store fast and small while it is in use. Runs at most once at a time per store, under the job's lease. Git takes the refs from a
 * database snapshot. Objects younger than {@link keptMs} are never removed: a transaction may be about to reference them.
 */

/** How long unreachable objects stay in a store. */
const keptMs = 14 * 24 * 60 * 60 * 1000;
/** The two files of a pack get their names within milliseconds of each other. */
const halfPackMs = 60 * 60 * 1000;
/** Measured on a monotonic clock, independent of changes to the system time. */
const secondLookMs = 5_000;
const timeoutMs = 6 * 60 * 60 * 1000;

export interface HousekeepingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Only {@link repackNew}: leaves the packs with a reachability bitmap as they are, because git deletes it if one of them is replaced. */
  readonly keepsBitmap?: boolean;
  readonly clock?: Clock;
  /** Replaces the delay before the second look at incomplete packs. */
  readonly beforeSecondLook?: () => Promise<void>;
}

export interface StoreCounts {
  readonly looseObjects: number;
  readonly packs: number;
}

export interface StoreShape extends StoreCounts {
  /** Objects in all forms, including indexes. */
  readonly sizeBytes: number;
  readonly packBytes: number;
  /** Size of the packs that no reachability bitmap covers, so that a clone has to walk them. */
  readonly unmappedBytes: number;
  readonly hasCommitGraph: boolean;
}

const emptyShape: StoreShape = { looseObjects: 0, packs: 0, sizeBytes: 0, packBytes: 0, unmappedBytes: 0, hasCommitGraph: false };

/** Reads only directories; starts no process. */
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
    const fileNames = new Set(packFiles.map((file) => file.name));
    const mapped = await listMappedPacks(join(store.objectsPath, "pack"), fileNames);
    // A pack with times has unreachable objects only, which no clone walks.
    const isUnmapped = (pack: string): boolean => !mapped.has(pack) && !fileNames.has(`${pack}.mtimes`);
    const bytesOf = (files: readonly FileSize[]): number => files.reduce((sum, file) => sum + file.sizeBytes, 0);
    const graphs = await listFiles(join(store.objectsPath, "info", "commit-graphs"));
    return {
      looseObjects,
      packs: packFiles.filter((file) => /^pack-.*\.idx$/.test(file.name)).length,
      sizeBytes,
      packBytes: bytesOf(packs),
      unmappedBytes: bytesOf(packs.filter((file) => isUnmapped(file.name.slice(0, -".pack".length)))),
      hasCommitGraph: [...info, ...graphs].some((file) => file.name === "commit-graph" || file.name === "commit-graph-chain"),
    };
  });
}

/** As {@link inspectStore}, from names alone: a busy store has hundreds of files. */
export async function countFiles(store: GitStore): Promise<StoreCounts> {
  if (!(await isPresent(store))) return emptyShape;
  return onStorage(async () => {
    const packs = (await listNames(join(store.objectsPath, "pack"))).filter((name) => /^pack-.*\.idx$/.test(name)).length;
    let looseObjects = 0;
    for (const shard of await readdir(store.objectsPath)) {
      if (!/^[0-9a-f]{2}$/.test(shard)) continue;
      looseObjects += (await listNames(join(store.objectsPath, shard))).filter((name) => !name.startsWith("tmp_")).length;
    }
    return { looseObjects, packs };
  });
}

interface FileSize {
  readonly name: string;
  readonly sizeBytes: number;
  /** Last change of content or name. */
  readonly changedMs: number;
}

/** The names of the files of a directory; empty if it does not exist. */
async function listNames(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return entries.flatMap((entry) => (entry.isFile() ? entry.name : []));
}

const listFiles = async (directory: string): Promise<FileSize[]> => measureFiles(directory, await listNames(directory));

/** Files that disappear meanwhile are left out. */
async function measureFiles(directory: string, names: readonly string[]): Promise<FileSize[]> {
  const files: FileSize[] = [];
  for (const name of names) {
    try {
      const { size, ctimeMs } = await stat(join(directory, name));
      files.push({ name, sizeBytes: size, changedMs: ctimeMs });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return files;
}

/** Each push adds a pack, and each pack is another place to search for an object. */
const manyPacks = 12;
const manyLooseObjects = 400;

/** Whether {@link repackNew} is worth starting a process. */
export function needsRepack({ packs, looseObjects }: StoreCounts): boolean {
  return packs > manyPacks || looseObjects > manyLooseObjects;
}

/** Walking a smaller store is as fast as reading a bitmap. */
const mappableBytes = 1024 * 1024;

/**
 * Whether {@link writeBitmap} is worth its walk: once a store has doubled in size, so that all walks together cost about as much as the
 * last one.
 */
export function needsBitmap(shape: StoreShape): boolean {
  return shape.unmappedBytes >= mappableBytes && shape.unmappedBytes * 2 >= shape.packBytes;
}

function maintain(store: GitStore, command: Parameters<typeof runGit>[1], options: GitOptions) {
  store.shared.written.note(store.id);
  return runGit(store, command, { timeoutMs, ...options });
}

/**
 * Stores parents, dates and changed paths of all reachable commits, which makes walks by path and by date cheap. Appends to the existing
 * graph;
 * `collectGarbage` rewrites it.
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
 * Combines small packs, and loose objects that others have left, so that each pack is at least twice the size of the one before it. The work is proportional to the
 * new data, and no object is dropped. Readers with an old pack open continue to read it; others look up the new packs.
 */
export async function repackNew(store: StoreWithRefs, options: HousekeepingOptions = {}): Promise<void> {
  if (!(await isPresent(store))) return;
  await removeHalfPacks(store, options);
  const kept = options.keepsBitmap === true ? (await listMapped(store)).map((name) => `${name}.pack`) : [];
  // -n: without the lists for plain web servers, which take as long as the rest in a store with 50,000 refs.
  const flags = { "-n": true, "-d": true, "-l": true, "-q": true, "--geometric": 2, "--keep-pack": kept } as const;
  await maintain(store, { name: "repack", flags }, { signal: options.signal });
  await reopen(store);
}

async function listMapped(store: GitStore): Promise<string[]> {
  const directory = join(store.objectsPath, "pack");
  return onStorage(async () => [...(await listMappedPacks(directory, new Set(await listNames(directory))))]);
}

/**
 * Writes a reachability bitmap, which cuts the cost of a clone to a quarter. Packs are unchanged. A store with unpacked objects may have no
 * bitmap until they are packed. A bitmap lists the objects reachable from a commit, so it stays valid when refs change.
 */
export async function writeBitmap(store: StoreWithRefs, signal?: AbortSignal): Promise<void> {
  if (!(await isPresent(store))) return;
  const flags = { "--bitmap": true, "--no-progress": true } as const;
  const { code, stderr } = await maintain(store, { name: "multi-pack-index", words: ["write"], flags }, { accept: "any", signal });
  if (code !== 0) store.shared.log.info({ storeId: store.id, stderr: stderr.slice(0, 500) }, "the reachability bitmap could not be written");
  await reopen(store);
}

/** Runs a maintenance step with the current refs. @returns undefined if the store no longer exists */
export type WithRefsNow = <T>(work: (store: StoreWithRefs) => Promise<T>) => Promise<T | undefined>;

/**
 * Packs everything reachable into one pack with a reachability bitmap, which serves clones. Unreachable objects go to a separate pack that
 * keeps the age of each object; those older than two weeks are set aside (`set-aside.ts`), because a ref may be pointed to them meanwhile.
 * @param sinceMs names what is set aside
 */
export async function collectGarbage(
  store: GitStore,
  withRefsNow: WithRefsNow,
  { tipOids, sinceMs }: { readonly tipOids: readonly Oid[]; readonly sinceMs: number },
  options: HousekeepingOptions = {},
): Promise<void> {
  if (!(await isPresent(store))) return;
  const { signal, clock = systemClock } = options;
  await removeHalfPacks(store, options);
  const expiry = new Date(clock.now() - keptMs).toISOString();
  const flags = { "-n": true, "-a": true, "-d": true, "-l": true, "-q": true, "--write-bitmap-index": true } as const;
  const cruft = { ...flags, "--cruft": true } as const;
  await withRefsNow(async (shown) => {
    if (!store.shared.packs.mayExpire) {
      await maintain(shown, { name: "repack", flags: { ...cruft, "--cruft-expiration": "never" } }, { signal });
      return;
    }
    const prefix = await openSetAside(store, sinceMs);
    await maintain(shown, { name: "repack", flags: { ...cruft, "--cruft-expiration": expiry, "--expire-to": prefix } }, { signal });
    await syncSetAside(store, sinceMs);
    // With the same refs and time it removes only loose objects that are set aside now, and temporary files of killed processes.
    await maintain(shown, { name: "prune", flags: { "--expire": expiry, "--no-progress": true } }, { signal });
    await writeCollectedRefs(shown);
    await sealSetAside(store);
  });
  await runCommitGraph(store, tipOids, "replace", signal);
  await reopen(store);
}

/**
 * Removes packs without an index and indexes without a pack, left by a crash during the move. Readers do not see them, but `git repack`
 * fails on them. The inode change time counts, since a pack may be much older than its arrival here. The system time may have been changed,
 * so a file is removed only if a second look still finds it incomplete.
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
    store.shared.log.warn({ storeId: store.id, name }, "removed an incomplete pack left by a crash");
  }
}

/** Files of packs that lack the pack or its index and were last changed before the given time. */
async function listHalfPacks(directory: string, beforeMs: number): Promise<string[]> {
  const names = new Set(await listNames(directory));
  const isHalf = (name: string): boolean => {
    const pack = /^(pack-[0-9a-f]+)\.[a-z]+$/.exec(name)?.[1];
    return pack !== undefined && !(names.has(`${pack}.pack`) && names.has(`${pack}.idx`));
  };
  const half = await measureFiles(directory, [...names].filter(isHalf));
  return half.flatMap(({ name, changedMs }) => (changedMs > beforeMs ? [] : name));
}

/** Makes processes close removed packs, which frees their disk space. */
async function reopen(store: GitStore): Promise<void> {
  await store.shared.pool.closeStore(store.key);
}

export interface Verification {
  readonly sound: boolean;
  /** The first problems that git reported, one line each. */
  readonly problems: readonly string[];
}

const maxProblems = 100;

/** Reads and checks every object, and checks that everything the refs need exists. */
export async function verifyStore(store: StoreWithRefs, signal?: AbortSignal): Promise<Verification> {
  if (!(await isPresent(store))) return { sound: true, problems: [] };
  const flags = { "--full": true, "--strict": true, "--no-dangling": true, "--no-progress": true } as const;
  const { code, signal: killed, stdout, stderr } = await maintain(store, { name: "fsck", flags }, { accept: "any", signal });
  if (code === 0) return { sound: true, problems: [] };
  const lines = `${stdout}${stderr}`.split("\n").filter((line) => line !== "" && !line.startsWith("notice:"));
  return { sound: false, problems: [...(killed === null ? [] : [`git was killed by ${killed}`]), ...lines].slice(0, maxProblems) };
}
