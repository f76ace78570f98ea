import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isForgeError, unavailable } from "../../../../core/errors.ts";
import type { Log } from "../../../../core/log.ts";
import { createSingleFlight } from "../../../../core/single-flight.ts";
import type { Db } from "../../../../db/db.ts";
import { keepIndexes } from "../../../../git/maintain/kept-indexes.ts";
import { onStorage } from "../../../../git/objects/durable-fs.ts";
import type { PackHome } from "../../../../git/pack-home.ts";
import {
  DamagedPack,
  hasParts,
  installPack,
  isOfUnreachable,
  listPacks,
  readParts,
  removePacks as removeFiles,
  sizeOfParts,
} from "../../../../git/receive/pack-parts.ts";
import { type GitStore, makeDirectory } from "../../../../git/stores.ts";
import type { FileStore } from "../../../../storage/files.ts";
import { type FullPackList, findPacksVersion, type ListedPack, loadPacks, loadPacksExcept, type NewPack, removePacks, replaceFile } from "../store/packs.ts";
import { createCopyRoom } from "./copy-room.ts";
import { readNewPack } from "./new-pack.ts";
import { createPublishedPacks } from "./published-packs.ts";

export interface SharedPacksDeps {
  readonly db: Db;
  /** The packs in the bucket. */
  readonly files: FileStore;
  readonly log: Log;
  /** The repository of a store, for the log. */
  readonly nameOf?: (storeId: number) => Promise<string | undefined>;
}

export interface SharedPacksOptions {
  /** `server` (the default) owns the directories of the stores. `tool` only adds packs to them: a server may be using them. */
  readonly role?: "server" | "tool";
  /** Maximum disk space of the directories; unlimited by default. */
  readonly maxBytes?: number;
  /** Directories that were used within this time are kept. */
  readonly idleMs?: number;
}

const fetchedAtOnce = 4;
/** A git process that has read the names of packs may open them for this long. */
const replacedMs = 60 * 60 * 1000;
const damaged = "pack_damaged";

/** The name of the damaged pack that an error is about. */
export const damagedPackOf = (error: unknown): string | undefined =>
  isForgeError(error, "unavailable") && error.options.meta?.reason === damaged ? String(error.options.meta.pack) : undefined;

async function* chunksOf(content: Buffer | undefined): AsyncGenerator<Uint8Array> {
  if (content !== undefined) yield content;
}

/** The copy of a store on this node. */
interface Copy {
  /** The version of the list whose packs are all in the directory. */
  version: number;
  /** When packs in the directory were first seen to be no longer listed, on the monotonic clock. */
  readonly replaced: Map<string, number>;
}

/**
 * Packs that several nodes share. The database lists the packs of each store, and has the bytes of small ones; larger ones are in the
 * bucket. The directory of a store is a copy that can be deleted at any time.
 *
 * Everything that this node can read in a store is listed or published: published packs are listed by the next transaction of this process
 * that moves refs of the store. So no ref can point to objects that only this node has.
 */
export function createSharedPacks(
  { db, files, log, nameOf }: SharedPacksDeps,
  { role = "server", maxBytes = Number.POSITIVE_INFINITY, idleMs }: SharedPacksOptions = {},
): PackHome<GitStore> {
  const copies = new Map<number, Copy>();
  const arrivals = new Map<number, number>();
  const published = createPublishedPacks({
    db,
    log,
    onListed(storeId, version) {
      const copy = copies.get(storeId);
      if (copy?.version === version - 1) copy.version = version;
    },
  });
  /** Packs that a step is replacing: their files may be gone, and the directory has their objects all the same. */
  const replacing = new Map<number, ReadonlySet<string>>();
  const flights = createSingleFlight();
  const room = createCopyRoom({
    maxBytes: role === "server" ? maxBytes : Number.POSITIVE_INFINITY,
    log,
    isNeeded: (storeId) => published.isWaiting(storeId),
    ...(idleMs !== undefined && { idleMs }),
  });

  const packsOf = (store: GitStore): string => join(store.path, "objects", "pack");
  const publish = async (store: GitStore, names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const pack = await onStorage(() => readNewPack(files, packsOf(store), name));
      published.add(store.id, pack);
      room.grow(store, sizeOfParts(pack.parts));
    }
  };

  const isHere = (storeId: number, directory: string, pack: ListedPack): boolean =>
    hasParts(directory, pack) || replacing.get(storeId)?.has(pack.name) === true;

  const describe = async ({ id }: GitStore, { name, file }: ListedPack) => ({
    repository: await nameOf?.(id).catch(() => undefined),
    storeId: id,
    pack: name,
    file,
  });

  const fetchPack = async (store: GitStore, pack: ListedPack, content: Buffer | undefined): Promise<void> => {
    try {
      await installPack(packsOf(store), pack, pack.file === undefined ? chunksOf(content) : files.read(pack.file));
    } catch (error) {
      const about = { ...(await describe(store, pack)), err: error };
      if (error instanceof DamagedPack) log.error(about, "a pack is damaged in the storage");
      else log.error(about, "a pack cannot be read from the storage");
      const meta = { reason: error instanceof DamagedPack ? damaged : "storage", storeId: store.id, pack: pack.name };
      throw unavailable("objects of the repository cannot be read from the storage", { retryAfter: 30, cause: error, meta });
    }
  };

  /** The list, with the bytes of those small packs that the directory lacks. */
  const loadLacking = async (store: GitStore): Promise<FullPackList | undefined> => {
    const directory = packsOf(store);
    const present = listPacks(directory);
    const list = await loadPacksExcept(db, store.id, present);
    const known = new Set(present);
    const partial = new Set(list?.packs.filter((pack) => known.has(pack.name) && !isHere(store.id, directory, pack)).map(({ name }) => name));
    if (partial.size === 0) return list;
    return loadPacksExcept(
      db,
      store.id,
      present.filter((name) => !partial.has(name)),
    );
  };

  /**
   * Fetches the listed and published packs that the directory lacks, and removes those that are no longer listed. The copy does not become
   * current if files were deleted while the list was read.
   */
  const update = async (store: GitStore): Promise<void> => {
    const directory = packsOf(store);
    // Operators may have deleted it.
    if (!existsSync(directory)) {
      store.shared.present.delete(store.path);
      replacing.delete(store.id);
      await onStorage(() => rm(store.path, { recursive: true, force: true }));
    }
    const list = await loadLacking(store);
    const waiting = published.of(store.id);
    const wanted = new Map<string, ListedPack | NewPack>([...(list?.packs ?? []), ...waiting].map((pack) => [pack.name, pack]));
    if (list === undefined || (wanted.size === 0 && !existsSync(store.path))) {
      copies.set(store.id, { version: list?.version ?? 0, replaced: new Map() });
      return;
    }
    const isNew = await makeDirectory(store);
    const lacking = [...wanted.values()].filter((pack) => !isHere(store.id, directory, pack));
    if (lacking.some((pack) => !("content" in pack) && pack.file === undefined && !list.contents.has(pack.name))) return;
    const queue = [...lacking];
    const next = async (): Promise<void> => {
      for (let pack = queue.pop(); pack !== undefined; pack = queue.pop())
        await onStorage(() => fetchPack(store, pack, "content" in pack ? pack.content : list.contents.get(pack.name)));
    };
    const outcomes = await Promise.allSettled(Array.from({ length: fetchedAtOnce }, next));
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (lacking.length > 0) arrivals.set(store.id, (arrivals.get(store.id) ?? 0) + 1);
    if (failure !== undefined) throw failure.reason;
    const copy = copies.get(store.id) ?? { version: list.version, replaced: new Map<string, number>() };
    if (role === "server") dropReplaced(store, wanted, { copy, isFirst: !copies.has(store.id) });
    copy.version = Math.max(copy.version, list.version);
    copies.set(store.id, copy);
    room.note(store, sizeOfParts([...wanted.values()].flatMap(({ parts }) => parts)));
    // Processes that have the removed directory open would not see the new one.
    if (isNew) await store.shared.pool.closeStore(store.key);
  };

  /** Packs that an earlier process has left unlisted are removed at once: no ref needs them, and no other node can read them. */
  const dropReplaced = (store: GitStore, wanted: ReadonlyMap<string, unknown>, { copy, isFirst }: { readonly copy: Copy; readonly isFirst: boolean }): void => {
    const directory = packsOf(store);
    const nowMs = performance.now();
    const isOver = (name: string): boolean => {
      if (wanted.has(name) || published.has(store.id, name)) {
        copy.replaced.delete(name);
        return false;
      }
      const sinceMs = copy.replaced.get(name) ?? nowMs;
      copy.replaced.set(name, sinceMs);
      return isFirst || nowMs - sinceMs >= replacedMs;
    };
    const over = listPacks(directory).filter(isOver);
    removeFiles(directory, over);
    for (const name of over) copy.replaced.delete(name);
  };

  const isCurrent = (store: GitStore, version: number): boolean => {
    const copy = copies.get(store.id);
    return copy !== undefined && copy.version >= version && (copy.version === 0 || existsSync(packsOf(store)));
  };

  /** A store without packs has no directory. */
  const isEmpty = (store: GitStore, version: number): boolean => {
    if (version !== 0 || copies.has(store.id) || existsSync(store.path)) return false;
    copies.set(store.id, { version: 0, replaced: new Map() });
    return true;
  };

  /** A caller may join an update that has read an earlier version of the list. */
  const bringTo = async (store: GitStore, wanted: number | undefined): Promise<void> => {
    const version = wanted ?? (await findPacksVersion(db, store.id));
    store.needs.version = Math.max(store.needs.version ?? 0, version);
    for (let rounds = 0; !isCurrent(store, version); rounds += 1) {
      if (rounds > 2) throw unavailable("the objects of the repository change too fast", { retryAfter: 5, meta: { storeId: store.id, version } });
      await flights.run(`${store.id}`, undefined, () => update(store));
    }
  };

  /** Fetches listed packs whose files have been deleted from the directory. @returns whether there were any */
  const mend = async (store: GitStore): Promise<boolean> => {
    const list = await loadPacks(db, store.id);
    const directory = packsOf(store);
    if (list === undefined || list.packs.every((pack) => isHere(store.id, directory, pack))) return false;
    expire(store.id);
    await bringTo(store, list.version);
    await store.shared.pool.closeStore(store.key);
    return true;
  };

  /** The directory lacks packs that are listed. */
  const expire = (storeId: number): void => {
    const copy = copies.get(storeId);
    if (copy !== undefined) copy.version = -1;
  };

  const replace = async (storeId: number, names: readonly string[]): Promise<void> => {
    await db.tx(async (tx) => {
      await published.listIn(tx, storeId);
      // Otherwise another process has replaced them too, with packs of the same objects.
      if ((await removePacks(tx, storeId, names)) !== names.length) throw unavailable("the packs were replaced by another process", { meta: { storeId } });
    });
  };

  /** Stores a pack again from an intact copy. */
  const repair = async (store: GitStore, pack: ListedPack, file: string): Promise<boolean> => {
    const directory = packsOf(store);
    if (!hasParts(directory, pack)) return false;
    const received = await onStorage(() => files.receive(readParts(directory, pack.name, pack.parts), { maxBytes: sizeOfParts(pack.parts) }));
    if (received.digest !== pack.digest) return false;
    await db.tx((tx) => replaceFile(tx, { storeId: store.id, name: pack.name, from: file, to: received.name }));
    log.warn(await describe(store, pack), "a pack was missing or damaged in the bucket, and is stored again");
    return true;
  };

  /** Bytes are compared if the directory has the pack: otherwise fetching it compares them. */
  const findFault = async (store: GitStore, pack: ListedPack, file: string): Promise<string | undefined> => {
    const expected = sizeOfParts(pack.parts);
    const found = await files.sizeOf(file);
    if (found === undefined) return "is missing";
    if (found !== expected) return `has ${found} bytes instead of ${expected}`;
    if (!hasParts(packsOf(store), pack)) return undefined;
    const hash = createHash("sha256");
    for await (const chunk of files.read(file)) hash.update(chunk);
    return hash.digest("hex") === pack.digest ? undefined : "has other bytes than those that were stored";
  };

  return {
    mayExpire: false,
    publish,
    bring(store) {
      room.touch(store.id);
      const { version } = store.needs;
      return version !== undefined && (isCurrent(store, version) || isEmpty(store, version)) ? undefined : bringTo(store, version);
    },
    arrivals: ({ id }) => arrivals.get(id) ?? 0,
    async refresh(store, seen) {
      await bringTo(store, undefined);
      if ((arrivals.get(store.id) ?? 0) !== seen) return true;
      return mend(store);
    },
    list: published.list,
    async share(from, to) {
      const list = await loadPacksExcept(db, from.id, []);
      const packs = (list?.packs ?? []).filter(({ parts }) => !isOfUnreachable(parts));
      for (const pack of packs) published.add(to.id, { ...pack, content: list?.contents.get(pack.name) });
      // The directory is a copy of that of the source, which can have packs that are not listed.
      const names = new Set(packs.map(({ name }) => name));
      const directory = packsOf(to);
      await onStorage(async () => {
        removeFiles(
          directory,
          listPacks(directory).filter((name) => !names.has(name)),
        );
      });
    },
    async replacing(store, work) {
      await bringTo(store, undefined);
      using _held = room.hold(store.id);
      const directory = packsOf(store);
      // Another node may have listed a pack since the directory was brought up to date.
      const before = ((await loadPacks(db, store.id))?.packs ?? []).filter((pack) => hasParts(directory, pack)).map(({ name }) => name);
      await using indexes = await onStorage(() => keepIndexes(directory, before));
      const names = new Set(before);
      using _replacing = {
        [Symbol.dispose]: () => {
          if (replacing.get(store.id) === names) replacing.delete(store.id);
        },
      };
      replacing.set(store.id, names);
      const result = await work();
      const present = new Set(listPacks(directory));
      const now = new Set((await loadPacks(db, store.id))?.packs.map(({ name }) => name));
      await publish(
        store,
        [...present].filter((name) => !now.has(name) && !published.has(store.id, name)),
      );
      const removed = before.filter((name) => !present.has(name));
      try {
        const replaced = await indexes.findReplaced(store, removed);
        if (replaced.length > 0) await replace(store.id, replaced);
      } catch (error) {
        expire(store.id);
        throw error;
      }
      return result;
    },
    async check(store) {
      const problems: string[] = [];
      for (const pack of (await loadPacks(db, store.id))?.packs ?? []) {
        if (pack.file === undefined) continue;
        const fault = await findFault(store, pack, pack.file);
        if (fault === undefined || (role === "server" && (await repair(store, pack, pack.file)))) continue;
        problems.push(`${pack.name} ${fault} in the bucket: packs/${pack.file}`);
      }
      return problems;
    },
    forget(storeId) {
      copies.delete(storeId);
      arrivals.delete(storeId);
      published.forget(storeId);
      room.forget(storeId);
    },
    async close() {
      await published.close();
      await room.close();
    },
  };
}
